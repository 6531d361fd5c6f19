class ReportsController < ApplicationController
  before_action :authenticate_user!

  def revenue
    sql = +'SELECT region, SUM(amount) FROM sales WHERE 1 = 1'
    sql << " AND region = '#{params[:region]}'" if params[:region].present?
    sql << format(' AND year = %d', params[:year]) if params[:year].present?
    sql << ' GROUP BY region'
    render json: ActiveRecord::Base.connection.select_all(sql)
  end

  def top
    sql = format('SELECT product, SUM(amount) AS s FROM sales GROUP BY product ORDER BY s DESC LIMIT %d', params[:n])
    render json: ActiveRecord::Base.connection.select_all(sql)
  end

  def refunds
    parts = ['SELECT * FROM refunds']
    parts.push("WHERE reason LIKE '%" + params[:reason] + "%'")
    parts.push('ORDER BY id')
    parts.push('LIMIT 100')

    render json: Refund.find_by_sql(parts.join(' '))
  end
end
