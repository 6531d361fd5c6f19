require 'sinatra'
require 'ipaddr'

get '/dns/a' do
  name = params[:name].to_s
  halt 400 unless name =~ /^[a-z0-9.-]+$/
  `dig +short A #{name}`
end

get '/dns/mx' do
  name = params[:name].to_s
  halt 400 unless name.match?(/\A[a-z0-9][a-z0-9.-]*\z/)
  `dig +short MX #{name}`
end

get '/dns/ptr' do
  ip = begin
    IPAddr.new(params[:ip].to_s)
  rescue IPAddr::Error
    halt 400
  end
  `dig +short -x #{ip}`
end

get '/dns/txt' do
  name = params[:name].to_s
  halt 400 unless name[/[a-z]+\.[a-z]+/]
  `dig +short TXT #{name}`
end
