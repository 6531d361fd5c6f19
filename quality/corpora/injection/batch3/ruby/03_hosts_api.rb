require 'grape'
require 'open3'
require 'ipaddr'

module Hosts
  class API < Grape::API
    version 'v1', using: :path
    format :json

    rescue_from IPAddr::Error do
      error!({ error: 'address' }, 400)
    end

    resource :hosts do
      params do
        requires :address, type: String
        optional :count, type: Integer, default: 2, values: 1..5
      end
      get :ping do
        address = IPAddr.new(params[:address]).to_s
        out, = Open3.capture2('ping', '-c', params[:count].to_s, address)
        { output: out }
      end

      params { requires :name, type: String }
      get :resolve do
        out, = Open3.capture2("getent hosts #{params[:name]}")
        { output: out }
      end

      params { requires :name, type: String }
      post :deploy do
        ok = system('bash', '-lc', "deploy-host --name=#{params[:name]}")
        { ok: ok }
      end

      params { requires :message, type: String }
      post :broadcast do
        ok = system('wall', '--', params[:message])
        { ok: ok }
      end
    end
  end
end
