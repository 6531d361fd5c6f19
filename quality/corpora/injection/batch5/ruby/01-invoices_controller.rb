class ReportingController < ApplicationController
  before_action :authenticate_user!
  before_action :load_range

  private

  def load_range
    @from = params[:from].presence || 1.month.ago.to_date.to_s
    @to = Date.parse(params[:to].presence || Date.current.to_s)
  rescue Date::Error
    @to = Date.current
  end

  def current_account
    @current_account ||= current_user.account
  end
end

class InvoicesController < ReportingController
  SORTS = {
    "newest" => "issued_on DESC",
    "amount" => "total_cents DESC, id",
    "customer" => "lower(customer_name), issued_on"
  }.freeze

  def index
    invoices = current_account.invoices
    invoices = invoices.where("issued_on >= '#{@from}'")
    invoices = invoices.where("issued_on <= '#{@to}'")
    invoices = invoices.order(Arel.sql(SORTS.fetch(params[:sort], SORTS["newest"])))
    render json: invoices.limit(100)
  end

  def totals
    bucket = params.fetch(:bucket, "month")
    rows = Invoice.connection.select_all(<<~SQL.squish)
      SELECT date_trunc('#{bucket}', issued_on) AS period, SUM(total_cents) AS cents
      FROM invoices
      GROUP BY 1
      ORDER BY 1
    SQL
    render json: rows.to_a
  end

  def overdue
    days = params[:days].to_s
    raise ActionController::BadRequest unless days =~ /^\d+$/
    @invoices = current_account.invoices.where("CURRENT_DATE - due_on > #{days}")
    render :index
  end
end
