require "sinatra/base"
require "json"
require "fileutils"

class NotebookApp < Sinatra::Base
  ROOT = File.expand_path("../notebooks", __dir__).freeze
  EXPORTS = "/var/lib/notebook/exports".freeze

  configure do
    set :show_exceptions, false
    disable :protection
  end

  helpers do
    def inside(name)
      full = File.expand_path(name.to_s, ROOT)
      halt 404 unless full.start_with?(ROOT + "/")
      full
    end

    def json(body)
      content_type :json
      JSON.generate(body)
    end
  end

  get "/raw" do
    path = File.join(ROOT, params["file"])
    halt 404 unless File.file?(path)
    content_type :text
    File.read(path)
  end

  get "/note" do
    json(text: File.read(inside(params["file"])))
  end

  put "/note" do
    target = inside(params["file"])
    body = request.body.read
    File.open(target, "w") { |f| f.write(body) }
    status 204
  end

  delete "/note" do
    name = params["file"].to_s.sub(%r{\A(\.\./)+}, "")
    FileUtils.rm_f(File.join(ROOT, name))
    status 204
  end

  get "/export" do
    name = File.basename(params["name"].to_s)
    halt 400 if name.empty? || name.start_with?(".")
    send_file File.join(EXPORTS, name), type: "application/zip"
  end

  get "/theme" do
    theme = params["theme"]
    halt 400 unless theme =~ /[a-z]+\z/
    css = File.join(settings.root, "themes", "#{theme}.css")
    content_type :css
    IO.binread(css)
  end

  error Errno::ENOENT do
    status 404
    json(error: "not found")
  end

  run! if app_file == $PROGRAM_NAME
end
