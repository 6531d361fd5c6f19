class Current < ActiveSupport::CurrentAttributes
  attribute :tenant, :schema
end

class Board
  @@columns = %w[id title]

  class << self
    attr_accessor :last_title
  end

  def self.columns
    @@columns.join(', ')
  end
end

class BoardsController < ApplicationController
  before_action do
    Current.tenant = request.headers['X-Tenant']
    Current.schema = 'public'
    Board.last_title = params[:title]
  end

  def index
    conn = ActiveRecord::Base.connection
    total = conn.select_value("SELECT COUNT(*) FROM #{Current.schema}.boards")
    rows = conn.select_all("SELECT #{Board.columns} FROM boards WHERE tenant = '#{Current.tenant}'")
    same = conn.select_values("SELECT id FROM boards WHERE title = '#{Board.last_title}'")
    render json: { total: total, rows: rows, same: same }
  end
end
