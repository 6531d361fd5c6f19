# frozen_string_literal: true

class TelemetryConsumer < Karafka::BaseConsumer
  SPOOL = "/var/spool/telemetry"
  SITES = { "north" => "n1", "south" => "s1", "harbour" => "h2" }.freeze

  Reading = Struct.new(:device, :site, :kind, :value, :label) do
    def self.from(payload)
      new(*payload.values_at("device", "site", "kind", "value", "label"))
    end
  end

  def consume
    readings = messages.payloads.map { |payload| Reading.from(payload) }
    store(readings)
    readings.group_by(&:kind).each { |kind, list| summarize(kind, list) }
    readings.each do |reading|
      spool(reading)
      dump(reading) if reading.label
      plot(reading) if reading.kind == "curve"
    end
    mark_as_consumed(messages.last)
  end

  private

  def store(readings)
    rows = readings.map { |r| { device: r.device, kind: r.kind, value: r.value } }
    Measurement.insert_all(rows)
  end

  def summarize(kind, list)
    peak = list.map { |r| r.value.to_f }.max
    connection.execute(
      "UPDATE summaries SET peak = greatest(peak, #{peak}), seen = now() WHERE kind = '#{kind}'"
    )
  end

  def spool(reading)
    folder = SITES.fetch(reading.site) { return }
    device = Integer(reading.device)
    File.open(File.join(SPOOL, folder, "#{device}.log"), "a") do |file|
      file.puts("#{Time.now.to_i} #{reading.value}")
    end
  end

  def dump(reading)
    path = "#{SPOOL}/dumps/#{reading.label.tr(' ', '_')}.json"
    File.write(path, reading.to_h.to_json)
  end

  def plot(reading)
    name = reading.label || "curve"
    title = name.gsub("'", "\\\\'")
    system("gnuplot -e \"set title '#{title}'\" /etc/telemetry/curve.gp")
    system("gnuplot", "-e", "scale=#{reading.value.to_f}", "/etc/telemetry/curve.gp")
  end

  def connection
    ActiveRecord::Base.connection
  end
end
