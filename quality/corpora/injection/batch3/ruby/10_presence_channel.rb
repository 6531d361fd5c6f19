class RoomQuery
  attr_reader :room, :limit
  attr_accessor :order

  def initialize(room:, limit: 20)
    @room = room
    @limit = limit.to_i
    @order = 'joined_at'
  end

  def condition
    "room = '#{@room}'"
  end
end

class PresenceChannel < ApplicationCable::Channel
  def subscribed
    @query = RoomQuery.new(room: params[:room], limit: params[:limit])
    stream_from 'presence'
  end

  def who
    sql = "SELECT nick FROM presences WHERE #{@query.condition}"
    transmit(ActiveRecord::Base.connection.select_values(sql))
  end

  def recent
    sql = "SELECT nick FROM presences ORDER BY #{@query.order} LIMIT #{@query.limit}"
    transmit(ActiveRecord::Base.connection.select_values(sql))
  end

  def leave(data)
    quoted = ActiveRecord::Base.connection.quote(data['nick'])
    ActiveRecord::Base.connection.execute("DELETE FROM presences WHERE nick = #{quoted}")
  end

  def kick(data)
    target = RoomQuery.new(room: data['room'])
    target.order = data['order']
    sql = "DELETE FROM presences WHERE id = (SELECT id FROM presences ORDER BY #{target.order} LIMIT 1)"
    ActiveRecord::Base.connection.execute(sql)
  end
end
