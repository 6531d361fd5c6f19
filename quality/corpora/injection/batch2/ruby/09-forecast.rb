require 'sinatra/base'
require 'shellwords'

class Forecast < Sinatra::Base
  GRIB = '/srv/forecast/latest.grib'.freeze

  helpers do
    def quoted(text)
      %("#{text.to_s.gsub('"', '\"')}")
    end
  end

  get '/dump' do
    content_type :text
    `wgrib2 #{GRIB} -match #{quoted(params[:match])} -s`
  end

  get '/point' do
    content_type :text
    `wgrib2 #{GRIB} -match #{Shellwords.escape(params[:match].to_s)} -lon 10 50`
  end

  post '/note' do
    author = params[:author].to_s.delete("'")
    system("logger -t forecast '#{author}: #{params[:note]}'")
    204
  end

  run! if app_file == $PROGRAM_NAME
end
