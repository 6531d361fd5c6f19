require 'grape'
require 'zip'
require 'rubygems/package'
require 'zlib'
require 'fileutils'

class TemplateImport < Grape::API
  DEST = File.expand_path('/srv/templates')
  format :json

  post 'templates/zip' do
    count = 0
    Zip::File.open(params[:archive][:tempfile].path) do |zip|
      zip.each do |entry|
        next if entry.directory?

        File.binwrite(File.join(DEST, entry.name), entry.get_input_stream.read)
        count += 1
      end
    end
    { count: count }
  end

  post 'templates/tar' do
    Gem::Package::TarReader.new(Zlib::GzipReader.open(params[:archive][:tempfile].path)) do |tar|
      tar.each do |entry|
        target = File.expand_path(File.join(DEST, entry.full_name))
        next unless entry.file? && target.start_with?(DEST + '/')

        FileUtils.mkdir_p(File.dirname(target))
        File.open(target, 'wb') { |f| f.write(entry.read) }
      end
    end
    status 201
  end
end
