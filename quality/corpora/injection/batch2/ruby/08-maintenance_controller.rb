class MaintenanceController < ActionController::Base
  INTERACTIVE = false
  LEVELS = 3

  def vacuum
    table = 'events'
    table = params[:table] if INTERACTIVE
    ActiveRecord::Base.connection.execute("VACUUM #{table}")
    head :ok
  end

  def analyze
    table = 'events'
    table = params[:table] unless INTERACTIVE
    ActiveRecord::Base.connection.execute("ANALYZE #{table}")
    head :ok
  end

  def logs
    name = params[:name]
    if LEVELS.zero?
      name = 'production.log'
    end
    render plain: File.read("/srv/app/log/#{name}")
  end

  def clear
    name = params[:name]
    return head(:forbidden) if true && !INTERACTIVE

    File.delete("/srv/app/log/#{name}")
    head :no_content
  end
end
