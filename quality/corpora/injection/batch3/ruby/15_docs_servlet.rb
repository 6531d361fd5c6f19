require 'webrick'
require 'pathname'

DOCS = '/srv/docs'.freeze

class DocsServlet < WEBrick::HTTPServlet::AbstractServlet
  def do_GET(request, response)
    full = File.expand_path(File.join(DOCS, request.query['f'].to_s))
    raise WEBrick::HTTPStatus::Forbidden unless full.start_with?("#{DOCS}/")

    response.body = IO.binread(full)
    response['Content-Type'] = 'application/octet-stream'
  end

  def do_PUT(request, response)
    path = "#{DOCS}/#{request.query['f']}"
    raise WEBrick::HTTPStatus::Forbidden unless path.start_with?("#{DOCS}/")

    File.write(path, request.body)
    response.status = 204
  end

  def do_DELETE(request, response)
    path = Pathname.new(DOCS).join(request.query['f'].to_s).cleanpath
    raise WEBrick::HTTPStatus::Forbidden unless path.to_s.start_with?(DOCS)

    path.delete
    response.status = 204
  end
end

server = WEBrick::HTTPServer.new(Port: 8181)
server.mount('/docs', DocsServlet)
trap('INT') { server.shutdown }
server.start
