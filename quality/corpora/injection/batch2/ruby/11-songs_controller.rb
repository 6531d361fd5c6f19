class SongsController < ApplicationController
  SORTS = { 'title' => 'songs.title', 'plays' => 'songs.plays' }.freeze

  def index
    @songs = Song.order(Arel.sql(SORTS.fetch(params[:sort], 'songs.title')))
    render json: @songs
  end

  def popular
    @songs = Song.where('plays > 100').order(Arel.sql("#{params[:sort]} DESC"))
    render json: @songs
  end

  def recent
    column = ActiveRecord::Base.connection.quote_string(params[:sort].to_s)
    @songs = Song.find_by_sql("SELECT * FROM songs ORDER BY #{column} LIMIT 20")
    render json: @songs
  end

  def grouped
    @counts = Song.group(Arel.sql(params[:by])).count
    render json: @counts
  end

  private

  def song_params
    params.require(:song).permit(:title, :artist)
  end
end
