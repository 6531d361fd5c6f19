require 'base64'
require 'digest'

class DropsController < ApplicationController
  DIR = Rails.root.join('storage', 'drops').to_s

  def show
    token = params[:token].to_s
    return head(:bad_request) if token.include?('..') || token.include?('/')

    name = Base64.urlsafe_decode64(token)
    send_file File.join(DIR, name)
  end

  def create
    key = Digest::SHA256.hexdigest(params[:name].to_s)
    File.open(File.join(DIR, key), 'wb') do |f|
      f.write(request.body.read)
    end
    render plain: Base64.urlsafe_encode64(key), status: :created
  end

  def destroy
    token = Base64.urlsafe_encode64(params[:name].to_s)
    name = Base64.urlsafe_decode64(token)
    FileUtils.rm(File.join(DIR, name))
    head :no_content
  end
end
