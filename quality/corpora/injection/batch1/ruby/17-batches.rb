require 'sequel'
require 'sinatra/base'

class Batches < Sinatra::Base
  DB = Sequel.sqlite('/var/lib/batches.db')

  get '/batches' do
    ids = params[:ids].to_s.split(',').map(&:to_i).uniq
    halt 204 if ids.empty?
    DB.fetch("SELECT id, name FROM batch WHERE id IN (#{ids.join(',')})").all.inspect
  end

  get '/batches/codes' do
    codes = params[:codes].to_s.split(',').reject(&:empty?).map { |c| "'#{c.strip}'" }
    DB.fetch("SELECT id, name FROM batch WHERE code IN (#{codes.join(',')})").all.inspect
  end

  get '/batches/any' do
    conds = params.slice('code', 'name').each_with_object([]) { |(k, v), acc| acc << "#{k} = '#{v}'" }
    DB["SELECT id FROM batch WHERE #{conds.join(' OR ')}"].map(:id).inspect
  end

  get '/batches/in' do
    DB[:batch].where(code: params[:codes].to_s.split(',')).select_map(:id).inspect
  end
end
