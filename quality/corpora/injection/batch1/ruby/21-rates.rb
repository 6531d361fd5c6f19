require 'sinatra/base'
require 'pg'

class Rates < Sinatra::Base
  set :db, PG.connect(dbname: 'rates')

  get '/rate' do
    from = params['from'].to_s
    row = settings.db.exec_params("SELECT rate FROM rate WHERE src = '" + from + "' AND dst = $1", [params['to']]).first
    row ? row['rate'] : 404
  end

  post '/rate' do
    settings.db.prepare('set_rate', 'UPDATE rate SET rate = $3 WHERE src = $1 AND dst = $2')
    settings.db.exec_prepared('set_rate', params.values_at('from', 'to', 'rate'))
    204
  ensure
    settings.db.exec('DEALLOCATE set_rate')
  end

  get '/rates' do
    like = "#{params['from']}%"
    rows = settings.db.exec_params('SELECT dst, rate FROM rate WHERE src LIKE $1', [like])
    rows.map { |r| r.values.join(' ') }.join("\n")
  end
end
