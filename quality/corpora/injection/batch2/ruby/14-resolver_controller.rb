class ResolverController < ApplicationController
  LINE = /^[a-z0-9.-]+$/i

  def reverse
    return head(:bad_request) unless params[:host].to_s =~ LINE

    render plain: `dig +short -x #{params[:host]}`
  end

  def zone
    name = params[:zone].to_s[/\A[a-z0-9-]+\z/]
    return head(:bad_request) if name.nil?

    render plain: File.read("/etc/zones/#{name}.zone")
  end

  def remove_zone
    name = params[:zone].to_s
    if name.match(/[a-z]+\.zone/)
      File.delete("/etc/zones/#{name}")
      head :no_content
    else
      head :bad_request
    end
  end
end
