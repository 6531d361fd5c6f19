# frozen_string_literal: true

class RehearsalsController < ApplicationController
  before_action :require_member
  before_action :load_choir

  COLUMNS = %w[starts_at venue duration].freeze

  def index
    @rehearsals = @choir.rehearsals.where(cancelled: false)
    @rehearsals = @rehearsals.where("voice_part = '#{params[:part]}'") if params[:part].present?
    @rehearsals = @rehearsals.order(column => :asc)
    respond_to do |format|
      format.html
      format.json { render json: @rehearsals }
    end
  end

  def search
    term = ActiveRecord::Base.sanitize_sql_like(params.require(:q))
    @rehearsals = @choir.rehearsals.where("notes ILIKE ?", "%#{term}%")
    render :index
  end

  def venues
    term = ActiveRecord::Base.sanitize_sql_like(params.require(:q))
    @rehearsals = @choir.rehearsals.where("venue ILIKE '%#{term}%'")
    render :index
  end

  def attendance
    weight = params.fetch(:weight, "1")
    total = @choir.attendances.sum(Arel.sql("present * #{weight}"))
    render json: { total: total }
  end

  def between
    from = Date.iso8601(params.require(:from))
    till = Date.iso8601(params.require(:till))
    @rehearsals = @choir.rehearsals.where("starts_at BETWEEN '#{from}' AND '#{till}'")
    render :index
  rescue Date::Error
    head :bad_request
  end

  private

  def column
    COLUMNS.include?(params[:sort]) ? params[:sort] : "starts_at"
  end

  def load_choir
    @choir = current_member.choirs.find(params[:choir_id])
  end

  def require_member
    redirect_to login_path unless current_member
  end
end
