class MediaController < ApplicationController
  ROOT = File.realpath('/srv/media')

  def show
    full = File.expand_path(params[:file].to_s, ROOT)
    raise ActionController::RoutingError, 'Not Found' unless full.start_with?(ROOT + File::SEPARATOR)

    send_file full
  end

  def thumb
    full = File.join(ROOT, params[:file].to_s)
    raise ActionController::RoutingError, 'Not Found' unless full.start_with?(ROOT + File::SEPARATOR)

    send_file full, disposition: 'inline'
  end

  def update
    full = File.expand_path(File.join(ROOT, params[:file].to_s))
    unless full.start_with?(ROOT)
      return head :forbidden
    end

    File.write(full, request.body.read)
    head :no_content
  end
end
