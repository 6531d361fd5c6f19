module Types
  class InvoiceSort < GraphQL::Schema::Enum
    value "DUE", value: "due_on ASC"
    value "NEWEST", value: "created_at DESC"
  end

  class LedgerFilter < GraphQL::Schema::InputObject
    argument :column, String
    argument :op, String
    argument :value, String
  end

  class QueryType < GraphQL::Schema::Object
    OPERATORS = { "eq" => "=", "gt" => ">", "lt" => "<" }.freeze
    STATEMENTS = Rails.root.join("storage/statements")
    RECEIPTS = Rails.root.join("storage/receipts")

    field :invoices, [InvoiceType] do
      argument :sort, InvoiceSort, required: false, default_value: "due_on ASC"
      argument :limit, Integer, required: false, default_value: 50
    end

    field :invoice, InvoiceType, null: true do
      argument :id, ID
    end

    field :ledger, [EntryType] do
      argument :filters, [LedgerFilter]
    end

    field :statement, String do
      argument :month, String
    end

    field :receipt, String do
      argument :token, String
    end

    def invoices(sort:, limit:)
      Invoice.find_by_sql("SELECT * FROM invoices ORDER BY #{sort} LIMIT #{limit}")
    end

    def invoice(id:)
      Invoice.find_by_sql("SELECT * FROM invoices WHERE id = #{id} LIMIT 1").first
    end

    def ledger(filters:)
      conditions = filters.map { |f| "#{f.column} #{OPERATORS.fetch(f.op)} ?" }
      Entry.where(conditions.join(" AND "), *filters.map(&:value))
    end

    def statement(month:)
      raise GraphQL::ExecutionError, "Invalid month" unless month.match?(/\A\d{4}-\d{2}\z/)

      Base64.strict_encode64(File.binread(STATEMENTS.join("#{month}.pdf")))
    end

    def receipt(token:)
      account, name = Base64.urlsafe_decode64(token).split(":", 2)
      Base64.strict_encode64(File.binread(RECEIPTS.join(account.to_i.to_s, name)))
    end
  end
end
