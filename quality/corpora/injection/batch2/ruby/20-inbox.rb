class OrdersMailbox < ApplicationMailbox
  STORE = '/srv/orders'

  def process
    mail.attachments.each do |a|
      File.binwrite(File.join(STORE, a.filename), a.decoded)
      File.binwrite(File.join(STORE, 'copies', SecureRandom.hex(8)), a.decoded)
    end
    number = mail.subject.to_s.sub(/\ARe: */, '')
    Order.where("number = '#{number}'").update_all(mailed: true)
  end
end

class ConsoleChannel < ApplicationCable::Channel
  def subscribed
    stream_from 'console'
  end

  def trace(data)
    transmit({ out: `traceroute #{data['host']}` })
  end

  def report(data)
    day = Date.iso8601(data['day'])
    transmit({ out: `/srv/bin/report --day #{day}` })
  rescue Date::Error
    transmit({ out: 'day' })
  end
end
