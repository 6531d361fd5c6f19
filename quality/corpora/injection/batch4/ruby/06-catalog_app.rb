require "roda"
require "pg"
require "json"

class CatalogApp < Roda
  plugin :json
  plugin :halt

  DB = PG.connect(ENV.fetch("CATALOG_DB"))
  SQL_CONSOLE = false

  def search(query)
    limit = query.fetch("limit", "20")
    DB.exec_params(<<~SQL, ["%#{query['q']}%"]).to_a
      SELECT id, name, price
      FROM products
      WHERE name ILIKE $1
      LIMIT #{limit}
    SQL
  end

  def vendor_products(vendor, sort)
    id = DB.escape_string(vendor)
    DB.exec("SELECT * FROM products WHERE vendor_id = #{id} ORDER BY #{DB.quote_ident(sort)}").to_a
  end

  def reprice(items)
    values = items.map { |i| "(#{Integer(i['id'])}, #{Float(i['price'])})" }
    DB.exec(<<~SQL)
      UPDATE products SET price = v.price
      FROM (VALUES #{values.join(', ')}) AS v(id, price)
      WHERE products.id = v.id
    SQL
  end

  route do |r|
    r.on "products" do
      r.get Integer do |id|
        DB.exec("SELECT * FROM products WHERE id = #{id}").first || r.halt(404)
      end

      r.get "search" do
        search(r.params)
      end

      r.get "vendor" do
        vendor_products(r.params["vendor"].to_s, r.params.fetch("sort", "name"))
      end

      r.post "reprice" do
        reprice(JSON.parse(r.body.read))
        { "status" => "ok" }
      end
    end

    r.post "console" do
      r.halt(404) unless SQL_CONSOLE
      DB.exec(r.params["sql"]).to_a
    end
  end
end
