# frozen_string_literal: true

require "graphql"
require "active_record"

class Beast < ActiveRecord::Base
  has_many :depictions
end

module Types
  class BeastType < GraphQL::Schema::Object
    field :id, ID, null: false
    field :name, String, null: false
    field :century, Integer, null: true
  end

  class BeastOrder < GraphQL::Schema::Enum
    value "NAME", value: "beasts.name"
    value "CENTURY", value: "beasts.century DESC"
  end

  class QueryType < GraphQL::Schema::Object
    field :beasts, [BeastType], null: false do
      argument :order, BeastOrder, required: false, default_value: "beasts.name"
      argument :region, String, required: true
    end

    field :depicted_in, [BeastType], null: false do
      argument :manuscript, String, required: true
    end

    field :popular, [BeastType], null: false do
      argument :at_least, String, required: false, default_value: "3"
    end

    field :legends, [BeastType], null: false do
      argument :words, [String], required: true
    end

    def beasts(order:, region:)
      sql = ActiveRecord::Base.sanitize_sql_array(["SELECT * FROM beasts WHERE region = ?", region])
      Beast.find_by_sql("#{sql} ORDER BY #{order}")
    end

    def depicted_in(manuscript:)
      Beast.joins("INNER JOIN depictions d ON d.beast_id = beasts.id AND d.manuscript = '#{manuscript}'").distinct
    end

    def popular(at_least:)
      Beast.joins(:depictions).group("beasts.id").having("COUNT(depictions.id) >= " + at_least)
    end

    def legends(words:)
      words.first(5).reduce(Beast.all) do |scope, word|
        scope.where("legend LIKE :w", w: "%#{word}%")
      end
    end
  end
end

class BestiarySchema < GraphQL::Schema
  query Types::QueryType
  max_depth 6
  max_complexity 200
end
