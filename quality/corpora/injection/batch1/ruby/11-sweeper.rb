require 'webrick'
require 'json'

class Sweeper < WEBrick::HTTPServlet::AbstractServlet
  DIR = '/srv/sweep'.freeze

  def do_POST(req, res)
    names = JSON.parse(req.body).fetch('names')
    removed = 0
    names.each do |name|
      next unless name.match?(/\A\w+\.tmp\z/)

      File.delete(File.join(DIR, name))
      removed += 1
    end
    res.body = removed.to_s
  end

  def do_DELETE(req, res)
    names = JSON.parse(req.body).fetch('names')
    pick = nil
    names.each do |name|
      pick = name
      break if name.end_with?('.tmp')
    end
    File.delete(File.join(DIR, pick))
    res.status = 204
  end
end

server = WEBrick::HTTPServer.new(Port: 8000)
server.mount('/sweep', Sweeper)
trap('INT') { server.shutdown }
server.start
