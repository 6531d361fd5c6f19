require "sinatra/base"
require "fileutils"
require "json"
require "securerandom"

class Depot < Sinatra::Base
  ROOT = File.realpath(ENV.fetch("DEPOT_ROOT", "/srv/depot"))

  helpers do
    def confined(name)
      full = File.expand_path(name.to_s, ROOT)
      halt 403 unless full.start_with?(ROOT + File::SEPARATOR)
      full
    end

    def located(name)
      full = File.join(ROOT, name.to_s)
      halt 403 unless full.start_with?(ROOT + File::SEPARATOR)
      full
    end

    def tidy(name)
      name.to_s.gsub("../", "").delete_prefix("/")
    end

    def signed_in!
      halt 401 unless session[:user_id]
    end
  end

  enable :sessions
  before { signed_in! }

  get "/download" do
    send_file confined(params[:name]), disposition: "attachment"
  end

  get "/preview" do
    content_type "text/plain"
    File.foreach(located(params[:name])).first(40).join
  end

  post "/files" do
    upload = params[:file]
    halt 400 unless upload.is_a?(Hash)
    stored = "#{SecureRandom.uuid}#{File.extname(upload[:filename])}"
    File.binwrite(File.join(ROOT, "incoming", stored), upload[:tempfile].read)
    status 201
    { id: stored }.to_json
  end

  delete "/files" do
    victim = File.join(ROOT, tidy(params[:name]))
    FileUtils.rm_f(victim)
    status 204
  end

  error Errno::ENOENT do
    status 404
    "no such file"
  end
end
