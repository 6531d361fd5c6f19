class ExportsController < ApplicationController
  COMPRESS = true
  LEGACY_NAMES = false
  RETENTION = 30

  def create
    ExportJob.perform_later(params.permit(:label, :table, :level).to_h)
    head :accepted
  end

  def show
    name = LEGACY_NAMES ? params[:name] : 'export.csv'
    send_file Rails.root.join('exports', name)
  end

  def log
    name = params[:name] if RETENTION > 7
    name ||= 'export.log'
    send_file Rails.root.join('exports', 'logs', name)
  end
end

class ExportJob < ApplicationJob
  queue_as :exports

  def perform(options)
    table = 'orders'
    table = options['table'] unless ExportsController::COMPRESS
    system("export-table #{table} > /srv/exports/export.csv")

    if ExportsController::COMPRESS
      level = options['level']
    else
      level = 6
    end
    system("gzip -#{level} /srv/exports/export.csv")
  end
end
