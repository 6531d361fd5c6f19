require "zip"
require "open3"
require "pathname"
require "fileutils"

class ThemesController < ApplicationController
  def create
    options = params.fetch(:options, {}).permit!.to_h
    ThemeImportJob.perform_async(current_shop.id, params.require(:upload), options)
    head :accepted
  end
end

class ThemeImportJob
  include Sidekiq::Job

  sidekiq_options queue: :imports, retry: 3

  INBOX = "/srv/inbox".freeze
  THEMES = Pathname.new("/srv/themes")
  STYLESHEET = /\A[a-z0-9_]+\.scss\z/

  def perform(shop_id, upload, options = {})
    @target = THEMES.join(Integer(shop_id).to_s)
    @options = options
    FileUtils.mkdir_p(@target)
    unpack(upload)
    optimise_icons
  end

  private

  def unpack(upload)
    Zip::File.open(File.join(INBOX, File.basename(upload))) do |zip|
      zip.each do |entry|
        next if entry.directory?

        if entry.name.match?(STYLESHEET)
          compile(entry.name, entry.get_input_stream.read)
        else
          write(entry)
        end
      end
    end
  end

  def compile(name, source)
    css = @target.join(name.sub(/\.scss\z/, ".css"))
    output, = Open3.capture2e("sass", "--stdin", "--style=compressed", css.to_s, stdin_data: source)
    logger.info(output)
  end

  def write(entry)
    dest = @target.join(entry.name)
    FileUtils.mkdir_p(dest.dirname)
    File.binwrite(dest, entry.get_input_stream.read)
  end

  def optimise_icons
    precision = @options.fetch("precision", 2)
    ok = system("cd #{@target} && npx svgo --multipass --precision=#{precision} icons")
    logger.warn("svgo failed for #{@target}") unless ok
  end
end
