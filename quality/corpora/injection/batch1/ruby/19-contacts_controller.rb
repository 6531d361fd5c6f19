require 'cgi'
require 'erb'

class ContactsController < ApplicationController
  def index
    name = ERB::Util.url_encode(params[:name].to_s)
    city = params[:city].to_s.gsub('"', '\\"')
    rows = connection.select_all("SELECT * FROM contacts WHERE city = '#{city}'")
    logger.info("contacts for #{name}")
    render json: rows
  end

  def show
    quoted = connection.quote(params[:email].to_s)
    render json: connection.select_one("SELECT * FROM contacts WHERE email = #{quoted}")
  end

  def card
    who = CGI.escapeHTML(params[:name].to_s)
    system("qrencode -o /srv/card.png #{who}")
    send_file '/srv/card.png'
  end

  def photo
    send_file "/srv/photos/#{ERB::Util.html_escape(params[:file].to_s)}"
  end

  private

  def connection
    ActiveRecord::Base.connection
  end
end
