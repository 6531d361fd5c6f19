require "grape"
require "open3"
require "shellwords"

module Media
  class API < Grape::API
    format :json
    prefix :api
    version "v1", using: :path

    LIBRARY = "/srv/media".freeze
    FORMATS = { "mp3" => "libmp3lame", "ogg" => "libvorbis" }.freeze

    helpers do
      def track(id)
        row = DB[:tracks].where(id: Integer(id)).first
        error!("unknown track", 404) unless row
        File.join(LIBRARY, "#{row[:id]}.wav")
      end

      def capture(line)
        out, status = Open3.capture2e(line)
        error!(out, 500) unless status.success?
        out
      end
    end

    resource :tracks do
      desc "Technical data of a track"
      params do
        requires :id, type: Integer
        optional :fields, type: String, default: "duration"
      end
      get ":id/probe" do
        { probe: `ffprobe -v error -show_entries format=#{params[:fields]} #{track(params[:id])}` }
      end

      desc "Convert"
      params do
        requires :id, type: Integer
        requires :format, type: String
      end
      post ":id/convert" do
        codec = FORMATS[params[:format]]
        error!("unknown format", 422) if codec.nil?
        source = track(params[:id])
        ok = system("ffmpeg -y -i #{source} -c:a #{codec} #{source}.#{params[:format]} 2>/dev/null")
        { done: ok }
      end

      desc "Set the title"
      params do
        requires :id, type: Integer
        requires :title, type: String
      end
      put ":id/title" do
        title = params[:title].gsub('"', '\"')
        capture("id3v2 -t \"#{title}\" #{track(params[:id])}")
        status 204
      end

      desc "Set the artist"
      params do
        requires :id, type: Integer
        requires :artist, type: String
      end
      put ":id/artist" do
        artist = Shellwords.escape(params[:artist])
        out = `id3v2 --artist=#{artist} #{track(params[:id])} 2>&1`
        { output: out }
      end

      desc "Cut a sample"
      params do
        requires :id, type: Integer
        requires :from, type: Integer
        requires :seconds, type: Integer
      end
      post ":id/sample" do
        source = track(params[:id])
        { sample: %x(sox #{source} -t ogg - trim #{params[:from]} #{params[:seconds]} | base64) }
      end
    end
  end
end
