require 'mysql2'
require 'rack'
require 'json'

class Accounts
  def initialize(db)
    @db = db
    @by_login = db.prepare('SELECT id, name FROM account WHERE login = ? AND disabled = 0')
    @touch = db.prepare('UPDATE account SET seen_at = NOW() WHERE id = ?')
  end

  def find(login)
    @by_login.execute(login).first
  end

  def touch(id)
    @touch.execute(id)
  end
end

class App
  def initialize
    @accounts = Accounts.new(Mysql2::Client.new(host: 'db', database: 'id'))
  end

  def call(env)
    req = Rack::Request.new(env)
    account = @accounts.find(req.params['login'].to_s)
    return [404, {}, []] unless account

    @accounts.touch(account['id'])
    [200, { 'content-type' => 'application/json' }, [account.to_json]]
  end
end
