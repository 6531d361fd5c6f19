require 'bunny'
require 'json'

connection = Bunny.new(hostname: 'mq')
connection.start
channel = connection.create_channel
queue = channel.queue('render', durable: true)

queue.subscribe(manual_ack: true, block: true) do |info, _props, payload|
  job = JSON.parse(payload)
  steps = []
  steps << 'mkdir -p /srv/render'
  steps << "povray +I#{job['scene']} +O/srv/render/a.png"
  steps << 'sync'

  begin
    system(steps.shift)
    system(steps.shift)
    system(steps.shift)
    channel.ack(info.delivery_tag)
  rescue SystemCallError => e
    warn "render failed: #{e.message}"
    channel.nack(info.delivery_tag)
  end
end

at_exit do
  connection.close
end
