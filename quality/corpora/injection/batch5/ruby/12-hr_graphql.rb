require "graphql"
require "pathname"
require "sequel"

DB = Sequel.connect(ENV.fetch("HR_DATABASE_URL"))

module Types
  class Person < GraphQL::Schema::Object
    field :id, Integer, null: false
    field :last_name, String, null: false
  end

  class Absence < GraphQL::Schema::Object
    field :id, Integer, null: false
    field :starts_on, String, null: false
  end

  class PersonSort < GraphQL::Schema::Enum
    value "NAME", value: "last_name"
    value "HIRED", value: "hired_on DESC"
  end

  class Period < GraphQL::Schema::InputObject
    argument :from, String
    argument :to, String
  end
end

class Listing < GraphQL::Schema::Resolver
  argument :limit, Integer, required: false, default_value: 50

  def resolve(limit:, **args)
    DB.fetch("SELECT * FROM #{table} WHERE #{condition(**args)} LIMIT #{limit}").all
  end
end

class Absences < Listing
  type [Types::Absence], null: false
  argument :period, Types::Period

  def table = "absences"

  def condition(period:)
    period.to_h => { from:, to: }
    "starts_on >= '#{from}' AND ends_on <= '#{to}'"
  end
end

class People < GraphQL::Schema::Resolver
  type [Types::Person], null: false
  argument :sort, Types::PersonSort
  argument :ids, [Integer]

  def resolve(sort:, ids:)
    DB.fetch("SELECT * FROM people WHERE id IN (#{[0, *ids].join(', ')}) ORDER BY #{sort}").all
  end
end

class RenderLetter < GraphQL::Schema::Mutation
  TEMPLATES = Pathname("/srv/hr/letters")

  argument :template, String, validates: { length: { maximum: 60 } }
  argument :locale, String, validates: { inclusion: { in: %w[de en fr] } }
  field :body, String, null: false

  def resolve(template:, locale:)
    letter = TEMPLATES.join(template).read
    footer = TEMPLATES.join("footers", "#{locale}.txt").read
    { body: [letter, footer].join("\n") }
  end
end

class QueryType < GraphQL::Schema::Object
  field :absences, resolver: Absences
  field :people, resolver: People
end

class MutationType < GraphQL::Schema::Object
  field :render_letter, mutation: RenderLetter
end
