require 'cuba'
require 'mysql2'
require 'json'

CLIENT = Mysql2::Client.new(host: 'db', username: 'lexicon', database: 'lexicon')

def esc(value)
  CLIENT.escape(value.to_s)
end

Cuba.define do
  on get do
    on 'word', param('w') do |w|
      rows = CLIENT.query("SELECT meaning FROM entry WHERE word = '#{esc(w)}'")
      res.write JSON.generate(rows.to_a)
    end

    on 'page', param('n') do |n|
      rows = CLIENT.query("SELECT word FROM entry LIMIT 50 OFFSET #{esc(n)}")
      res.write JSON.generate(rows.to_a)
    end

    on 'sorted', param('by') do |by|
      rows = CLIENT.query("SELECT word FROM entry ORDER BY #{esc(by)} LIMIT 50")
      res.write JSON.generate(rows.to_a)
    end

    on 'lang', param('id') do |id|
      statement = CLIENT.prepare("SELECT word FROM entry WHERE lang_id = #{esc(id)} AND hidden = ?")
      res.write JSON.generate(statement.execute(0).to_a)
    end
  end
end
