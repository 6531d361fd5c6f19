require 'hanami/action'
require 'sqlite3'

class UnknownParcel < StandardError
  attr_reader :code

  def initialize(code)
    @code = code
    super('unknown parcel')
  end
end

class ShowParcel < Hanami::Action
  DB = SQLite3::Database.new('/var/lib/parcels.db')

  def handle(request, response)
    id = number(request.params[:ref].to_s)
    response.body = DB.execute("SELECT state FROM parcel WHERE id = #{id}").flatten.join(',')
  rescue UnknownParcel => e
    response.body = DB.execute("SELECT state FROM parcel WHERE code = '#{e.code}'").flatten.join(',')
  end

  private

  def number(ref)
    Integer(ref, 10)
  rescue ArgumentError
    raise UnknownParcel, ref
  end
end
