module Admin
  class OrdersController < ApplicationController
    SORTABLE = {
      "placed" => "orders.created_at",
      "total" => "orders.total_cents",
      "customer" => "customers.last_name"
    }.freeze

    before_action :authenticate_staff!
    before_action :build_filter, only: :index

    def index
      scope = Order.joins(:customer)
      scope = scope.where(@filter.join(" AND "))
      scope = scope.order(Arel.sql("#{sort_column} #{sort_direction}"))
      @orders = scope.page(params[:page])
    end

    def export
      ids = params.require(:ids).split(",").map(&:to_i)
      rows = Order.connection.select_rows(
        "SELECT id, reference, total_cents FROM orders WHERE id IN (#{ids.join(',')})"
      )
      send_data CSV.generate { |csv| rows.each { |r| csv << r } }, filename: "orders.csv"
    end

    def totals
      bucket = params.fetch(:bucket, "day")
      sql = +"SELECT date_trunc('#{bucket}', created_at) AS bucket, SUM(total_cents) AS total"
      sql << " FROM orders WHERE shop_id = " << current_shop.id.to_s
      sql << " GROUP BY 1 ORDER BY 1"
      render json: Order.connection.select_all(sql)
    end

    private

    def build_filter
      @filter = ["orders.archived = FALSE"]
      @filter << "orders.created_at >= '#{Date.iso8601(params[:since])}'" if params[:since].present?
      @filter << "orders.status = '#{params[:status]}'" if params[:status].present?
    end

    def sort_column
      SORTABLE.fetch(params[:sort], "orders.created_at")
    end

    def sort_direction
      params[:dir] == "asc" ? "ASC" : "DESC"
    end
  end
end
