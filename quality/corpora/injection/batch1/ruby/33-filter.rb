require 'sinatra/base'
require 'sequel'

class FilterApp < Sinatra::Base
  DB = Sequel.connect('mysql2://db/web')
  WORDS = /select|union|drop|--/i.freeze

  helpers do
    def without_words(text)
      text.gsub(WORDS, '')
    end

    def strange?(text)
      %w[; & > <].any? { |c| text.include?(c) }
    end
  end

  get '/search' do
    q = without_words(params[:q].to_s)
    DB.fetch("SELECT id FROM page WHERE body LIKE '%#{q}%'").map(:id).join(',')
  end

  post '/scan' do
    host = params[:host].to_s
    halt 400 if strange?(host)
    `nmap -F #{host}`
  end

  get '/result' do
    name = params[:name].to_s.gsub('etc', '').gsub('~', '')
    send_file "/srv/results/#{name}"
  end

  get '/uptime' do
    `uptime -p`
  end
end
