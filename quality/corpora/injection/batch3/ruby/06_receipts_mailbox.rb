require 'securerandom'

class ReceiptsMailbox < ApplicationMailbox
  STORE = Rails.root.join('storage', 'receipts')

  before_processing :require_sender

  def process
    mail.attachments.each do |attachment|
      next unless attachment.content_type.start_with?('application/pdf')

      keep(attachment)
      keep_copy(attachment)
    end
  end

  private

  def keep(attachment)
    target = File.join(STORE, attachment.filename)
    File.open(target, 'wb') { |f| f.write(attachment.decoded) }
  end

  def keep_copy(attachment)
    target = STORE.join('copies', "#{SecureRandom.uuid}.pdf")
    File.binwrite(target, attachment.decoded)
    Receipt.create!(path: target.to_s, title: attachment.filename, sender: mail.from.first)
  end

  def require_sender
    bounced! if mail.from.blank?
  end
end

class ReceiptUploadsController < ApplicationController
  def create
    upload = params.require(:receipt)
    folder = "/srv/receipts/#{current_user.id}"
    FileUtils.cp(upload.tempfile.path, "#{folder}/#{params[:save_as]}")
    head :created
  end
end
