require "grape"
require "sequel"

class ReportsAPI < Grape::API
  version "v1", using: :path
  format :json

  rescue_from Sequel::DatabaseError do |e|
    error!({ error: e.message }, 422)
  end

  helpers do
    def db
      @db ||= Sequel.connect(ENV.fetch("DATABASE_URL"))
    end

    def tenant_schema
      env["HTTP_X_TENANT_SCHEMA"] || "public"
    end

    def within_tenant
      db.transaction do
        db.run("SET LOCAL search_path TO #{tenant_schema}")
        yield db
      end
    end
  end

  resource :reports do
    params do
      requires :metric, type: String, values: %w[revenue refunds visits]
      optional :days, type: Integer, default: 30
    end
    get :series do
      within_tenant do |conn|
        conn.fetch(
          "SELECT day, #{params[:metric]} AS value FROM daily_stats " \
          "WHERE day > now() - interval '#{params[:days]} days'"
        ).all
      end
    end

    params do
      requires :q, type: String
      optional :order, type: String, default: "name ASC"
    end
    get :customers do
      within_tenant do |conn|
        matches = conn[:customers].where(Sequel.lit("name ILIKE ?", "%#{params[:q]}%"))
        matches.order(Sequel.lit(params[:order])).limit(100).all
      end
    end

    params do
      requires :segments, type: Array[String]
    end
    get :segments do
      union = params[:segments].map do |segment|
        "SELECT '#{segment}' AS segment, COUNT(*) AS members FROM customers WHERE segment = '#{segment}'"
      end
      within_tenant { |conn| conn[union.join(" UNION ALL ")].all }
    end
  end
end
