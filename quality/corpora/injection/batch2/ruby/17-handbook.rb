require 'sinatra'
require 'pathname'

BASE = '/srv/handbook/'.freeze

def tidy(name)
  name.sub('../', '')
end

def trim(name)
  name.gsub('../', '').delete_prefix('/')
end

def slug(name)
  name.downcase.tr('^a-z0-9', '-')
end

get '/chapter' do
  File.read(BASE + tidy(params[:name].to_s))
end

get '/section' do
  Pathname.new(BASE).join(trim(params[:name].to_s)).read
end

get '/figure' do
  send_file BASE + 'fig/' + slug(params[:name].to_s) + '.svg'
end

get '/grep' do
  word = params[:q].to_s
  halt 400 if word.include?(';') || word.include?('|') || word.include?('&')
  `grep -ri #{word} #{BASE}`
end
