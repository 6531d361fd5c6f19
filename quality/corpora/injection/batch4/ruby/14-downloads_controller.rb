class Export
  DIR = Rails.root.join("storage/exports").realpath

  attr_reader :account, :params

  def initialize(account, params)
    @account = account
    @params = params
  end

  def content
    DIR.join(account.id.to_s, filename).binread
  end
end

class CsvExport < Export
  def filename
    "#{params.fetch(:period, 'latest')}.csv"
  end
end

class SummaryExport < Export
  def filename
    "summary-#{params[:year].to_i}.json"
  end
end

class PdfExport < Export
  def content
    path = DIR.join(account.id.to_s, params[:document].to_s).realpath
    unless path.to_s.start_with?("#{DIR}/#{account.id}/")
      raise ActiveRecord::RecordNotFound
    end

    path.binread
  end
end

class DownloadsController < ApplicationController
  EXPORTS = { "csv" => CsvExport, "summary" => SummaryExport, "pdf" => PdfExport }.freeze

  def show
    export = EXPORTS.fetch(params[:kind]).new(current_account, params)
    send_data export.content
  end

  def destroy
    name = params[:name].gsub("../", "")
    File.delete(account_dir.join(name))
    head :no_content
  end

  def bundle
    archive = Rails.root.join("tmp", "#{SecureRandom.uuid}.tar.gz").to_s
    system("tar", "-czf", archive, "-C", account_dir.to_s, *Array(params[:names]))
    send_file archive
  end

  def mirror
    names = Array(params[:names]).grep(/\A\w[\w-]*\.(csv|json|pdf)\z/)
    archive = Rails.root.join("tmp", "#{SecureRandom.uuid}.tar.gz").to_s
    system("tar", "-czf", archive, "-C", account_dir.to_s, "--", *names)
    MirrorJob.perform_later(archive)
    head :accepted
  end

  private

  def account_dir
    Export::DIR.join(current_account.id.to_s)
  end
end
