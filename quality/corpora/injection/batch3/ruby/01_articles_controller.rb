class ArticlesController < ApplicationController
  before_action :authenticate_user!, only: %i[destroy_tagged]

  def index
    @articles = Article.published.where(category: params[:category]).limit(30)
    render json: @articles
  end

  def search
    @articles = Article.published.where("title LIKE '%#{params[:q]}%'")
    render json: @articles
  end

  def sorted
    direction = params[:direction].to_s.casecmp?('desc') ? :desc : :asc
    @articles = Article.order(created_at: direction).limit(30)
    render json: @articles
  end

  def by_author
    @articles = Article.find_by_sql(
      ['SELECT * FROM articles WHERE author = ? AND locale = ?', params[:author], I18n.locale.to_s]
    )
    render json: @articles
  end

  def popular
    count = Article.where(section: params[:section]).group(params[:by]).order("#{params[:by]} DESC").count
    render json: count
  end

  def destroy_tagged
    Article.where(user_id: current_user.id).delete_by("tag = '" + params[:tag] + "'")
    head :no_content
  end
end
