class CardFilter
  def initialize(criteria)
    @clauses = []
    criteria.each do |field, value|
      public_send("by_#{field}", value) if respond_to?("by_#{field}")
    end
  end

  def by_label(value)
    @clauses << "labels.name = '#{value}'"
  end

  def by_assignee(value)
    @clauses << format("cards.assignee_id = %d", value.to_i)
  end

  def by_archived(value)
    @clauses << "cards.archived = #{value ? 'TRUE' : 'FALSE'}"
  end

  def to_sql
    @clauses.empty? ? "1=1" : @clauses.join(" AND ")
  end
end

class BoardChannel < ApplicationCable::Channel
  LANES = { "todo" => 0, "doing" => 1, "done" => 2 }.freeze

  def subscribed
    @board = params[:board]
    stream_from "board_#{@board}"
  end

  def filter(data)
    filter = CardFilter.new(data.fetch("criteria", {}))
    cards = Card.joins(:labels).where(filter.to_sql)
    transmit(cards: cards.as_json)
  end

  def overview
    counts = Card.connection.select_rows(
      "SELECT lane, COUNT(*) FROM cards WHERE board_id = #{@board} GROUP BY lane"
    )
    transmit(counts: counts.to_h)
  end

  def search(data)
    term = Card.sanitize_sql_like(data["q"].to_s)
    transmit(cards: Card.where("title LIKE ?", "%#{term}%").limit(20).as_json)
  end

  def suggest(data)
    term = Card.sanitize_sql_like(data["prefix"].to_s)
    titles = Card.where("title LIKE '#{term}%'").limit(5).map(&:title)
    transmit(suggestions: titles)
  end

  def shift(data)
    lane = LANES.fetch(data["lane"])
    delta = data["delta"].to_i
    Card.where(lane: lane).update_all("position = position + #{delta}")
    ActionCable.server.broadcast("board_#{@board}", { moved: lane, by: delta })
  end
end
