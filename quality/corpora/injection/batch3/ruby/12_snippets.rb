require 'sinatra'
require 'json'

SNIPPETS = '/srv/snippets'.freeze

def valid_name?(name)
  name =~ /^[a-z0-9_-]+$/
end

def snippet_name?(name)
  /\A[a-z0-9_-]+\z/.match?(name)
end

get '/snippets/:name' do
  name = params[:name]
  halt 400 unless snippet_name?(name)
  content_type :text
  File.read("#{SNIPPETS}/#{name}.txt")
end

post '/snippets/run' do
  body = JSON.parse(request.body.read)
  halt 400 unless valid_name?(body['interpreter'])
  out = `#{body['interpreter']} #{SNIPPETS}/sample.txt`
  out.lines.first(100).join
end

delete '/snippets' do
  name = params[:name]
  halt 400 unless name.match?(/\.txt\z/)
  File.delete(File.join(SNIPPETS, name))
  204
end

get '/snippets/:id/raw' do
  halt 400 unless params[:id].match(/\A\d{1,9}\z/)
  send_file File.join(SNIPPETS, "raw-#{params[:id]}")
end
