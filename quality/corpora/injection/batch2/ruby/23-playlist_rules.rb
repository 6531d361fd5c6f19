require 'sinatra'
require 'sqlite3'

DB = SQLite3::Database.new('/srv/playlist.db')

BUILDERS = {
  'genre' => ->(v) { "genre = '#{v}'" },
  'year' => ->(v) { "year = #{v.to_i}" },
  'any' => ->(_) { '1 = 1' }
}.freeze

def each_row(sql)
  DB.execute(sql).each { |row| yield row }
end

def with_param(name)
  value = params[name]
  yield value unless value.nil?
end

get '/tracks' do
  out = []
  rule = BUILDERS['genre']
  each_row("SELECT title FROM track WHERE #{rule.call(params[:value])}") { |r| out << r[0] }
  out.join("\n")
end

get '/tracks/year' do
  DB.execute('SELECT title FROM track WHERE ' + BUILDERS['year'].(params[:value])).join("\n")
end

post '/tracks/drop' do
  with_param(:artist) do |artist|
    DB.execute_batch("DELETE FROM track WHERE artist = '#{artist}'; DELETE FROM cache;")
  end
  204
end
