require "open3"
require "sidekiq"

class MirrorsController < ApplicationController
  def create
    MirrorWorker.perform_async(
      current_project.id,
      "url" => params.require(:url),
      "ref" => params[:ref],
      "search" => params[:search]
    )
    head :accepted
  end
end

class MirrorWorker
  include Sidekiq::Job
  sidekiq_options queue: "git", retry: 3

  def perform(project_id, options)
    @dir = File.join("/var/mirrors", Integer(project_id).to_s)
    @url = options["url"]
    return unless acceptable?

    point_origin
    ref, term = options.values_at("ref", "search")
    history(ref || "HEAD")
    tags_for(ref || "HEAD")
    hits(term) if term
    repack
  end

  private

  def acceptable?
    @url.match?(%r{https://[\w.-]+/[\w./-]+\.git})
  end

  def point_origin
    system("git -C #{@dir} remote set-url origin #{@url}", exception: true)
  end

  def history(ref)
    out, status = Open3.capture2e("git", "-C", @dir, "log", "--max-count=20", "--format=%H %s", ref)
    raise out unless status.success?
    Rails.cache.write("history:#{@dir}", out)
  end

  def tags_for(ref)
    out, = Open3.capture2("git", "-C", @dir, "rev-list", "--max-count=1", "--end-of-options", ref)
    Rails.cache.write("tip:#{@dir}", out.strip)
  end

  def hits(term)
    IO.popen(["git", "-C", @dir, "grep", "-n", "-F", "-e", term, "HEAD"]) do |io|
      Rails.cache.write("hits:#{@dir}", io.read)
    end
  end

  def repack
    depth = @url.include?("large") ? 10 : 50
    `git -C #{@dir} repack -a -d --depth=#{depth}`
  end
end
