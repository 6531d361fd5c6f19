require 'webrick'
require 'logger'

LOG = Logger.new($stdout)
TENANTS = %w[north south east].freeze

class TenantTools < WEBrick::HTTPServlet::AbstractServlet
  def do_GET(req, res)
    tenant = req.query['tenant'].to_s
    known = TENANTS.include?(tenant)
    LOG.warn("tenant #{tenant}") unless known
    res.body = `du -sh /srv/tenants/#{tenant}`
  end

  def do_POST(req, res)
    tenant = req.query['tenant'].to_s
    unless TENANTS.include?(tenant)
      res.status = 404
      return
    end
    res.body = `/srv/bin/provision #{tenant}`
  end

  def do_DELETE(req, res)
    tenant = req.query['tenant'].to_s
    begin
      raise ArgumentError, tenant unless TENANTS.include?(tenant)
    rescue ArgumentError => e
      LOG.error("unknown #{e.message}")
    end
    File.unlink("/srv/tenants/#{tenant}/active")
    res.status = 204
  end
end

server = WEBrick::HTTPServer.new(Port: 8080)
server.mount('/tenant', TenantTools)
trap('INT') { server.shutdown }
server.start
