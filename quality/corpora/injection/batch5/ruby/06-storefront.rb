require "base64"
require "json"
require "pg"
require "rack"

class PreferenceLoader
  DEFAULTS = { "currency" => "EUR", "theme" => "light", "recent" => [] }.freeze

  def initialize(app)
    @app = app
  end

  def call(env)
    raw = Rack::Request.new(env).cookies["prefs"]
    env["shop.prefs"] = DEFAULTS.merge(decode(raw))
    @app.call(env)
  end

  private

  def decode(raw)
    JSON.parse(Base64.urlsafe_decode64(raw.to_s))
  rescue JSON::ParserError, ArgumentError
    {}
  end
end

class Storefront
  THEMES = { "light" => "light.css", "dark" => "dark.css", "contrast" => "hc.css" }.freeze
  CSS_DIR = File.expand_path("css", __dir__)

  def initialize(conn)
    @conn = conn
  end

  def call(env)
    req = Rack::Request.new(env)
    prefs = env["shop.prefs"]
    case req.path_info
    when "/products" then json(products(prefs))
    when "/search" then json(search(req.params["q"].to_s))
    when "/reviews" then json(reviews(req.params))
    when "/theme.css" then [200, { "content-type" => "text/css" }, [stylesheet(prefs)]]
    else [404, {}, []]
    end
  end

  private

  def products(prefs)
    sql = +"SELECT id, name, price FROM products"
    sql << " WHERE currency = '" << prefs["currency"] << "'"
    sql << " ORDER BY name LIMIT 60"
    @conn.exec(sql)
  end

  def search(term)
    like = @conn.escape_string(term)
    @conn.exec("SELECT id, name FROM products WHERE name ILIKE '%#{like}%' LIMIT 30")
  end

  def reviews(args)
    product = Integer(args["product"])
    order = @conn.escape_string(args.fetch("order", "posted_at"))
    @conn.exec_params("SELECT stars, body FROM reviews WHERE product_id = $1 ORDER BY #{order}", [product])
  end

  def stylesheet(prefs)
    File.read(File.join(CSS_DIR, THEMES.fetch(prefs["theme"], "light.css")))
  end

  def json(result)
    [200, { "content-type" => "application/json" }, [JSON.generate(result.to_a)]]
  end
end
