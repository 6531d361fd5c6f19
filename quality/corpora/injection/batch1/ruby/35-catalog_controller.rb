class CatalogController < ApplicationController
  def index
    render json: Item.where(maker: params[:maker]).order(:id).to_a
  end

  def color
    render json: Item.where("color = '#{params[:color]}'").to_a
  end

  def title
    render json: Item.where('lower(title) = ?', params[:title].to_s.downcase).to_a
  end

  def sorted
    render json: Item.order(Arel.sql(params[:sort])).to_a
  end

  def grouped
    render json: Item.group(:maker).having("count(*) > #{params[:min]}").count
  end

  def purge
    Item.where("batch = '" + params[:batch] + "'").delete_all
    head :no_content
  end

  def taken
    render json: Item.exists?(["sku = '%s'" % params[:sku]])
  end
end
