require 'zip'
require 'rubygems/package'
require 'zlib'

module Admin
  class ThemeImportController < ApplicationController
    THEMES = Rails.root.join('public', 'themes').to_s

    def create
      Zip::File.open(params[:archive].tempfile) do |zip|
        zip.each do |entry|
          next if entry.directory?

          File.binwrite(File.join(THEMES, entry.name), entry.get_input_stream.read)
        end
      end
      head :created
    end

    def create_tar
      gz = Zlib::GzipReader.new(request.body)
      Gem::Package::TarReader.new(gz) do |tar|
        tar.each do |entry|
          next unless entry.file?

          target = File.expand_path(entry.full_name, THEMES)
          next unless target.start_with?(THEMES + '/')

          File.open(target, 'wb') { |f| f.write(entry.read) }
        end
      end
      head :created
    end

    def create_preview
      gz = Zlib::GzipReader.new(request.body)
      Gem::Package::TarReader.new(gz).each do |entry|
        target = File.expand_path(entry.full_name, THEMES)
        logger.warn('entry elsewhere') unless target.start_with?(THEMES)
        File.write(target, entry.read) if entry.file?
      end
      head :created
    end
  end
end
