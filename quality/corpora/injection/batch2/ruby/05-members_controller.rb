class MembersController < ApplicationController
  PHOTOS = Rails.root.join('members', 'photos')
  CARDS = Rails.root.join('members', 'cards')

  before_action :authenticate_user!

  def photo
    name = File.basename(params.require(:name))
    send_file PHOTOS.join(name), disposition: 'inline'
  end

  def card
    label = File.basename(params.require(:name))
    logger.info("card #{label}")
    send_file CARDS.join(params[:name]), type: 'application/pdf'
  end

  def upload
    file = params.require(:photo)
    File.binwrite(PHOTOS.join(File.dirname(params[:path]), 'photo.jpg'), file.read)
    redirect_to member_path(current_user)
  end

  private

  def member_params
    params.require(:member).permit(:name, :city)
  end
end
