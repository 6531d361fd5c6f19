require "sinatra/base"
require "net/ldap"
require "sqlite3"
require "json"

class Phonebook < Sinatra::Base
  BASE_DN = "ou=people,dc=example,dc=org"

  set :ldap, Net::LDAP.new(host: ENV.fetch("LDAP_HOST", "localhost"), port: 389)
  set :calls, SQLite3::Database.new("/var/lib/phonebook/calls.db")

  helpers do
    def people(filter)
      found = settings.ldap.search(base: BASE_DN, filter: filter, attributes: %w[cn telephoneNumber]) || []
      found.map { |entry| { cn: entry.cn.first, phone: entry[:telephonenumber].first } }
    end
  end

  before { content_type :json }

  get "/people" do
    filter = Net::LDAP::Filter.construct("(&(objectClass=person)(cn=#{params['name']}*))")
    people(filter).to_json
  end

  get "/people/exact" do
    filter = Net::LDAP::Filter.equals("cn", params["name"]) & Net::LDAP::Filter.equals("objectClass", "person")
    people(filter).to_json
  end

  post "/calls" do
    call = JSON.parse(request.body.read)
    settings.calls.execute(
      "INSERT INTO calls (caller, callee, started) VALUES (?, ?, datetime('now'))",
      [call["caller"], call["callee"]]
    )
    status 201
  end

  get "/calls" do
    caller = params["caller"].to_s.delete("'")
    callee = params["callee"].to_s
    sql = "SELECT started, caller, callee FROM calls"
    conditions = []
    conditions << "caller = '#{caller}'" unless caller.empty?
    conditions << "callee = '#{callee}'" unless callee.empty?
    sql += " WHERE #{conditions.join(' AND ')}" if conditions.any?
    settings.calls.execute(sql).to_json
  end

  get "/calls/recent" do
    minutes = Float(params["minutes"], exception: false)
    halt 422, { error: "minutes" }.to_json unless minutes
    rows = settings.calls.execute("SELECT started, caller FROM calls WHERE started > datetime('now', '-#{minutes.to_i} minutes')")
    rows.to_json
  end

  get "/calls/export" do
    columns = Array(params["columns"])
    columns = %w[started caller] if columns.empty?
    settings.calls.execute("SELECT #{columns.join(',')} FROM calls").to_json
  end
end
