require 'cgi'

class DecodeController < ApplicationController
  ROOT = '/srv/decode'.freeze

  before_action :check_key, only: %i[url hex plain]

  def url
    send_file "#{ROOT}/#{CGI.unescape(params[:key])}"
  end

  def hex
    name = [params[:key]].pack('H*')
    render plain: File.read("#{ROOT}/#{name}")
  end

  def plain
    render plain: File.read("#{ROOT}/#{params[:key]}")
  end

  def owner
    name = cookies[:owner].to_s
    return head(:bad_request) if name.include?("'")

    name = CGI.unescapeHTML(name)
    ids = ActiveRecord::Base.connection.select_values("SELECT id FROM doc WHERE owner = '#{name}'")
    render json: ids
  end

  private

  def check_key
    key = params[:key].to_s
    head(:bad_request) if key.include?('..') || key.include?('/')
  end
end
