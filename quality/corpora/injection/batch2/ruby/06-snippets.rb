require 'roda'
require 'base64'
require 'json'
require 'cgi'
require 'digest'

class Snippets < Roda
  plugin :json
  STORE = '/srv/snippets'

  def unwrap(token)
    JSON.parse(Base64.urlsafe_decode64(token))
  end

  route do |r|
    r.get 'show' do
      data = unwrap(r.params['t'])
      { body: File.read("#{STORE}/#{data['file']}") }
    end

    r.get 'digest' do
      name = Digest::SHA256.hexdigest(r.params['n'].to_s)
      { body: IO.read(File.join(STORE, name)) }
    end

    r.get 'count' do
      word = CGI.unescape(CGI.escape(r.params['w'].to_s))
      { count: `grep -c "#{word}" #{STORE}/all.txt`.to_i }
    end

    r.post 'drop' do
      name = [r.params['n'].to_s].pack('m0').unpack1('m0')
      File.delete(File.join(STORE, name))
      { dropped: true }
    end
  end
end

run Snippets.freeze.app
