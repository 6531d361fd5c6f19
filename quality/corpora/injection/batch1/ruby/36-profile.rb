require 'sinatra'
require 'sqlite3'

Profile = Struct.new(:id, :nick, :avatar, :theme, keyword_init: true)

def profile_from(params)
  Profile.new(
    id: params['id'].to_i,
    nick: params['nick'].to_s,
    avatar: params['avatar'] || 'default.png',
    theme: 'light'
  )
end

DB = SQLite3::Database.new('/var/lib/site.db')

post '/profile' do
  profile = profile_from(params)
  DB.execute("UPDATE profile SET seen = 1 WHERE id = #{profile.id}")
  DB.execute("UPDATE profile SET nick = '#{profile.nick}' WHERE id = #{profile.id}")
  204
end

get '/profile/css' do
  profile = profile_from(params)
  File.read("/srv/themes/#{profile.theme}.css")
end

get '/profile/avatar' do
  profile = profile_from(params).dup
  content_type 'image/png'
  File.binread("/srv/avatars/#{profile.avatar}")
end

delete '/profile/avatar' do
  profile = profile_from(params)
  File.unlink('/srv/avatars/' + profile[:avatar])
  204
end
