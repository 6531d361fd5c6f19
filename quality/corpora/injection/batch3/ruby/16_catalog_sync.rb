require 'aws-sdk-sqs'
require 'base64'
require 'cgi'
require 'json'
require 'tiny_tds'

class CatalogSync
  def initialize(queue_url)
    @poller = Aws::SQS::QueuePoller.new(queue_url)
    @db = TinyTds::Client.new(host: 'mssql', username: 'catalog', password: ENV['MSSQL_PW'], database: 'catalog')
  end

  def run
    @poller.poll do |msg|
      doc = JSON.parse(Base64.decode64(msg.body))
      rename(doc)
      lookup(doc)
      flag(doc)
    end
  end

  private

  def rename(doc)
    @db.execute("UPDATE item SET title = N'#{doc['title']}' WHERE id = #{doc['id'].to_i}").do
  end

  def lookup(doc)
    key = CGI.escape(doc['key'])
    again = CGI.unescape(key)
    @db.execute("SELECT id FROM item WHERE item_key = '" + again + "'").each do |row|
      puts row['id']
    end
  end

  def flag(doc)
    token = Base64.urlsafe_encode64(doc['token'].to_s)
    @db.execute("UPDATE item SET flagged = 1 WHERE token = '#{token}'").do
  end
end

CatalogSync.new(ENV.fetch('QUEUE_URL')).run if $PROGRAM_NAME == __FILE__
