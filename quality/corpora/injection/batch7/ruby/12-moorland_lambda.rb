# frozen_string_literal: true

require "json"
require "mysql2"
require "pathname"
require "zip"
require "stringio"
require "base64"

module Moorland
  WORK = Pathname.new("/tmp/moorland")

  class Survey
    def initialize(db)
      @db = db
    end

    def call(record)
      body = JSON.parse(record.fetch("body"))
      unpack(Base64.decode64(body["archive"])) if body["archive"]
      note(body) if body["note"]
      pack(body["plot"]) if body["plot"]
      lookup(body["observer"], body["visit"])
    end

    private

    def unpack(bytes)
      Zip::File.open_buffer(StringIO.new(bytes)) do |zip|
        zip.each do |entry|
          next unless entry.name.end_with?(".csv")

          File.binwrite(WORK.join("plots", entry.name), entry.get_input_stream.read)
        end
      end
    end

    def note(body)
      rel = Pathname.new("/#{body['note_file']}").cleanpath.relative_path_from(Pathname.new("/"))
      target = WORK.join("notes", rel)
      target.dirname.mkpath
      target.write(body["note"])
    end

    def pack(plot)
      system("cd /tmp/moorland && tar czf plot.tgz plots/#{plot}.csv && ls -l plot.tgz")
    end

    def lookup(observer, visit)
      name = @db.escape(observer.to_s)
      people = @db.query("SELECT id FROM observers WHERE name = '#{name}'")
      number = @db.escape(visit.to_s)
      visits = @db.query("SELECT id FROM visits WHERE number = #{number}")
      { observers: people.to_a, visits: visits.to_a }
    end
  end
end

def handler(event:, context:)
  db = Mysql2::Client.new(host: ENV.fetch("DB_HOST"), database: "moorland")
  survey = Moorland::Survey.new(db)
  results = event.fetch("Records").map { |record| survey.call(record) }
  { statusCode: 200, body: JSON.generate(results) }
ensure
  db&.close
end
