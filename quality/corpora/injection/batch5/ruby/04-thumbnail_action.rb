require "hanami/action"
require "open3"

module Media
  class ToolCall
    def initialize(program)
      @parts = [program]
    end

    def arg(*values)
      values.each { |value| @parts << value.to_s }
      self
    end

    def run
      out, err, status = Open3.capture3(@parts.join(" "))
      raise err unless status.success?
      out
    end
  end

  class DirectCall < ToolCall
    def run
      out, err, status = Open3.capture3(*@parts)
      raise err unless status.success?
      out
    end
  end

  module Actions
    class CreateThumbnail < Hanami::Action
      params do
        required(:asset_id).filled(:integer)
        required(:geometry).filled(:string)
        optional(:caption).maybe(:string)
        optional(:artist).maybe(:string)
        optional(:quality).value(:integer)
      end

      def handle(request, response)
        halt 422 unless request.params.valid?
        id = request.params[:asset_id]
        source = "/var/media/originals/#{id}.png"
        target = "/var/media/thumbs/#{id}.png"

        ToolCall.new("convert").arg(source, "-resize", request.params[:geometry], target).run
        credit(target, request.params[:artist]) if request.params[:artist]
        annotate(target, request.params[:caption]) if request.params[:caption]
        compress(id, request.params[:quality] || 80)
        response.status = 201
      end

      private

      def credit(target, artist)
        DirectCall.new("exiftool").arg("-overwrite_original", "-Artist=#{artist}", target).run
      end

      def annotate(target, caption)
        text = caption.gsub('"', '\"')
        `mogrify -gravity south -annotate 0 "#{text}" #{target}`
      end

      def compress(id, quality)
        system("cwebp -quiet -q #{quality} /var/media/thumbs/#{id}.png -o /var/media/webp/#{id}.webp")
      end
    end
  end
end
