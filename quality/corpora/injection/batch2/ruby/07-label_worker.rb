require 'bunny'
require 'json'
require 'mysql2'
require 'open3'
require 'fileutils'

conn = Bunny.new(ENV.fetch('AMQP_URL'))
conn.start
channel = conn.create_channel
queue = channel.queue('labels', durable: true)
db = Mysql2::Client.new(host: 'db', username: 'labels', database: 'labels')

queue.subscribe(block: true, manual_ack: true) do |delivery, _props, body|
  job = JSON.parse(body)

  out, status = Open3.capture2e('qrencode', '-o', '/tmp/label.png', '--', job['text'])
  warn out unless status.success?

  Open3.capture2("lp -d #{job['printer']} /tmp/label.png")

  FileUtils.cp('/tmp/label.png', "/srv/labels/#{job['order']}.png")
  FileUtils.cp('/tmp/label.png', File.join('/srv/by-day', "#{Time.now.strftime('%F')}.png"))

  db.query("UPDATE orders SET label = 1 WHERE number = '#{job['order']}'")
  db.query("INSERT INTO printed(text) VALUES ('#{db.escape(job['text'])}')")
  db.prepare('INSERT INTO log(printer) VALUES (?)').execute(job['printer'])

  channel.ack(delivery.delivery_tag)
end
