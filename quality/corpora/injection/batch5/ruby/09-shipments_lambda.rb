require "base64"
require "json"
require "mysql2"

DB = Mysql2::Client.new(
  host: ENV.fetch("DB_HOST"),
  username: ENV.fetch("DB_USER"),
  password: ENV.fetch("DB_PASSWORD"),
  database: "logistics"
)

def handler(event:, context:)
  rows =
    case [event["httpMethod"], event["resource"]]
    in ["GET", "/shipments"] then list(event["queryStringParameters"] || {})
    in ["GET", "/shipments/{id}"] then show(event.dig("pathParameters", "id"))
    in ["POST", "/shipments/lookup"] then lookup(payload(event))
    in ["POST", "/shipments/history"] then history(payload(event))
    end
  reply(200, rows.to_a)
rescue NoMatchingPatternError, JSON::ParserError => e
  reply(400, error: e.class.name)
end

def list(query)
  carrier = DB.escape(query.fetch("carrier", "dhl"))
  limit = query.fetch("limit", "50").to_i.clamp(1, 200)
  DB.query("SELECT id, code FROM shipments WHERE carrier = '#{carrier}' LIMIT #{limit}")
end

def show(id)
  key = DB.escape(id)
  DB.query("SELECT id, code, carrier, weight FROM shipments WHERE id = #{key}")
end

def lookup(body)
  codes = body.fetch(:codes).first(100)
  return [] if codes.empty?

  marks = (["?"] * codes.size).join(",")
  DB.prepare("SELECT id, code FROM shipments WHERE code IN (#{marks})").execute(*codes)
end

def history(body)
  case body
  in { range: { from: String => from, to: String => to } }
    DB.query(format("SELECT * FROM events WHERE at BETWEEN '%s' AND '%s'", from, to))
  in { days: Integer => days }
    DB.query(format("SELECT * FROM events WHERE at > NOW() - INTERVAL %d DAY", days))
  end
end

def payload(event)
  raw = event["body"]
  raw = Base64.decode64(raw) if event["isBase64Encoded"]
  JSON.parse(raw, symbolize_names: true)
end

def reply(status, body)
  {
    statusCode: status,
    headers: { "Content-Type" => "application/json" },
    body: JSON.generate(body)
  }
end
