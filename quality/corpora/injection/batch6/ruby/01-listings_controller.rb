# frozen_string_literal: true

class ListingsController < ApplicationController
  before_action :authenticate_user!
  before_action :set_listing, only: %i[show update destroy]

  SORTS = %w[price created_at title].freeze
  PER_PAGE = 30

  def index
    @listings = Listing.where(city: params[:city])
    @listings = @listings.where("title ILIKE '%#{params[:q]}%'") if params[:q].present?
    @listings = @listings.limit(PER_PAGE)
    render json: @listings
  end

  def board
    order = params.fetch(:sort, "created_at DESC")
    @listings = Listing.published.order(Arel.sql(order))
    respond_to do |format|
      format.html
      format.json { render json: @listings }
    end
  end

  def cheapest
    column = SORTS.include?(params[:by]) ? params[:by] : "price"
    @listings = Listing.published.order(Arel.sql("#{column} ASC NULLS LAST")).limit(10)
    render json: @listings
  end

  def nearby
    radius = params[:radius].to_i
    rows = Listing.connection.select_all(
      "SELECT id, title FROM listings WHERE distance_km < #{radius} ORDER BY distance_km"
    )
    render json: rows
  end

  def show
    render json: @listing
  end

  def update
    if @listing.update(listing_params)
      render json: @listing
    else
      render json: @listing.errors, status: :unprocessable_entity
    end
  end

  def bulk_archive
    ids = Array(params[:ids]).join(",")
    count = Listing.where("id IN (#{ids}) AND owner_id = ?", current_user.id).update_all(archived: true)
    render json: { archived: count }
  end

  def destroy
    @listing.destroy!
    head :no_content
  end

  private

  def set_listing
    @listing = current_user.listings.find(params[:id])
  end

  def listing_params
    params.require(:listing).permit(:title, :price, :city, :description)
  end
end
