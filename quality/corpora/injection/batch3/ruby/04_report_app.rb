require 'rack'
require 'shellwords'

class ReportApp
  def call(env)
    req = Rack::Request.new(env)
    case req.path_info
    when '/grep' then text(grep(req.params['q']))
    when '/fgrep' then text(fgrep(req.params['q']))
    when '/since' then text(since(req.params['day']))
    else [404, { 'content-type' => 'text/plain' }, ['nothing here']]
    end
  end

  private

  def text(body)
    [200, { 'content-type' => 'text/plain' }, [body]]
  end

  def grep(word)
    `grep -i "#{word.gsub('"', '\"')}" /var/log/report.log`
  end

  def fgrep(word)
    `grep -F -e #{Shellwords.escape(word)} /var/log/report.log`
  end

  def since(day)
    IO.popen("report-tool --since '#{day}' --plain", &:read)
  end
end

if $PROGRAM_NAME == __FILE__
  require 'rackup'
  Rackup::Handler.get('puma').run(Rack::CommonLogger.new(ReportApp.new), Port: 9292)
end
