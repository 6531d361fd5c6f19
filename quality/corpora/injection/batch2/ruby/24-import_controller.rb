class ImportController < ApplicationController
  class UnknownFormat < StandardError
    attr_reader :format_name

    def initialize(format_name)
      @format_name = format_name
      super("format #{format_name}")
    end
  end

  rescue_from UnknownFormat do |e|
    ImportLog.connection.execute("INSERT INTO import_logs(text) VALUES ('#{e.message}')")
    head :unprocessable_entity
  end

  def create
    kind = params[:kind].to_s
    raise UnknownFormat, kind unless %w[csv tsv].include?(kind)

    system("/srv/bin/import-#{kind} /srv/inbox/current")
    head :accepted
  end

  def column
    name = begin
      Integer(params[:column]).to_s
    rescue ArgumentError
      params[:column]
    end
    render json: ImportRow.find_by_sql("SELECT c#{name} FROM import_rows")
  end

  def source
    File.open(Rails.root.join('imports', "#{params[:name]}.csv")) do |f|
      render plain: f.read
    end
  rescue Errno::ENOENT
    head :not_found
  ensure
    logger.info('source requested')
  end
end
