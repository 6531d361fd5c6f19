# frozen_string_literal: true

module Types
  class BookOrder < GraphQL::Schema::Enum
    value "TITLE", value: "title"
    value "YEAR", value: "published_year"
    value "RATING", value: "rating"
  end

  class BookType < GraphQL::Schema::Object
    field :id, ID, null: false
    field :title, String, null: false
    field :author, String
    field :published_year, Integer
  end

  class QueryType < GraphQL::Schema::Object
    field :books_by_author, [BookType], null: false do
      argument :author, String, required: true
    end

    field :books_like, [BookType], null: false do
      argument :text, String, required: true
    end

    field :books_between, [BookType], null: false do
      argument :from, String, required: true
      argument :to, String, required: true
    end

    field :books_ordered, [BookType], null: false do
      argument :by, BookOrder, required: true
      argument :limit, Integer, required: false, default_value: 20
    end

    field :excerpt, String do
      argument :book_id, ID, required: true
      argument :chapter, String, required: true
    end

    def books_by_author(author:)
      Book.find_by_sql("SELECT * FROM books WHERE author = '#{author}' ORDER BY title")
    end

    def books_like(text:)
      pattern = Book.sanitize_sql_like(text)
      Book.where("title LIKE '%#{pattern}%'").limit(50)
    end

    def books_between(from:, to:)
      sql = Book.sanitize_sql_array(["SELECT * FROM books WHERE published_year BETWEEN ? AND ?", from, to])
      Book.find_by_sql(sql)
    end

    def books_ordered(by:, limit:)
      Book.find_by_sql("SELECT * FROM books ORDER BY #{by} DESC LIMIT #{limit}")
    end

    def excerpt(book_id:, chapter:)
      book = Book.find(book_id)
      path = Rails.root.join("texts", book.id.to_s, "#{chapter}.txt")
      return nil unless path.exist?

      File.foreach(path).first(40).join
    end
  end
end
