require 'sidekiq'
require 'sinatra/base'

class ExportWorker
  include Sidekiq::Job

  def perform(spec)
    db, table, *options = spec.split(' ')
    system("pg_dump -t #{table} #{options.join(' ')} #{db} > /srv/export.sql")
  end
end

class Exports < Sinatra::Base
  def layout_for(format:, pages: 1, **_rest)
    [format, Integer(pages)]
  end

  post '/exports' do
    ExportWorker.perform_async(params['spec'])
    status 202
  end

  post '/exports/pdf' do
    _format, pages = layout_for(format: params['format'], pages: params['pages'] || 1)
    system("pdfseparate -l #{pages} /srv/export.pdf /srv/p-%d.pdf")
    status 201
  end

  post '/exports/convert' do
    format, = layout_for(format: params['format'])
    system("soffice --headless --convert-to #{format} /srv/export.odt")
    status 201
  end
end
