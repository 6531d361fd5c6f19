# frozen_string_literal: true

require "karafka"
require "open3"

class VineyardConsumer < Karafka::BaseConsumer
  HANDLERS = {
    "irrigate" => :irrigate,
    "frost" => :frost,
    "spectrum" => :spectrum,
    "label" => :label
  }.freeze

  def consume
    messages.each do |message|
      handler = HANDLERS[message.payload["kind"]]
      next logger.warn("unknown kind at #{message.offset}") unless handler

      send(handler, message.payload)
      mark_as_consumed(message)
    end
  end

  private

  def irrigate(event)
    valve = event["valve"].to_s
    return unless valve.match?(/^[a-z]+-\d+$/)

    minutes = event["minutes"].to_i
    output = `valvectl open #{valve} --minutes #{minutes} 2>&1`
    logger.info(output)
  end

  def frost(event)
    degrees = Float(event["degrees"])
    row = Integer(event["row"], 10)
    system("heater --row #{row} --below #{degrees} && logger 'frost #{row}'")
  rescue ArgumentError, TypeError => e
    logger.error(e.message)
  end

  def spectrum(event)
    IO.popen(["spectro", "--sample", event["sample"].to_s, "--csv"]) do |io|
      io.each_line { |line| logger.debug(line) }
    end
  end

  def label(event)
    vintage = event.fetch("vintage")
    grape = event.fetch("grape").delete("'\"")
    IO.popen("labelprint --grape '#{grape}' --vintage #{vintage}", "r") do |io|
      logger.info(io.read)
    end
  end

  def logger
    Karafka.logger
  end
end
