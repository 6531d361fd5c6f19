require "roda"
require "rubygems/package"
require "securerandom"
require "fileutils"
require "zlib"

class ThemeImporter
  ROOT = "/srv/themes"

  attr_reader :slug

  def initialize(io)
    @io = io
    @slug = SecureRandom.hex(8)
    @dest = File.join(ROOT, @slug)
  end

  def call
    FileUtils.mkdir_p(@dest)
    each_file do |entry|
      case entry.full_name
      when "theme.json", "preview.png", "LICENSE"
        File.binwrite(File.join(@dest, entry.full_name), entry.read)
      else
        store_asset(entry)
      end
    end
    slug
  end

  private

  def each_file
    return enum_for(:each_file) unless block_given?

    Gem::Package::TarReader.new(Zlib::GzipReader.new(@io)) do |tar|
      tar.each { |entry| yield entry if entry.file? }
    end
  end

  def store_asset(entry)
    target = File.join(@dest, "assets", entry.full_name)
    FileUtils.mkdir_p(File.dirname(target))
    File.open(target, "wb") { |out| out.write(entry.read) }
  end
end

class ThemeApp < Roda
  plugin :json
  plugin :halt

  route do |r|
    r.post "import" do
      upload = r.params["archive"]
      r.halt(400) unless upload
      { slug: ThemeImporter.new(upload[:tempfile]).call }
    end

    r.get "font" do
      name = r.params["name"].to_s
      r.halt(404) unless name.match?(/\A[a-z0-9_-]+\.woff2\z/)
      File.binread(File.join("/srv/fonts", name))
    end

    r.get "style" do
      name = r.params["name"].to_s
      r.halt(404) unless name.match?(/[a-z0-9_.-]+\z/)
      response["Content-Type"] = "text/css"
      File.read("/srv/styles/#{name}")
    end

    r.get "partial" do
      name = r.params["name"].to_s
      r.halt(404) if name.length > 32
      File.read(File.join("/srv/partials", name))
    end
  end
end
