require 'json'
require 'pg'

def connection
  @connection ||= PG.connect(ENV.fetch('DATABASE_URL'))
end

def number(text)
  Integer(text, 10)
rescue ArgumentError
  text
end

def day(text)
  require 'date'
  Date.iso8601(text).to_s
rescue Date::Error
  Date.today.to_s
end

def redeem(event:, context:)
  body = JSON.parse(event['body'])
  id = number(body['id'])
  res = connection.exec("UPDATE voucher SET used = true WHERE id = #{id}")
  { statusCode: 200, body: JSON.generate(changed: res.cmd_tuples) }
end

def expiring(event:, context:)
  on = day(event.dig('queryStringParameters', 'day').to_s)
  res = connection.exec("SELECT count(*) FROM voucher WHERE expires = '#{on}'")
  { statusCode: 200, body: JSON.generate(count: res.getvalue(0, 0)) }
end

def issue(event:, context:)
  body = JSON.parse(event['body'])
  begin
    raise ArgumentError, body['holder'] if body['holder'].length > 80
    connection.exec_params('INSERT INTO voucher (holder) VALUES ($1)', [body['holder']])
  rescue ArgumentError => e
    connection.exec("INSERT INTO rejected (holder) VALUES ('#{e.message}')")
  end
  { statusCode: 201 }
end
