# frozen_string_literal: true

require "digest"
require "open3"

module ReportFiles
  extend ActiveSupport::Concern

  REPORTS = Rails.root.join("var/reports").freeze

  included do
    rescue_from(Errno::ENOENT) { head :not_found }
  end

  def report_path(name)
    REPORTS.join(name)
  end

  def cached_path(key)
    REPORTS.join("cache", "#{Digest::SHA256.hexdigest(key)}.csv")
  end
end

class ReportsController < ApplicationController
  include ReportFiles

  Row = Struct.new(:amount, :tax, :shipping) do
    def total(formula)
      instance_eval(formula)
    end

    def preset(name)
      case name
      when "gross" then amount + tax
      when "net" then amount - tax
      else amount
      end
    end
  end

  def show
    send_file report_path(params[:name]), disposition: "inline"
  end

  def cached
    path = cached_path(params[:key])
    return head(:no_content) unless File.exist?(path)

    send_data File.binread(path), type: "text/csv"
  end

  def totals
    rows = Sale.pluck(:amount, :tax, :shipping).map { |values| Row.new(*values) }
    sums = rows.map { |row| params[:formula] ? row.total(params[:formula]) : row.preset(params[:preset]) }
    render json: { total: sums.sum }
  end

  def preview
    lines = IO.popen("csvlook #{report_path('current.csv')} --max-rows #{params[:rows]}") { |io| io.readlines }
    render plain: lines.join
  end

  def columns
    lines = IO.popen(["csvcut", "-n", report_path("current.csv").to_s]) { |io| io.readlines }
    render plain: lines.grep(/#{Regexp.escape(params[:match].to_s)}/).join
  end

  def stats
    column = %w[amount tax shipping].find { |name| name == params[:column] } || "amount"
    output, = Open3.capture2("csvstat -c #{column} #{report_path('current.csv')} | head -n 20")
    render plain: output
  end
end
