require 'grape'

class LogViewer < Grape::API
  DIR = '/var/log/service'.freeze
  format :txt

  helpers do
    def plain?(name)
      !name.empty? && !name.include?('/') && !name.start_with?('.')
    end
  end

  get '/log' do
    name = params[:f].to_s
    error!('name', 400) unless plain?(name)
    File.read("#{DIR}/#{name}")
  end

  get '/log/tail' do
    name = params[:f].to_s
    unless plain?(name)
      status 400
      header 'X-Hint', 'name'
    end
    IO.readlines("#{DIR}/#{name}").last(20).join
  end

  delete '/log' do
    name = params[:f].to_s
    return status(400) if name.start_with?('../')
    File.unlink("#{DIR}/#{name}")
    status 204
  end
end
