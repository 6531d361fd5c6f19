require 'shellwords'

class InboxMailbox < ApplicationMailbox
  def process
    index
    announce
    tally
  end

  private

  def index
    system("notmuch tag +seen -- subject:#{Shellwords.escape(mail.subject.to_s)}")
  end

  def announce
    system("notify-send 'New mail' '#{mail.subject}'")
  end

  def tally
    from = mail.from.first.to_s
    count = `grep -c -F -- #{from.shellescape} /var/mail/log`
    return if count.to_i > 100

    `echo "#{from.gsub('"', '')}" >> /var/mail/log`
  end
end
