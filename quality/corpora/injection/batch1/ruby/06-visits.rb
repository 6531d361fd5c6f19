require 'mysql2'
require 'sinatra/base'

class Visits < Sinatra::Base
  DEFAULTS = { table: 'visits', order: 'at DESC' }.freeze

  def client
    @client ||= Mysql2::Client.new(host: 'db', database: 'web')
  end

  get '/visits' do
    opts = DEFAULTS.dup
    opts[:page] = params['page_name']

    all = client.query("SELECT COUNT(*) AS n FROM #{opts[:table]}")
    one = client.query("SELECT at FROM #{opts[:table]} WHERE page = '#{opts[:page]}' ORDER BY #{opts[:order]}")
    "#{all.first['n']} #{one.count}\n"
  end

  get '/visits/by' do
    opts = DEFAULTS.merge(order: params['order'] || DEFAULTS[:order])
    rows = client.query("SELECT at FROM #{opts[:table]} ORDER BY #{opts[:order]} LIMIT 50")
    rows.map { |r| r['at'] }.join("\n")
  end

  run! if app_file == $PROGRAM_NAME
end
