class ExportsController < ApplicationController
  before_action :authenticate_user!

  def invoices
    opts = { table: 'invoices', month: params[:month] }
    rows = ActiveRecord::Base.connection.select_all("SELECT id, total FROM #{opts[:table]}")
    render json: rows.to_a
  end

  def payments
    opts = { table: 'payments' }.merge(month: params[:month])
    rows = ActiveRecord::Base.connection.select_all("SELECT id, total FROM payments WHERE month = '#{opts[:month]}'")
    render json: rows.to_a
  end

  def named
    opts = Hash.new('latest')
    opts[:name] = params[:name]
    send_file Rails.root.join('exports').to_s + "/#{opts[:name]}.csv"
  end

  private

  def default_url_options
    { locale: I18n.locale }
  end
end
