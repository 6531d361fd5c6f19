require 'sinatra'
require 'zip'
require 'rubygems/package'
require 'zlib'

PLUGINS = '/srv/plugins'.freeze

post '/plugins/zip' do
  Zip::File.open(params[:file][:tempfile]) do |zip|
    zip.each do |entry|
      next if entry.directory?

      File.binwrite(File.join(PLUGINS, entry.name), entry.get_input_stream.read)
    end
  end
  201
end

post '/plugins/tgz' do
  gz = Zlib::GzipReader.new(params[:file][:tempfile])
  Gem::Package::TarReader.new(gz).each do |entry|
    target = File.expand_path(entry.full_name, PLUGINS)
    halt 400 unless target.start_with?("#{PLUGINS}/")
    File.binwrite(target, entry.read)
  end
  201
end

post '/plugins/single' do
  target = File.join(PLUGINS, params[:name].to_s)
  FileUtils.cp(params[:file][:tempfile].path, target)
  201
end
