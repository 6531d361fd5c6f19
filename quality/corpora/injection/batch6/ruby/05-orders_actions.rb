# frozen_string_literal: true

require "hanami/action"
require "sequel"

module Shop
  DB = Sequel.connect(ENV.fetch("DATABASE_URL"))

  module Orders
    class Base < Hanami::Action
      private

      def orders
        DB[:orders]
      end

      def reply(response, rows)
        response.format = :json
        response.body = rows.to_a.to_json
      end
    end

    class Index < Base
      def handle(request, response)
        scope = orders.where(shop_id: request.session[:shop_id])
        if (state = request.params[:state])
          scope = scope.where(Sequel.lit("state = '#{state}'"))
        end
        reply(response, scope.limit(50))
      end
    end

    class Search < Base
      def handle(request, response)
        term = "%#{request.params[:term]}%"
        reply(response, DB["SELECT id, number FROM orders WHERE number LIKE ? OR comment LIKE ?", term, term])
      end
    end

    class Totals < Base
      PERIODS = %w[day week month].freeze

      def handle(request, response)
        period = request.params[:period].to_s
        return response.status = 422 unless PERIODS.include?(period)

        sql = "SELECT date_trunc('#{period}', placed_at) AS period, sum(total) FROM orders GROUP BY 1"
        reply(response, DB.fetch(sql))
      end
    end

    class Pivot < Base
      def handle(request, response)
        columns = request.params[:columns].to_s.split(",").map(&:strip)
        columns = ["state"] if columns.empty?
        sql = <<~SQL
          SELECT #{columns.join(', ')}, count(*) AS total
          FROM orders
          GROUP BY #{columns.join(', ')}
        SQL
        reply(response, DB.fetch(sql))
      end
    end

    class Update < Base
      def handle(request, response)
        changed = orders.where(id: Integer(request.params[:id], 10)).update(comment: request.params[:comment])
        response.status = changed.zero? ? 404 : 204
      end
    end

    class Purge < Base
      def handle(request, response)
        before = request.params[:before].to_s.tr(";", "")
        DB.run("DELETE FROM orders WHERE state = 'draft' AND placed_at < '#{before}'")
        response.status = 204
      end
    end
  end
end
