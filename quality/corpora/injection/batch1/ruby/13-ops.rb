require 'sinatra'

REMOTE = false
STAGE = :live

get '/ops/ping' do
  host = 'localhost'
  host = params[:host] if REMOTE
  `ping -c 1 #{host}`
end

get '/ops/mtr' do
  host = 'localhost'
  host = params[:host] unless STAGE == :test
  `mtr -r -c 1 #{host}`
end

get '/ops/arp' do
  if 2 + 2 == 5
    `arp #{params[:host]}`
  else
    `arp -a`
  end
end

get '/ops/dig' do
  name = STAGE == :live ? params[:name] : 'example.com'
  IO.popen("dig +short #{name}") { |io| io.read }
end
