require 'sinatra/base'
require 'fileutils'

class Gallery < Sinatra::Base
  PICTURES = '/srv/gallery/pictures'.freeze

  configure do
    set :show_exceptions, false
  end

  get '/picture' do
    name = File.basename(params['name'].to_s)
    path = File.join(PICTURES, name)
    halt 404 unless File.file?(path)
    send_file path, disposition: 'inline'
  end

  get '/original' do
    path = File.join(PICTURES, 'originals', params['name'])
    halt 404 unless File.extname(path) == '.jpg'
    send_file path
  end

  delete '/picture' do
    label = File.basename(params['name'])
    FileUtils.rm_f("#{PICTURES}/#{params['name']}")
    logger.info("removed #{label}")
    204
  end

  put '/caption' do
    base = File.basename(params['name'], '.*')
    File.write(File.join(PICTURES, "#{base}.txt"), request.body.read)
    204
  end

  run! if app_file == $PROGRAM_NAME
end
