require 'grape'
require 'tiny_tds'

class Seats < Grape::API
  format :json

  helpers do
    def client
      @client ||= TinyTds::Client.new(host: 'db', username: 'seats', password: ENV['SEATS_PW'])
    end
  end

  params { requires :row, type: Integer }
  get '/seats/row' do
    client.execute("SELECT id FROM seat WHERE row = #{params[:row]}").to_a
  end

  get '/seats/hall' do
    hall = Integer(params[:hall], 10)
    client.execute("SELECT id FROM seat WHERE hall = #{hall}").to_a
  end

  get '/seats/price' do
    price = params[:price].to_s
    error!('price', 400) if price.to_f <= 0
    client.execute("SELECT id FROM seat WHERE price <= #{price}").to_a
  end

  get '/seats/block' do
    block = params[:block].to_s
    client.execute("SELECT id FROM seat WHERE block = '#{block}'").to_a
  end
end
