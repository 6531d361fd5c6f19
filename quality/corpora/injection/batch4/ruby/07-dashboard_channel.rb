class Widget
  attr_reader :region, :options

  def initialize(region:, options: {})
    @region = region
    @options = options
  end

  def rows
    connection.select_all("SELECT label, value FROM #{source} WHERE #{condition}").to_a
  end

  def connection
    ActiveRecord::Base.connection
  end
end

class SalesWidget < Widget
  def source = "sales_by_day"

  def condition
    "region = #{connection.quote(region.to_s)}"
  end
end

class StockWidget < Widget
  def source = "stock_levels"

  def condition
    "warehouse_region = '#{region}' AND threshold > 0"
  end
end

class DashboardChannel < ApplicationCable::Channel
  WIDGETS = { "sales" => SalesWidget, "stock" => StockWidget }.freeze

  def subscribed
    @region = params[:region]
    stream_for current_user
  end

  def refresh(data)
    widget = WIDGETS.fetch(data["widget"]).new(region: @region, options: data["options"])
    transmit({ rows: widget.rows })
  end

  def search(data)
    term = Contact.sanitize_sql_like(data["term"])
    contacts = Contact.where("full_name LIKE '%#{term}%'").limit(20)
    transmit({ contacts: contacts.as_json })
  end

  def assigned(data)
    owner = Contact.connection.quote(data["owner"].to_s)
    transmit({ contacts: Contact.where("owner_email = #{owner}").as_json })
  end

  def untag(data)
    tags = data["tags"].map { |t| "'#{t}'" }.join(",")
    Contact.connection.execute("DELETE FROM contact_tags WHERE tag IN (#{tags})")
  end

  def touch(_data)
    stamp = Time.current.to_fs(:db)
    Contact.connection.execute(
      "UPDATE users SET last_seen_at = '#{stamp}' WHERE id = #{current_user.id}"
    )
  end
end
