require 'json'
require 'tiny_tds'

CLIENT = TinyTds::Client.new(host: ENV['DB_HOST'], username: 'meter', password: ENV['DB_PASS'])

def reply(data, status = 200)
  { statusCode: status, body: JSON.generate(data) }
end

def readings(meter)
  CLIENT.execute("SELECT at, kwh FROM reading WHERE meter = #{meter}").to_a
end

def tariff(zone)
  CLIENT.execute("SELECT price FROM tariff WHERE zone = #{zone}").to_a
end

def peaks(limit)
  CLIENT.execute('SELECT TOP ' + limit.to_s + ' at FROM peak ORDER BY kwh DESC').to_a
end

def handler(event:, context:)
  q = event['queryStringParameters'] || {}
  meter = Integer(q['meter'])
  zone = q['zone'].to_i.positive? ? q['zone'] : '1'
  limit = [q['limit'].to_i, 1].max.clamp(1, 100)
  reply(readings: readings(meter), tariff: tariff(zone), peaks: peaks(limit))
rescue ArgumentError, TypeError
  reply({ error: 'meter' }, 400)
end
