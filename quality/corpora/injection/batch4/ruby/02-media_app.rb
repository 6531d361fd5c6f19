require "sinatra/base"
require "open3"
require "securerandom"
require "shellwords"
require "json"

class Transcoder
  OUTPUT = "/var/media/out".freeze

  def initialize(source, options = {})
    @source = source
    @flags = []
    options.each { |key, value| @flags << "-#{key} #{value}" }
  end

  def poster(at)
    out = "#{OUTPUT}/#{SecureRandom.uuid}.jpg"
    system("ffmpeg", "-ss", Float(at).to_s, "-i", @source, "-frames:v", "1", out)
    out
  end

  def run
    target = "#{OUTPUT}/#{SecureRandom.uuid}.mp4"
    log, status = Open3.capture2e("ffmpeg -i #{@source} #{@flags.join(' ')} #{target}")
    raise log unless status.success?

    target
  end
end

class MediaApp < Sinatra::Base
  LIBRARY = "/var/media/library".freeze

  helpers do
    def clip_path(id)
      "#{LIBRARY}/#{Integer(id, 10)}.mp4"
    end

    def subtitle_path(id)
      "#{LIBRARY}/#{Integer(id, 10)}.srt"
    end
  end

  post "/clips/:id/transcode" do
    options = JSON.parse(request.body.read).fetch("options", {})
    content_type :json
    { file: Transcoder.new(clip_path(params[:id]), options).run }.to_json
  end

  get "/clips/:id/poster" do
    send_file Transcoder.new(clip_path(params[:id])).poster(params[:at] || "0")
  end

  get "/clips/:id/mentions" do
    term = Shellwords.escape(params[:q].to_s)
    `grep -c -i -F -e #{term} #{subtitle_path(params[:id])}`
  end

  get "/clips/:id/waveform" do
    out = "#{Transcoder::OUTPUT}/#{SecureRandom.uuid}.png"
    color = params[:color] || "1d9bf0"
    `audiowaveform -i #{clip_path(params[:id])} -o #{out} --waveform-color #{color}`
    redirect to("/static/#{File.basename(out)}")
  end
end
