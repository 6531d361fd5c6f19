require 'bunny'
require 'json'

SIZES = { 's' => '120x120', 'm' => '400x400' }.freeze

def resize(job)
  geometry = SIZES.fetch(job['size'], SIZES['s'])
  system("mogrify -resize #{geometry} /data/picture.jpg") || raise('mogrify')
end

def annotate(job)
  system("mogrify -annotate +10+10 '#{job['caption']}' /data/picture.jpg") || raise('mogrify')
end

def fetch(job)
  pid = Process.spawn("curl -sf #{job['url']} -o /data/picture.jpg")
  Process.wait(pid)
end

def log(job)
  File.open("/var/log/thumbs/#{job['customer']}.log", 'a') { |f| f.puts(Time.now.utc) }
end

STEPS = { 'resize' => :resize, 'annotate' => :annotate, 'fetch' => :fetch, 'log' => :log }.freeze

connection = Bunny.new(ENV['AMQP_URL'])
connection.start
channel = connection.create_channel
queue = channel.queue('thumbs', durable: true)

queue.subscribe(manual_ack: true, block: true) do |info, _props, body|
  job = JSON.parse(body)
  Array(job['steps']).each do |step|
    name = STEPS[step] or next
    send(name, job)
  end
  channel.ack(info.delivery_tag)
end
