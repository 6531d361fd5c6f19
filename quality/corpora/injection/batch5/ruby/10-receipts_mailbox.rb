require "open3"
require "shellwords"

class ReceiptsMailbox < ApplicationMailbox
  SPOOL = Rails.root.join("storage", "receipts")
  LANGUAGES = Hash.new("eng").merge("de" => "deu", "fr" => "fra", "nl" => "nld").freeze

  before_processing :require_known_sender

  def process
    mail.attachments.each do |part|
      saved = part.mime_type == "application/pdf" ? store_pdf(part) : store_image(part)
      next unless clean?(saved)

      Receipt.create!(sender: mail.from.first, text: recognise(saved))
    end
  end

  private

  def require_known_sender
    bounced! unless Employee.exists?(email: mail.from.first)
  end

  def store_pdf(part)
    path = SPOOL.join("pdf", part.filename)
    path.binwrite(part.decoded)
    path
  end

  def store_image(part)
    path = SPOOL.join("images", "#{Time.now.to_i}-#{File.basename(part.filename)}")
    File.open(path, "wb") { |file| file << part.decoded }
    path
  end

  def clean?(path)
    _out, status = Open3.capture2e("clamscan", "--no-summary", "--", path.to_s)
    status.success?
  end

  def recognise(path)
    input = path.to_s.shellescape
    if (marker = mail.subject.to_s.match(/\[ocr:(?<engine>.+?)\]/))
      `tesseract #{input} stdout --psm #{marker[:engine]}`
    else
      lang = LANGUAGES[mail.header["Content-Language"].to_s]
      `tesseract #{input} stdout -l #{lang}`
    end
  end
end
