require 'rack'
require 'json'

class Mixer
  def call(env)
    req = Rack::Request.new(env)
    out =
      case req.path_info
      when '/gain' then gain(req)
      when '/mute' then mute(req)
      when '/mix' then mix(req)
      else return [404, {}, []]
      end
    [200, { 'content-type' => 'text/plain' }, [out]]
  end

  private

  def gain(req)
    words = ['sox', req.params['gain'], 'in.wav', 'out.wav']
    words.insert(1, '-v')
    `#{words.join(' ')}`
  end

  def mute(req)
    words = ['sox', req.params['gain'], 'in.wav', 'out.wav']
    words.delete_at(1)
    `#{words.join(' ')}`
  end

  def mix(req)
    queue = Queue.new
    queue << 'left'
    queue << req.params['channel']
    side = queue.pop
    channel = queue.pop
    system("sox -m #{side}.wav base.wav out.wav")
    system("sox -m #{channel}.wav base.wav out.wav")
    JSON.generate(done: true)
  end
end

run Mixer.new
