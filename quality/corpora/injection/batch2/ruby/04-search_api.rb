require 'grape'
require 'pg'

class SearchApi < Grape::API
  format :json

  helpers do
    def pg
      @pg ||= PG.connect(dbname: 'homes')
    end

    def order_for(name)
      case name
      when 'price' then 'price'
      when 'size', 'area' then 'square_metres'
      else 'id'
      end
    end

    def view_for(name)
      case name
      when nil, '' then 'homes_all'
      when 'sold' then 'homes_sold'
      else "homes_#{name}"
      end
    end
  end

  get :homes do
    pg.exec("SELECT id, price FROM homes ORDER BY #{order_for(params[:order])}").to_a
  end

  get 'homes/view' do
    pg.exec("SELECT id, price FROM #{view_for(params[:view])} LIMIT 100").to_a
  end
end
