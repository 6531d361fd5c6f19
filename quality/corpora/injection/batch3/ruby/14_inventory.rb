require 'hanami/router'
require 'sqlite3'
require 'json'

STOCK = SQLite3::Database.new('/var/lib/stock/stock.db')

WRAP = ->(v) { "'#{v}'" }
TO_NUMBER = :to_i.to_proc

def each_value(env, key)
  query = Rack::Utils.parse_nested_query(env['QUERY_STRING'])
  Array(query[key]).each { |v| yield v }
end

def joined(env, key, mapper)
  values = []
  each_value(env, key) { |v| values << mapper.call(v) }
  values.join(', ')
end

by_code = lambda do |env|
  rows = STOCK.execute("SELECT * FROM item WHERE code IN (#{joined(env, 'code', WRAP)})")
  [200, {}, [JSON.generate(rows)]]
end

by_id = lambda do |env|
  rows = STOCK.execute("SELECT * FROM item WHERE id IN (#{joined(env, 'id', TO_NUMBER)})")
  [200, {}, [JSON.generate(rows)]]
end

by_shelf = proc do |env|
  clause = nil
  each_value(env, 'shelf') { |v| clause = "shelf = '" + v + "'" }
  count = STOCK.get_first_value("SELECT count(*) FROM item WHERE #{clause}")
  [200, {}, [count.to_s]]
end

APP = Hanami::Router.new do
  get '/items', to: by_code
  get '/items/ids', to: by_id
  get '/shelf', to: by_shelf
end
