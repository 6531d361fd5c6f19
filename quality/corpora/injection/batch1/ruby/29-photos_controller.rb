class PhotosController < ApplicationController
  DIR = '/srv/photos'.freeze

  def create
    upload = params.require(:photo)
    name = File.basename(upload.original_filename)
    File.binwrite(File.join(DIR, "p_#{name}"), upload.read)
    head :created
  end

  def show
    name = params[:name].sub('../', '')
    send_file "#{DIR}/#{name}"
  end

  def thumb
    name = params[:name].tr('^a-z0-9_', '')
    send_file "#{DIR}/thumbs/#{name}.jpg"
  end

  def destroy
    name = params[:name].gsub('../', '')
    File.delete("#{DIR}/#{name}")
    head :no_content
  end

  def caption
    name = params[:name].delete_prefix('/')
    render plain: IO.read(File.join(DIR, name))
  end
end
