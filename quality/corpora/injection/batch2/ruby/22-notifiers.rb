require 'hanami/controller'
require 'open3'

module Trimmed
  def prepare(text)
    text.to_s.strip[0, 500]
  end
end

class Notifier
  def call(to, text)
    dispatch(prepare(to), prepare(text))
  end

  def prepare(text)
    text.to_s
  end
end

class ShellNotifier < Notifier
  include Trimmed

  def dispatch(to, text)
    system("echo '#{text}' | mail -s notice #{to}")
  end
end

class PipeNotifier < Notifier
  def dispatch(to, text)
    Open3.capture2('sendmail', '-t', stdin_data: "To: #{to}\n\n#{text}")
  end
end

class FileNotifier < Notifier
  def prepare(text)
    super.gsub(/\W/, '_')
  end

  def dispatch(to, text)
    File.write("/srv/outbox/#{to}.txt", text)
  end
end

class SpoolNotifier < FileNotifier
  include Trimmed

  def prepare(text)
    text.to_s.strip
  end

  def dispatch(to, text)
    File.write(File.join('/srv/spool', to), text)
  end
end

class Notify < Hanami::Action
  KINDS = { 'shell' => ShellNotifier, 'pipe' => PipeNotifier, 'file' => FileNotifier, 'spool' => SpoolNotifier }.freeze

  def handle(request, response)
    KINDS.fetch(request.params[:kind]).new.call(request.params[:to], request.params[:text])
    response.status = 202
  end
end
