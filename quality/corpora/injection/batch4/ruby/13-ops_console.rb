require "faye/websocket"
require "mysql2"
require "json"

class OpsConsole
  MOUNTS = { "data" => "/mnt/data", "logs" => "/var/log" }.freeze
  LOG_DIR = "/var/log/app".freeze

  COMMANDS = {
    "journal" => ->(m) { IO.popen("journalctl -n #{m['lines'].to_i} -u #{m['unit']}", &:read) },
    "disk" => ->(m) { IO.popen(["df", "-h", MOUNTS.fetch(m["mount"])], &:read) },
    "log" => ->(m) { File.read(File.join(LOG_DIR, m["file"].sub("../", ""))) }
  }.freeze

  def initialize(client)
    @client = client
    @commands = COMMANDS.merge(
      "history" => method(:history),
      "operator" => method(:operator)
    )
  end

  def call(env)
    return [426, {}, []] unless Faye::WebSocket.websocket?(env)

    socket = Faye::WebSocket.new(env)
    socket.on(:message) { |event| reply(socket, event.data) }
    socket.rack_response
  end

  private

  def reply(socket, raw)
    message = JSON.parse(raw)
    command = @commands[message["command"]]
    result = command ? command.call(message) : "unknown command"
    socket.send({ id: message["id"], result: result }.to_json)
  rescue JSON::ParserError, KeyError => e
    socket.send({ error: e.message }.to_json)
  end

  def operator(message)
    name = @client.escape(message["name"].to_s)
    @client.query("SELECT * FROM operators WHERE name = '#{name}'").to_a
  end

  def history(message)
    status = @client.escape(message.fetch("status", "0").to_s)
    sql = "SELECT command, run_at FROM history"
    sql += " WHERE operator_id = ? AND exit_status = #{status} ORDER BY run_at DESC"
    @client.prepare(sql).execute(message["operator_id"]).to_a
  end
end
