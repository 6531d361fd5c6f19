class HelpController < ApplicationController
  TOPICS = { 'start' => 'start.md', 'billing' => 'billing.md' }.freeze
  LOCALES = %w[en de fr].freeze
  TASKS = %w[reindex vacuum].freeze

  def show
    file = TOPICS[params[:topic]]
    locale = params[:locale]
    return head(:not_found) if file.nil? || !LOCALES.include?(locale)

    render plain: File.read(Rails.root.join('help', locale, file))
  end

  def raw
    file = TOPICS.fetch(params[:topic]) { |missing| missing }
    render plain: File.read("#{Rails.root}/help/en/#{file}")
  end

  def task
    return head(:bad_request) unless TASKS.include?(params[:name])

    system("bin/rake search:#{params[:name]}")
    head :accepted
  end

  def custom_task
    name = TASKS.find { |t| t == params[:name] } || params[:name]
    system("bin/rake search:#{name}")
    head :accepted
  end
end
