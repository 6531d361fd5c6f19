class PartsController < ApplicationController
  TABLES = { 'bolt' => 'bolts', 'nut' => 'nuts' }.freeze
  FIELDS = %w[code vendor color].freeze

  def index
    table = TABLES[params[:kind]]
    return head(:not_found) unless table

    render json: ActiveRecord::Base.connection.select_all("SELECT code FROM #{table}").to_a
  end

  def fields
    wanted = params[:fields].to_s.split(',') & FIELDS
    wanted = %w[code] if wanted.empty?
    render json: Part.connection.select_rows("SELECT #{wanted.join(', ')} FROM parts")
  end

  def sheet
    part = Part.find(params[:id])
    render json: part.as_json(only: FIELDS)
  end

  private

  def part_params
    params.require(:part).permit(*FIELDS)
  end
end
