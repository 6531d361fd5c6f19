# frozen_string_literal: true

require "sidekiq"
require "shellwords"
require "open3"
require "fileutils"

module WhaleSong
  SPOOL = "/srv/hydrophone"

  module Shell
    def pipeline(line)
      out, status = Open3.capture2e(line)
      raise "pipeline failed: #{out}" unless status.success?

      out
    end
  end

  class SpectrogramJob
    include Sidekiq::Job
    include Shell

    sidekiq_options queue: "audio", retry: 2

    def perform(clip_id, options = {})
      clip = File.join(SPOOL, "clips", "#{Integer(clip_id)}.wav")
      title = options.fetch("title", "untitled")

      ok = system("sox", clip, "-n", "spectrogram", "-t", title, "-o", "#{clip}.png")
      raise "sox failed" unless ok

      tag(clip, options["species"])
      describe(clip, title)
      publish(clip, options["channel"])
    end

    private

    def tag(clip, species)
      return if species.nil? || species.empty?

      pipeline("echo species=#{species} | attr -s whale #{clip}")
    end

    def describe(clip, title)
      pipeline("printf '%s' #{title.inspect} > #{clip}.txt")
    end

    def publish(clip, channel)
      destination = "channel-#{channel}"
      pipeline("tee /srv/hydrophone/outbox/#{destination.shellescape} < #{clip} | md5sum") if channel =~ /\A\w+\z/
    end
  end

  class SweepJob
    include Sidekiq::Job
    include Shell

    def perform(days)
      age = days.to_i.clamp(1, 365)
      pipeline("find #{SPOOL}/clips -name '*.png' -mtime +#{age} -print -delete | wc -l")
    end
  end
end
