# frozen_string_literal: true

require "roda"
require "pathname"
require "json"

class Scriptorium < Roda
  plugin :all_verbs
  plugin :halt
  plugin :json

  ROOT = Pathname.new("/srv/scriptorium")
  FOLIOS = ROOT.join("folios").to_s

  def folio_path(rel)
    full = File.expand_path(rel, FOLIOS)
    return nil unless full.start_with?("#{FOLIOS}/")

    full
  end

  def clean(rel)
    rel.gsub("../", "")
  end

  route do |r|
    r.on "folios" do
      r.get do
        path = folio_path(r.params["path"].to_s)
        r.halt(404) if path.nil? || !File.file?(path)

        response["Content-Type"] = "image/png"
        File.binread(path)
      end
    end

    r.on "glosses" do
      r.get String do |id|
        file = ROOT.join("glosses", r.params.fetch("lang", "la"), "#{id}.json")
        r.halt(404) unless file.exist?

        JSON.parse(file.read)
      end

      r.post do
        target = "#{ROOT}/glosses/#{clean(r.params['name'].to_s)}.json"
        File.write(target, JSON.generate("gloss" => r.params["gloss"]))
        response.status = 201
        { saved: File.basename(target) }
      end
    end

    r.post "scans" do
      upload = r.params["scan"]
      r.halt(400) unless upload.is_a?(Hash) && upload[:tempfile]

      name = "scan-#{File.basename(upload[:filename].to_s)}"
      File.open(ROOT.join("scans", name), "wb") do |out|
        IO.copy_stream(upload[:tempfile], out)
      end
      response.status = 201
      { name: name }
    end
  end
end
