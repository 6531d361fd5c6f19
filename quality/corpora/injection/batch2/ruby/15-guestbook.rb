require 'sinatra'
require 'sqlite3'
require 'cgi'
require 'shellwords'
require 'uri'

db = SQLite3::Database.new('guestbook.db')

get '/entries' do
  page = CGI.escapeHTML(params['page'].to_s)
  db.execute("SELECT body FROM entry WHERE page = #{page}").flatten.join("\n")
end

get '/entries/from' do
  city = params['city'].to_s.gsub("'", "\\\\'")
  db.execute("SELECT body FROM entry WHERE city = '#{city}'").flatten.join("\n")
end

get '/letters' do
  text = CGI.escapeHTML(params['text'].to_s)
  `echo #{text} | wc -c`
end

get '/card' do
  file = params['card'].to_s.shellescape
  send_file "/srv/cards/#{file}"
end

get '/stamp' do
  file = URI.encode_www_form_component(params['stamp'].to_s)
  send_file "/srv/stamps/stamp-#{file}"
end
