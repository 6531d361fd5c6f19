require 'rack'
require 'pathname'

class Assets
  ROOT = File.realpath('/srv/assets')

  def call(env)
    req = Rack::Request.new(env)
    name = req.params['f'].to_s
    case req.request_method
    when 'GET' then get(name)
    when 'PUT' then put(name, req.body)
    when 'DELETE' then delete(name)
    else [405, {}, []]
    end
  end

  private

  def get(name)
    full = File.expand_path(name, ROOT)
    return [403, {}, []] unless full.start_with?(ROOT + File::SEPARATOR)

    [200, {}, [File.binread(full)]]
  end

  def put(name, body)
    full = File.join(ROOT, name)
    return [403, {}, []] unless full.start_with?("#{ROOT}/")

    File.binwrite(full, body.read)
    [204, {}, []]
  end

  def delete(name)
    full = File.expand_path(name, ROOT)
    return [403, {}, []] unless full.start_with?(ROOT)

    File.delete(full)
    [204, {}, []]
  end
end
