# frozen_string_literal: true

require "grape"
require "pg"

module Tides
  CONN = PG.connect(dbname: "tides")

  module Helpers
    def rows(sql, binds = [])
      CONN.exec_params(sql, binds).to_a
    end

    def harbour
      @harbour ||= env["HTTP_X_HARBOUR"] || "unknown"
    end
  end

  class API < Grape::API
    version "v2", using: :path
    format :json
    helpers Helpers

    rescue_from PG::Error do |e|
      error!({ message: e.class.name }, 500)
    end

    resource :predictions do
      desc "High and low water of one station"
      params do
        requires :station, type: String
        optional :days, type: Integer, default: 1
      end
      get do
        rows(<<~SQL)
          SELECT at, height FROM predictions
          WHERE station = '#{params[:station]}'
            AND at < now() + interval '#{params[:days]} days'
          ORDER BY at
        SQL
      end

      desc "Extremes by kind"
      params do
        requires :kind, type: String, values: %w[spring neap]
        requires :year, type: Integer
      end
      get :extremes do
        rows("SELECT max(height) FROM predictions WHERE kind = '#{params[:kind]}' AND extract(year FROM at) = #{params[:year]}")
      end
    end

    resource :warnings do
      get do
        rows("SELECT * FROM warnings WHERE harbour = '" + harbour + "' AND NOT expired")
      end

      params do
        requires :text, type: String
        requires :level, type: Integer
      end
      post do
        rows("INSERT INTO warnings (harbour, level, body) VALUES ($1, $2, $3) RETURNING id",
             [harbour, params[:level], params[:text]]).first
      end
    end
  end
end
