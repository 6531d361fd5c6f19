# frozen_string_literal: true

require "open3"

class RepositoryChannel < ApplicationCable::Channel
  FORBIDDEN = [";", "|", "&&", "`"].freeze
  HEX = /\A\h{7,40}\z/

  def subscribed
    @project = current_user.projects.find(params[:project_id])
    stream_for @project
  end

  def log(data)
    deliver git("log", "--oneline", "-n", "50", data["rev"])
  end

  def show(data)
    rev = data["rev"].to_s
    return transmit({ error: "rev" }) unless HEX.match?(rev)

    deliver git("show", "--stat", rev)
  end

  def history(data)
    deliver git("log", "--oneline", "--", data["file"])
  end

  def search(data)
    text = data["text"].to_s
    return transmit({ error: "text" }) if FORBIDDEN.any? { |bad| text.include?(bad) }

    out, = Open3.capture2("git -C #{root} log --all --oneline | grep #{text} | head -n 100")
    deliver out
  end

  def recent(data)
    count = Integer(data["count"])
    out = `git -C #{root} for-each-ref --sort=-committerdate --count=#{count} refs/heads | cut -f2`
    deliver out
  rescue ArgumentError, TypeError
    transmit({ error: "count" })
  end

  def changelog(data)
    range = [data["from"], data["to"]].compact.join("..")
    script = <<~SH
      cd #{root}
      git shortlog -sn #{range} > tmp/changelog.txt
    SH
    system(script)
    deliver File.read(File.join(root, "tmp", "changelog.txt"))
  end

  private

  def root
    "/srv/git/#{@project.id.to_i}"
  end

  def git(*args)
    out, _err, _status = Open3.capture3("git", "-C", root, *args)
    out
  end

  def deliver(text)
    RepositoryChannel.broadcast_to(@project, { text: text })
  end
end
