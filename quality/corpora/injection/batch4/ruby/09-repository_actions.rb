require "open3"
require "pathname"

module Repohost
  class Git
    REPOS = Pathname.new("/srv/git")
    NAME = /\A[a-z0-9][a-z0-9_-]*\z/

    def initialize(name)
      raise ArgumentError, "unknown repository" unless NAME.match?(name)

      @dir = REPOS.join("#{name}.git")
    end

    def log(ref)
      out, = Open3.capture2("git", "-C", @dir.to_s, "log", "--oneline", "-n", "50", ref)
      out.lines(chomp: true)
    end

    def show(sha)
      raise ArgumentError, "bad object" unless sha.match?(/\A\h{40}\z/)

      Open3.capture2("git", "-C", @dir.to_s, "show", "--stat", sha).first
    end

    def diff(base, head)
      [base, head].each { |rev| raise ArgumentError, "bad revision" unless rev =~ /^[\w.\/]+$/ }
      `git -C #{@dir} diff --stat #{base}...#{head}`
    end

    def wiki(page)
      REPOS.join("wiki").join(page).read
    end
  end

  module Actions
    module Repositories
      class Log < Hanami::Action
        def handle(request, response)
          git = Git.new(request.params[:name])
          response.body = git.log(request.params[:ref] || "HEAD").join("\n")
        end
      end

      class Compare < Hanami::Action
        def handle(request, response)
          git = Git.new(request.params[:name])
          head = request.params[:head]
          response.body = head ? git.diff(request.params[:base], head) : git.show(request.params[:base])
        end
      end

      class Wiki < Hanami::Action
        def handle(request, response)
          response.body = Git.new(request.params[:name]).wiki(request.params[:page])
        end
      end

      class Archive < Hanami::Action
        ARCHIVES = "/srv/archives".freeze

        def handle(request, response)
          file = File.basename(request.params[:file])
          response.headers["Content-Type"] = "application/gzip"
          response.body = File.binread(File.join(ARCHIVES, file))
        end
      end
    end
  end
end
