class GridController < ApplicationController
  COLUMNS = %w[id name created_at].freeze

  def index
    sort = conn.quote_string(params[:sort] || 'id')
    render json: conn.select_all("SELECT * FROM cells ORDER BY #{sort}")
  end

  def show
    id = conn.quote_string(params[:id])
    render json: conn.select_one("SELECT * FROM cells WHERE id = #{id}")
  end

  def page
    size = params[:size].to_s.gsub("'", "''")
    render json: conn.select_all("SELECT * FROM cells LIMIT #{size}")
  end

  def named
    column = conn.quote_column_name(params[:sort])
    render json: conn.select_all("SELECT * FROM cells ORDER BY #{column}")
  end

  def listed
    return head(:bad_request) unless COLUMNS.include?(params[:sort])

    render json: conn.select_all("SELECT * FROM cells ORDER BY #{params[:sort]}")
  end

  private

  def conn
    ActiveRecord::Base.connection
  end
end
