require 'sinatra'
require 'pg'
require 'json'

DB = PG.connect(dbname: 'people')

helpers do
  def text(name)
    params[name].to_s.strip
  end

  def contains(column, value)
    "#{column} ILIKE '%#{value}%'"
  end

  def page
    [text(:page).to_i, 0].max
  end
end

get '/people' do
  content_type :json
  rows = DB.exec("SELECT id, name FROM people WHERE #{contains('name', text(:q))}")
  rows.to_a.to_json
end

get '/people/recent' do
  content_type :json
  DB.exec("SELECT id, name FROM people ORDER BY id DESC LIMIT 20 OFFSET #{page * 20}").to_a.to_json
end

get '/people/admins' do
  content_type :json
  DB.exec("SELECT id FROM people WHERE #{contains('role', 'admin')}").to_a.to_json
end
