require "rack"
require "pg"
require "json"

class MetersApp
  ROUTES = {
    "/meter" => :meter,
    "/readings" => :readings,
    "/owner" => :owner,
    "/column" => :column,
    "/month" => :month
  }.freeze

  def initialize(url = ENV["DATABASE_URL"])
    @pg = PG.connect(url)
  end

  def call(env)
    request = Rack::Request.new(env)
    handler = ROUTES[request.path_info]
    return [404, { "content-type" => "text/plain" }, ["not found"]] unless handler

    rows = send(handler, request.params)
    [200, { "content-type" => "application/json" }, [JSON.generate(rows.to_a)]]
  rescue PG::Error, ArgumentError => e
    [422, { "content-type" => "text/plain" }, [e.message]]
  end

  private

  def meter(params)
    id = @pg.escape_string(params["id"])
    @pg.exec("SELECT id, serial FROM meters WHERE id = " + id)
  end

  def readings(params)
    @pg.exec_params(
      "SELECT at, value FROM readings WHERE meter_id = $1 AND at >= $2 ORDER BY at",
      [params["meter"], params["from"]]
    )
  end

  def owner(params)
    name = @pg.escape_literal(params.fetch("name"))
    @pg.exec("SELECT m.id, m.serial FROM meters m JOIN owners o ON o.id = m.owner_id WHERE o.name = #{name}")
  end

  def column(params)
    field = PG::Connection.quote_ident(params.fetch("field"))
    @pg.exec("SELECT id, #{field} FROM public_meters LIMIT 100")
  end

  def month(params)
    month = params["month"].to_s
    raise ArgumentError, "month" unless month.match?(/^\d{4}-\d{2}$/)

    @pg.exec("SELECT meter_id, sum(value) FROM readings WHERE to_char(at, 'YYYY-MM') = '#{month}' GROUP BY 1")
  end
end

if $PROGRAM_NAME == __FILE__
  require "rackup"
  Rackup::Server.start(app: MetersApp.new, Port: 9292)
end
