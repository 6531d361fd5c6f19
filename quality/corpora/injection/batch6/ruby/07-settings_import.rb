require "sinatra"
require "yaml"
require "erb"
require "json"
require "pathname"

PROFILES = Pathname.new("/srv/settings/profiles")
TEMPLATE = ERB.new(<<~TEXT)
  Hello <%= name %>,
  your profile has <%= count %> settings.
TEXT

class Profile
  attr_reader :name, :values

  def initialize(name, values = {})
    @name = name
    @values = values
  end

  def path
    PROFILES.join("#{name}.yml")
  end

  def save
    path.write(values.to_yaml)
  end

  def count
    values.size
  end

  def get_binding
    binding
  end
end

before do
  @body = request.body.read
end

post "/profiles/import" do
  values = YAML.unsafe_load(@body)
  halt 422 unless values.is_a?(Hash)
  Profile.new(params["name"], values).save
  status 201
end

post "/profiles/check" do
  values = YAML.safe_load(@body, permitted_classes: [Date])
  content_type :json
  JSON.generate(keys: values.keys.sort)
end

get "/profiles/mail" do
  profile = Profile.new(params["name"], { "theme" => "dark" })
  TEMPLATE.result(profile.get_binding)
end

post "/profiles/preview" do
  profile = Profile.new(params["name"], {})
  ERB.new(@body).result(profile.get_binding)
end

get "/profiles/show" do
  wanted = PROFILES.children.find { |child| child.basename(".yml").to_s == params["name"] }
  halt 404 unless wanted
  wanted.read
end
