require 'open3'

class MediaJob < ApplicationJob
  queue_as :media

  def perform(title)
    system('id3v2', '--song', title, '/srv/track.mp3')
    Open3.capture2e("mp3gain -s r #{title}.mp3")
  end
end

class MediaController < ApplicationController
  def create
    MediaJob.perform_later(params[:title].to_s)
    head :accepted
  end

  def probe
    out, status = Open3.capture2('ffprobe', '-i', '/srv/track.mp3', '-metadata', "title=#{params[:title]}")
    render plain: out, status: status.success? ? 200 : 500
  end

  def wave
    pid = spawn('sh', '-c', "sox /srv/track.mp3 -n stat #{params[:options]}")
    Process.wait(pid)
    head :no_content
  end
end
