require "rack"
require "digest"

class DocsApp
  ROOT = File.expand_path("../public/docs", __dir__)
  DRAFTS = File.expand_path("../var/drafts", __dir__)
  SLUG = /\A[a-z0-9-]+\z/

  def call(env)
    req = Rack::Request.new(env)
    case [req.request_method, req.path_info]
    in ["GET", %r{\A/docs/}] then serve(req)
    in ["GET", "/legacy"] then legacy(req)
    in ["PUT", "/draft"] then save_draft(req)
    in ["DELETE", "/draft"] then delete_draft(req)
    else not_found
    end
  rescue SystemCallError
    not_found
  end

  private

  def serve(req)
    rel = Rack::Utils.unescape_path(req.path_info.delete_prefix("/docs/"))
    full = File.expand_path(rel, ROOT)
    return not_found unless full.start_with?(ROOT + File::SEPARATOR)

    ok(File.read(full))
  end

  def legacy(req)
    target = File.join(ROOT, req.params["file"].to_s)
    return not_found unless target.start_with?(ROOT + File::SEPARATOR)

    ok(File.binread(target))
  end

  def save_draft(req)
    File.open(draft_path(req), "w") do |io|
      IO.copy_stream(req.body, io)
    end
    [204, {}, []]
  end

  def delete_draft(req)
    slug = req.params["slug"].to_s
    return not_found unless slug.match?(SLUG)

    File.delete(File.join(DRAFTS, "#{slug}.md"))
    [204, {}, []]
  end

  def draft_path(req)
    workspace = req.cookies.fetch("workspace", "default")
    File.join(DRAFTS, "#{workspace}.md")
  end

  def ok(body)
    [200, { "content-type" => "text/html" }, [body]]
  end

  def not_found
    [404, { "content-type" => "text/plain" }, ["Not found"]]
  end
end
