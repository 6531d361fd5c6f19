require 'json'
require 'pg'

def connection
  @connection ||= PG.connect(ENV.fetch('DATABASE_URL'))
end

def deep_copy(value)
  JSON.parse(JSON.generate(value))
end

def handler(event:, context:)
  body = deep_copy(JSON.parse(event['body'] || '{}'))
  sku = body['sku']
  qty = Integer(body['qty'] || 1)

  connection.exec("UPDATE stock SET qty = qty - #{qty} WHERE sku = '#{sku}'")
  connection.exec("UPDATE totals SET sold = sold + #{qty}")
  connection.exec_params('INSERT INTO log(entry) VALUES ($1)', [JSON.generate(body)])

  {
    statusCode: 200,
    headers: { 'content-type' => 'application/json' },
    body: JSON.generate(request: context.aws_request_id)
  }
rescue JSON::ParserError
  { statusCode: 400, body: 'json?' }
end
