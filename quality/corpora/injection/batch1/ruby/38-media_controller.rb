class MediaRepository
  def by_owner(owner, order)
    sql = Media.sanitize_sql_array(["SELECT file FROM media WHERE owner = ? ORDER BY #{order}", owner])
    Media.connection.select_values(sql)
  end

  def rename(id, file)
    Media.where(id: id).update_all(file: file)
  end
end

class MediaFiles
  ROOT = '/srv/media'.freeze

  def at(name)
    File.join(ROOT, name)
  end

  def move(from, to)
    FileUtils.mv(at(from), at(to))
  end

  def remove(name)
    File.delete(at(name))
  end
end

class Thumbnailer
  def initialize(size)
    @size = size
  end

  def call(file)
    system("vipsthumbnail #{file} --size #{@size}")
  end
end

class MediaService
  attr_reader :rows, :files

  def initialize(rows: MediaRepository.new, files: MediaFiles.new, thumbs: Thumbnailer.new('200x200'))
    @rows = rows
    @files = files
    @thumbs = thumbs
  end

  def rename(id, from, to)
    files.move(from, to)
    rows.rename(id, to)
    @thumbs.call(files.at(to))
  end
end

class MediaController < ApplicationController
  def index
    render json: service.rows.by_owner('me', params.fetch(:order, 'id'))
  end

  def show
    send_file service.files.at(params[:name])
  end

  def update
    service.rename(params[:id].to_i, params[:from], params[:to])
    head :no_content
  end

  def destroy
    service.files.remove(params[:name])
    head :no_content
  end

  private

  def service
    @service ||= MediaService.new
  end
end
