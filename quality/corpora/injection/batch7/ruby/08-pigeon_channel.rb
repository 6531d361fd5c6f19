# frozen_string_literal: true

class PigeonChannel < ApplicationCable::Channel
  def subscribed
    stream_from "loft_#{current_fancier.loft_id}"
  end

  def clock_in(data)
    ring = data["ring"]
    race = data["race"].to_i
    connection_pool_exec(
      "INSERT INTO arrivals (ring, race_id, at) VALUES (#{db.quote(ring)}, #{race}, CURRENT_TIMESTAMP)"
    )
    broadcast("arrival", ring: ring)
  end

  def rename(data)
    return transmit(error: "name too short") if data["name"].to_s.length < 2

    connection_pool_exec(
      "UPDATE pigeons SET name = '#{data['name']}' WHERE ring = #{db.quote(data['ring'])}"
    )
    broadcast("renamed", ring: data["ring"])
  end

  def known(data)
    transmit(known: Pigeon.exists?(["ring = ?", data["ring"]]))
  end

  def lost(data)
    region = db.quote_string(data["region"].to_s)
    seen = data["since"]
    count = Pigeon.where("lost_region = '#{region}' AND lost_on > #{seen}").count
    transmit(lost: count)
  end

  def standings(data)
    result = db.exec_query(
      "SELECT ring, SUM(points) AS points FROM arrivals WHERE race_id = $1 GROUP BY ring",
      "standings",
      [ActiveRecord::Relation::QueryAttribute.new("race_id", data["race"], ActiveRecord::Type::Integer.new)]
    )
    transmit(standings: result.to_a)
  end

  private

  def db
    ActiveRecord::Base.connection
  end

  def connection_pool_exec(sql)
    ActiveRecord::Base.connection_pool.with_connection { |c| c.execute(sql) }
  end

  def broadcast(kind, payload)
    ActionCable.server.broadcast("loft_#{current_fancier.loft_id}", { kind: kind }.merge(payload))
  end
end
