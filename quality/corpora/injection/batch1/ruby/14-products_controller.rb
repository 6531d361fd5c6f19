class ProductsController < ApplicationController
  def index
    column =
      case params[:sort]
      when 'price' then 'price_cents'
      when 'name' then 'title'
      else 'id'
      end
    direction = params[:dir] == 'desc' ? 'DESC' : 'ASC'
    @products = Product.find_by_sql("SELECT * FROM products ORDER BY #{column} #{direction}")
    render json: @products
  end

  def archive
    column = params[:sort].presence ? params[:sort] : 'id'
    @products = Product.find_by_sql("SELECT * FROM old_products ORDER BY #{column}")
    render json: @products
  end

  def discounts
    kind = case params[:kind]
           when 'all' then '%'
           else params[:kind]
           end
    rows = Product.connection.select_values("SELECT title FROM discounts WHERE kind LIKE '#{kind}'")
    render json: rows
  end
end
