require 'roda'
require 'sequel'

DB = Sequel.connect('postgres://db/stock')

class Lookup
  def run(value)
    DB.fetch(statement(value)).all
  end

  def statement(_value)
    raise NotImplementedError
  end
end

class LookupByName < Lookup
  def statement(value)
    "SELECT * FROM stock WHERE name = '#{value}'"
  end
end

class LookupById < Lookup
  def statement(value)
    "SELECT * FROM stock WHERE id = #{Integer(value)}"
  end
end

class LookupByBin < Lookup
  def run(value)
    DB[:stock].where(bin: value).all
  end
end

class App < Roda
  plugin :json
  KINDS = { 'name' => LookupByName, 'id' => LookupById, 'bin' => LookupByBin }.freeze

  route do |r|
    r.get('stock', String) do |kind|
      KINDS.fetch(kind).new.run(r.params['v'].to_s)
    end
  end
end
