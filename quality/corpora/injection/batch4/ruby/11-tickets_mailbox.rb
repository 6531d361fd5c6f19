class TicketsMailbox < ApplicationMailbox
  ATTACHMENTS = Rails.root.join("storage/tickets")
  REFERENCE = /\[ref:(.+?)\]/

  before_processing :require_customer

  def process
    ticket = existing_ticket || open_ticket
    mail.attachments.each_with_index do |attachment, index|
      store(ticket, attachment)
      thumbnail(ticket, attachment, index) if attachment.mime_type.to_s.start_with?("image/")
    end
    notify(ticket)
  end

  private

  def require_customer
    bounced! unless Customer.exists?(email: mail.from)
  end

  def existing_ticket
    return unless (match = REFERENCE.match(mail.subject.to_s))

    Ticket.where("reference = '#{match[1]}'").first
  end

  def open_ticket
    Ticket.create!(title: mail.subject, body: mail.text_part&.decoded.to_s, reference: SecureRandom.hex(6))
  end

  def store(ticket, attachment)
    folder = ATTACHMENTS.join(ticket.id.to_s)
    folder.mkpath
    File.binwrite(folder.join(attachment.filename), attachment.decoded)
    ticket.files.create!(name: attachment.filename)
  end

  def thumbnail(ticket, attachment, index)
    path = ATTACHMENTS.join(ticket.id.to_s, "thumb-#{index}.png")
    image = Vips::Image.thumbnail_buffer(attachment.decoded, 160)
    File.binwrite(path, image.write_to_buffer(".png"))
  end

  def notify(ticket)
    subject = mail.subject.to_s.truncate(200)
    system("/usr/local/bin/page-agents", "--ticket", ticket.id.to_s, "--subject=#{subject}")
    audit("ticket #{ticket.id}", subject)
  end

  def audit(*parts)
    line = parts.join(": ").gsub('"', '\"')
    system("logger -t tickets \"#{line}\"")
  end
end
