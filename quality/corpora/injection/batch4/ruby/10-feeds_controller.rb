require "open-uri"
require "digest"
require "nokogiri"

class FeedFetcher
  CACHE = "/var/cache/reader".freeze

  attr_reader :url

  def initialize(url)
    @url = url
  end

  def fetch
    body = open(url, &:read)
    store(body)
    Nokogiri::XML(body)
  end

  def store(body)
    File.write("#{CACHE}/#{Digest::MD5.hexdigest(url)}.xml", body)
  end
end

class FeedsController < ApplicationController
  ICONS = { "rss" => "rss.svg", "atom" => "atom.svg", "json" => "json.svg" }.freeze

  before_action :require_login

  def create
    document = FeedFetcher.new(params[:feed_url]).fetch
    feed = current_user.feeds.create!(url: params[:feed_url], title: document.at("title")&.text)
    redirect_to feed
  end

  def favicon
    site = params[:site].to_s
    return head(:bad_request) unless site.match?(%r{\Ahttps?://[\w.-]+/favicon\.ico\z})

    data = open(site) { |io| io.read(64_000) }
    send_data data, type: "image/x-icon"
  end

  def icon
    file = ICONS.fetch(params[:kind]) { return head(:not_found) }
    send_file Rails.root.join("app/assets/images", file), disposition: "inline"
  end

  def opml
    name = params.fetch(:name, "subscriptions")
    export = Rails.root.join("storage", "opml", current_user.id.to_s, name)
    send_file export.sub_ext(".opml"), type: "text/x-opml"
  end

  private

  def require_login
    redirect_to login_path unless current_user
  end
end
