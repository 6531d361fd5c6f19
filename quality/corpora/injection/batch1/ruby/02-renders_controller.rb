class RenderOptions
  attr_accessor :engine, :output, :scene

  def initialize
    @engine = 'CYCLES'
    @output = '/srv/renders/last.png'
  end
end

class SceneRenderer
  def initialize(options)
    @options = options
  end

  def call
    `blender -b #{@options.scene} -E #{@options.engine} -o #{@options.output} -f 1`
  end

  def sweep
    system("touch #{@options.output}")
  end
end

class RendersController < ApplicationController
  def create
    options = RenderOptions.new
    options.scene = params.require(:scene)
    renderer = SceneRenderer.new(options)
    renderer.sweep
    log = renderer.call
    render plain: log, status: :created
  end
end
