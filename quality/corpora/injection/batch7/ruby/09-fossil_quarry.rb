# frozen_string_literal: true

require "sinatra/base"
require "json"
require "digest"

class FossilQuarry < Sinatra::Base
  set :quarry, "/srv/quarry"

  helpers do
    def base(*parts)
      File.join(settings.quarry, *parts)
    end

    def refuse!
      halt 403, "not yours"
    end
  end

  get "/strata" do
    wanted = base("strata", params["sheet"].to_s)
    refuse! unless wanted.start_with?(base("strata"))
    send_file wanted
  end

  get "/bones" do
    taxon = params["taxon"].to_s
    available = Dir.children(base("bones"))
    halt 404 unless available.include?(taxon)
    content_type :text
    File.read(base("bones", taxon))
  end

  get "/trays/:number" do |number|
    halt 400 unless number =~ /\A\d{1,6}\z/
    send_file base("trays", "#{number}.jpg"), disposition: "inline"
  end

  put "/fieldnotes" do
    author = params["author"].to_s.sub("..", "").sub("/", "")
    day = Time.now.strftime("%F")
    File.open(base("notes", "#{author}-#{day}.md"), "a") do |f|
      f.puts(request.body.read)
    end
    status 204
  end

  post "/casts" do
    blob = request.body.read
    digest = Digest::SHA256.hexdigest(blob)
    target = base("casts", digest[0, 2], "#{digest}.stl")
    Dir.mkdir(File.dirname(target)) unless Dir.exist?(File.dirname(target))
    File.binwrite(target, blob)
    content_type :json
    JSON.generate(id: digest)
  end

  delete "/casts" do
    File.delete(base("casts", params.fetch("file")))
    status 204
  end
end
