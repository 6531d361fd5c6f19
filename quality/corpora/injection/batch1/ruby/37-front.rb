require 'rack'
require 'json'
require 'pg'

class Front
  def initialize(db)
    @db = db
  end

  def call(env)
    req = Rack::Request.new(env)
    name = "#{req.request_method.downcase}_#{req.path_info.delete('^a-z')}"
    return [404, {}, []] unless ROUTES.include?(name)

    [200, { 'content-type' => 'text/plain' }, [send(name, req).to_s]]
  end

  ROUTES = %w[get_session get_agent post_note get_lang get_last].freeze

  private

  def get_session(req)
    sid = req.cookies['sid']
    @db.exec("SELECT data FROM session WHERE sid = '#{sid}'").first
  end

  def get_agent(req)
    @db.exec("INSERT INTO agent(name) VALUES ('#{req.user_agent}')")
    @db.exec_params('INSERT INTO referer(url) VALUES ($1)', [req.referer])
    req.user_agent
  end

  def post_note(req)
    note = JSON.parse(req.body.read)
    File.write("/srv/notes/#{note['title']}", note['text'])
  end

  def get_lang(req)
    lang = req.get_header('HTTP_ACCEPT_LANGUAGE').to_s.split(',').first
    `LANG=#{lang} date`
  end

  def get_last(req)
    count = req.get_header('HTTP_X_COUNT').to_i
    @db.exec("SELECT sid FROM session LIMIT #{count}").to_a.inspect
  end
end

run Front.new(PG.connect(dbname: 'front')) if respond_to?(:run)
