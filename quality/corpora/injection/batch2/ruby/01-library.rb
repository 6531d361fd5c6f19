require 'sinatra'
require 'sqlite3'
require 'json'

DB = SQLite3::Database.new('/srv/library.db')

helpers do
  def text(name)
    params.fetch(name, '').to_s.strip
  end

  def by_author(author)
    "author = '#{author}'"
  end

  def titles(condition)
    DB.execute("SELECT id, title FROM book WHERE #{condition}")
  end
end

before { content_type :json }

get '/books' do
  titles(by_author(text(:author))).to_json
end

get '/books/new' do
  titles('added > 20240101').to_json
end

get '/books/shelf' do
  DB.execute('SELECT id, title FROM book WHERE shelf = ?', [text(:shelf)]).to_json
end

get '/books/cover' do
  send_file File.join('/srv/covers', text(:file))
end
