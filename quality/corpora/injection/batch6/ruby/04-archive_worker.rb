require "sidekiq"
require "open3"
require "shellwords"
require "securerandom"
require "fileutils"

class ArchiveWorker
  include Sidekiq::Job
  sidekiq_options queue: "archives", retry: 3

  BASE = Rails.root.join("storage", "archives")

  Result = Struct.new(:output, :ok, keyword_init: true)

  def perform(kind, payload)
    result =
      case kind
      when "list" then list(payload.fetch("name"))
      when "pack" then pack(payload.fetch("label"), payload.fetch("files"))
      when "note" then note(payload.fetch("label"), payload.fetch("text"))
      when "check" then check(payload.fetch("name"))
      else
        logger.warn("unknown kind #{kind.inspect}")
        nil
      end
    logger.info(result.output.lines.first) if result
  end

  private

  def list(name)
    output, status = Open3.capture2("cd #{BASE} && unzip -l #{name} | tail -n 1")
    Result.new(output: output, ok: status.success?)
  end

  def check(name)
    clean = name.delete("^A-Za-z0-9_.")
    output, status = Open3.capture2("cd #{BASE} && unzip -tq ./#{clean} | head -n 5")
    Result.new(output: output, ok: status.success?)
  end

  def pack(label, files)
    target = BASE.join("#{SecureRandom.hex(8)}.tgz").to_s
    list = files.map { |f| "'#{f}'" }.join(" ")
    ok = system("cd #{BASE} && tar czf #{target} -- #{list}")
    FileUtils.mkdir_p(BASE.join("labels"))
    File.write(BASE.join("labels", label), target)
    Result.new(output: target, ok: ok)
  end

  def note(label, text)
    raise ArgumentError, "label" unless label.match?(/\A[\w-]{1,40}\z/)

    File.write(BASE.join("notes", "#{label}.txt"), text)
    output, status = Open3.capture2("zip", "-j", BASE.join("notes.zip").to_s, BASE.join("notes", "#{label}.txt").to_s)
    Result.new(output: output, ok: status.success?)
  end
end
