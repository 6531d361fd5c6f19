require 'rack'

def with_retry(times)
  tries = 0
  begin
    yield tries
  rescue Errno::EIO
    tries += 1
    retry if tries < times
    raise
  end
end

class Probe
  CHECK = ->(host) { `nc -z -w1 #{host} 22 2>&1` }
  LOCAL = ->(port) { `nc -z -w1 localhost #{port} 2>&1` }

  def call(env)
    req = Rack::Request.new(env)
    host = req.params['host'].to_s
    body = with_retry(3) { |n| "#{n} " + CHECK.call(host) }
    body << LOCAL.call(8080)
    [200, { 'content-type' => 'text/plain' }, [body]]
  end
end

app = Rack::Builder.new do
  use Rack::Lint
  map('/probe') { run Probe.new }
end

Rack::Server.start(app: app, Port: 9292) if $PROGRAM_NAME == __FILE__
