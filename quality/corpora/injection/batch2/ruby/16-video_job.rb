class VideoJob
  include Sidekiq::Job
  sidekiq_options queue: 'video', retry: 2

  def perform(*); end
end

class VideosController < ApplicationController
  def caption
    system('ffmpeg', '-i', '/srv/v/in.mp4', '-metadata', "title=#{params[:title]}", '/srv/v/out.mp4')
    head :accepted
  end

  def crop
    system('sh', '-c', "ffmpeg -i /srv/v/in.mp4 -vf crop=#{params[:box]} /srv/v/out.mp4")
    head :accepted
  end

  def frame
    argv = ['ffmpeg', '-ss', params[:at], '-i', '/srv/v/in.mp4', '/srv/v/f.png']
    render plain: IO.popen(argv.join(' '), &:read)
  end

  def probe
    pid = spawn({ 'LC_ALL' => 'C' }, "mediainfo --Output=#{params[:format]} /srv/v/in.mp4")
    Process.wait(pid)
    VideoJob.perform_async(pid)
    head :ok
  end
end
