# frozen_string_literal: true

require "webrick"
require "shellwords"
require "tmpdir"

class KnittingServlet < WEBrick::HTTPServlet::AbstractServlet
  GAUGES = { "fine" => 28, "dk" => 22, "aran" => 18 }.freeze

  def do_GET(request, response)
    response["Content-Type"] = "text/plain"
    response.body =
      case request.path
      when "/chart" then chart(request.query)
      when "/estimate" then estimate(request.query)
      when "/swatch" then swatch(request.query)
      when "/stash" then stash(request.query)
      else raise WEBrick::HTTPStatus::NotFound
      end
  end

  private

  def chart(query)
    name = query["name"].to_s.tr("'", "")
    %x(knitchart --title "#{name}" --ascii)
  end

  def estimate(query)
    gauge = GAUGES.fetch(query["gauge"], 22)
    rows = query["rows"].to_i
    stitches = query["stitches"].to_i
    %x(echo "#{rows} * #{stitches} / #{gauge}" | bc -l)
  end

  def swatch(query)
    Dir.mktmpdir do |dir|
      out = File.join(dir, "swatch.txt")
      pid = spawn("swatch", "--colour", query["colour"].to_s, "--lace=#{query['lace']}", out: out)
      Process.wait(pid)
      File.read(out)
    end
  end

  def stash(query)
    filters = []
    filters << "--weight #{Shellwords.escape(query['weight'].to_s)}" if query["weight"]
    filters << "--fibre #{query['fibre']}" if query["fibre"]
    reader, writer = IO.pipe
    pid = spawn("stash list #{filters.join(' ')} | sort", out: writer)
    writer.close
    Process.wait(pid)
    reader.read
  end
end

if $PROGRAM_NAME == __FILE__
  server = WEBrick::HTTPServer.new(Port: 8008)
  server.mount("/", KnittingServlet)
  trap("INT") { server.shutdown }
  server.start
end
