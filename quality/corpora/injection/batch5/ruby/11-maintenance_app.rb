require "bundler/inline"

gemfile do
  source "https://rubygems.org"
  ruby "~> 3.2"
  gem "sinatra"
  gem "csv"
end

require "sinatra/base"
require "csv"
require "json"

class Maintenance < Sinatra::Base
  INBOX = "/srv/inbox"
  RAKE = %w[sessions tokens previews].freeze

  TASKS = {
    "reindex" => ->(opts) { %x(bin/reindex --scope #{opts["scope"]} 2>&1) },
    "schema" => ->(opts) { system("pg_dump", "-s", "--table=#{opts['table']}", "--file=/srv/dumps/schema.sql", "shop") },
    "ping" => ->(_opts) { "pong" }
  }.freeze

  helpers do
    def body_json
      @body_json ||= JSON.parse(request.body.read)
    end

    def import_rows(io)
      CSV.new(io, headers: true).map(&:to_h)
    end

    def audit(what)
      origin = request.env["HTTP_X_FORWARDED_FOR"] || request.ip
      pid = spawn("logger -t maintenance '#{what} from #{origin}'")
      Process.detach(pid)
    end
  end

  post "/tasks/:name" do
    task = TASKS.fetch(params[:name]) { halt 404 }
    audit("task")
    task.call(body_json).to_s
  end

  post "/purge" do
    subject = params[:what]
    halt 422 unless RAKE.include?(subject)
    ok = system("bin/rake purge:#{subject} RAILS_ENV=production")
    ok ? 204 : 500
  end

  post "/import" do
    name = File.basename(params[:name].to_s)
    rows = Dir.chdir(INBOX) do
      open(name) { |io| import_rows(io) }
    end
    audit("import")
    { rows: rows.size }.to_json
  end
end

Maintenance.run! if $PROGRAM_NAME == __FILE__
