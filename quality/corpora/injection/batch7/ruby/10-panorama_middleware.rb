# frozen_string_literal: true

require "rack"
require "fileutils"
require "pathname"

class PanoramaMiddleware
  LAYERS = {
    "sky" => "sky-8k.exr",
    "ground" => "ground-4k.exr",
    "haze" => "haze.exr"
  }.freeze

  def initialize(app, root: "/srv/panoramas")
    @app = app
    @root = Pathname.new(root).realpath
  end

  def call(env)
    request = Rack::Request.new(env)
    case request.path_info
    when %r{\A/pano/} then pano(request)
    when "/layer" then layer(request)
    when "/thumb" then thumb(request)
    when "/publish" then publish(request)
    else @app.call(env)
    end
  end

  private

  def pano(request)
    rel = Rack::Utils.unescape_path(request.path_info.delete_prefix("/pano/"))
    reply(File.binread("#{@root}/full/#{rel}"))
  rescue Errno::ENOENT, Errno::EISDIR
    missing
  end

  def layer(request)
    name = LAYERS[request.params["name"]]
    return missing unless name

    reply(File.binread(@root.join("layers", name)))
  end

  def thumb(request)
    real = @root.join("thumbs", request.params["of"].to_s).realpath
    return missing unless real.ascend.any? { |dir| dir == @root.join("thumbs") }

    reply(real.binread)
  rescue Errno::ENOENT
    missing
  end

  def publish(request)
    draft = request.get_header("HTTP_X_DRAFT").to_s
    valid = draft.match?(/\A[\w.-]+\z/)
    request.logger&.warn("odd draft name #{draft}") unless valid
    FileUtils.cp(@root.join("drafts", draft), @root.join("full", "current.exr"))
    [202, {}, []]
  end

  def reply(bytes)
    [200, { "content-type" => "image/x-exr", "content-length" => bytes.bytesize.to_s }, [bytes]]
  end

  def missing
    [404, { "content-type" => "text/plain" }, ["no such panorama\n"]]
  end
end
