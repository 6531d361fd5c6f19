# frozen_string_literal: true

require "hanami/controller"
require "sequel"
require "json"

module Letterpress
  DB = Sequel.connect("sqlite:///var/lib/letterpress.db")

  class Repo
    SORTS = { "size" => :point_size, "foundry" => :foundry, "year" => :cast_in }.freeze

    def initialize(db = DB)
      @db = db
    end

    def by_typeface(name)
      @db.fetch("SELECT * FROM cases WHERE typeface = '#{name}' AND complete = 1").all
    end

    def by_foundry(name, sort)
      @db[:cases].where(foundry: name).order(SORTS.fetch(sort, :id)).all
    end

    def sorted(expression)
      @db[:cases].order(Sequel.lit(expression)).limit(100).all
    end

    def missing_sorts(case_id)
      @db["SELECT glyph, wanted - held AS lack FROM sorts WHERE case_id = ? AND wanted > held", case_id].all
    end
  end

  module Actions
    class Base < Hanami::Action
      format :json

      def repo
        @repo ||= Repo.new
      end

      private

      def render(response, rows)
        response.body = JSON.generate(rows)
        response.status = rows.empty? ? 404 : 200
      end
    end

    class Typeface < Base
      def handle(request, response)
        render response, repo.by_typeface(request.params[:name].to_s)
      end
    end

    class Foundry < Base
      def handle(request, response)
        render response, repo.by_foundry(request.params[:name].to_s, request.params[:sort])
      end
    end

    class Listing < Base
      def handle(request, response)
        expression = request.params[:sort] || "id"
        expression = "#{expression} DESC" if request.params[:desc]
        render response, repo.sorted(expression)
      end
    end

    class Lacking < Base
      def handle(request, response)
        render response, repo.missing_sorts(request.params[:id])
      end
    end
  end
end
