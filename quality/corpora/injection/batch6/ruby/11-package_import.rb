require "nokogiri"
require "zip"
require "fileutils"

class PackageImport
  class Invalid < StandardError; end

  TARGET = "/srv/courses".freeze

  attr_reader :course

  def self.call(env)
    request = Rack::Request.new(env)
    import = new(request.params.fetch("course").to_i)
    case request.path_info
    when "/manifest" then import.manifest(request.body.read)
    when "/outline" then import.outline(request.body.read)
    when "/media" then import.media(request.params["file"][:tempfile])
    when "/texts" then import.texts(request.params["file"][:tempfile])
    when "/item" then import.item(request.params["ref"])
    end
    [204, {}, []]
  rescue Invalid => e
    [422, {}, [e.message]]
  end

  def initialize(course)
    @course = course
  end

  def manifest(xml)
    doc = Nokogiri::XML(xml) { |config| config.noent.dtdload }
    doc.css("resource").each { |node| Resource.create!(course_id: course, title: node.text) }
  end

  def outline(xml)
    doc = Nokogiri::XML(xml) { |config| config.strict.nonet }
    doc.css("item").each { |node| Item.create!(course_id: course, title: node["title"]) }
  end

  def item(ref)
    doc = Nokogiri::XML(File.read(File.join(TARGET, course.to_s, "imsmanifest.xml")))
    doc.at_xpath("//item[@identifierref='#{ref}']") or raise Invalid, "no such item"
  end

  def media(tempfile)
    Zip::File.open(tempfile.path) do |zip|
      zip.each do |entry|
        next unless entry.file?

        destination = File.join(TARGET, course.to_s, "media", entry.name)
        FileUtils.mkdir_p(File.dirname(destination))
        File.binwrite(destination, entry.get_input_stream.read)
      end
    end
  end

  def texts(tempfile)
    base = File.join(TARGET, course.to_s, "texts") + "/"
    Zip::File.open(tempfile.path) do |zip|
      zip.select(&:file?).each do |entry|
        destination = File.expand_path(entry.name, base)
        raise Invalid, entry.name unless destination.start_with?(base)

        FileUtils.mkdir_p(File.dirname(destination))
        File.binwrite(destination, entry.get_input_stream.read)
      end
    end
  end
end
