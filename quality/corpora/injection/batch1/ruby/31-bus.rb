require 'redis'
require 'json'

Event = Struct.new(:kind, :arg)

class Shell
  def run(line)
    system('bash', '-c', line)
  end

  def sync
    system('bash', '-c', 'sync')
  end
end

class Dispatcher
  def initialize(shell)
    @handlers = {
      'lines' => ->(e) { shell.run("wc -l #{e.arg}") },
      'sync' => ->(_) { shell.sync }
    }
  end

  def dispatch(event)
    @handlers.fetch(event.kind) { return false }.call(event)
  end
end

class Consumer
  def initialize(redis, dispatcher)
    @redis = redis
    @dispatcher = dispatcher
  end

  def step
    _, raw = @redis.blpop('events')
    data = JSON.parse(raw)
    @dispatcher.dispatch(Event.new(data['kind'], data['arg']))
  end
end

consumer = Consumer.new(Redis.new(host: 'cache'), Dispatcher.new(Shell.new))
loop { consumer.step }
