require "grape"
require "sequel"

DB = Sequel.connect(ENV.fetch("DATABASE_URL"))

module Catalog
  class API < Grape::API
    format :json
    prefix :api
    version "v2", using: :path

    PAGE = 20

    helpers do
      def tag_condition(tags)
        tags.map { |tag| "tags @> '{#{tag}}'" }.join(" AND ")
      end

      def present_rows(dataset)
        { count: dataset.count, items: dataset.all }
      end
    end

    resource :products do
      desc "Paged listing"
      params do
        optional :sort, type: String, values: %w[name price created_at], default: "name"
        optional :page, type: Integer, default: 1
      end
      get do
        offset = PAGE * (params[:page] - 1)
        rows = DB.fetch("SELECT * FROM products ORDER BY #{params[:sort]} LIMIT #{PAGE} OFFSET #{offset}")
        present_rows(rows)
      end

      desc "Price list"
      params do
        optional :dir, type: String, regexp: /^(asc|desc)$/i, default: "asc"
      end
      get :prices do
        DB.fetch("SELECT sku, price FROM products ORDER BY price #{params[:dir]}").all
      end

      desc "By tags"
      params do
        requires :tags, type: Array[String]
      end
      get :tagged do
        present_rows(DB[:products].where(Sequel.lit(tag_condition(params[:tags]))))
      end

      desc "Several at once"
      params do
        requires :skus, type: Array[String]
      end
      post :batch do
        marks = Array.new(params[:skus].size, "?").join(", ")
        DB.fetch("SELECT * FROM products WHERE sku IN (#{marks})", *params[:skus]).all
      end
    end
  end
end
