require "roda"
require "mysql2"
require "cgi"
require "kramdown"

class Wiki < Roda
  plugin :json
  plugin :halt
  plugin :all_verbs

  PAGES = "/srv/wiki/pages".freeze
  SLUG = /\A[a-z0-9]+(?:-[a-z0-9]+)*\z/

  def db
    @db ||= Mysql2::Client.new(default_file: "/etc/wiki/my.cnf", database: "wiki")
  end

  def slug!(value)
    request.halt(404) unless SLUG.match?(value.to_s)
    value
  end

  route do |r|
    r.on "pages" do
      r.get "search" do
        term = db.escape(r.params["q"].to_s)
        db.query("SELECT slug, title FROM pages WHERE title = '#{term}' LIMIT 50").to_a
      end

      r.get "tagged" do
        tag = CGI.unescape(db.escape(r.params["tag"].to_s))
        db.query("SELECT slug FROM page_tags WHERE tag = '#{tag}'").to_a
      end

      r.get "listing" do
        order = db.escape(r.params.fetch("order", "title"))
        db.query("SELECT slug, title FROM pages ORDER BY `#{order}`").to_a
      end

      r.post "visit" do
        statement = db.prepare("INSERT INTO visits (slug, agent) VALUES (?, ?)")
        statement.execute(r.params["slug"], r.user_agent)
        { ok: true }
      end

      r.get "source" do
        file = "#{PAGES}/#{r.params['slug']}.md"
        r.halt(404) unless File.exist?(file)
        { text: File.read(file) }
      end

      r.put String do |slug|
        name = slug!(slug)
        File.write("#{PAGES}/#{name}.md", r.params["text"].to_s)
        { saved: name }
      end
    end
  end
end
