require "aws-sdk-s3"
require "json"
require "cgi"
require "open3"
require "securerandom"

S3 = Aws::S3::Client.new
WORK = "/srv/work".freeze

def handler(event:, context:)
  event["Records"].map do |record|
    case record
    in { "eventSource" => "aws:sqs", "body" => String => body }
      run_job(JSON.parse(body, symbolize_names: true))
    in { "eventSource" => "aws:s3", "s3" => { "bucket" => { "name" => bucket }, "object" => { "key" => key } } }
      import(bucket, CGI.unescape(key))
    else
      puts "request #{context.aws_request_id}: ignored record"
      nil
    end
  end
end

def import(bucket, key)
  object = S3.get_object(bucket: bucket, key: key)
  local = "#{WORK}/#{key}"
  File.binwrite(local, object.body.read)
  { imported: key, bytes: object.content_length }
end

def run_job(job)
  case job
  in { type: "render", template: String => template, format: "pdf" | "png" => format }
    render_document(template, format)
  in { type: "expire", days: Integer => days }
    system("find #{WORK} -type f -mtime +#{days} -delete")
  in { type: "preview", file: /\A[a-z0-9_]+\.csv\z/ => file }
    File.foreach("#{WORK}/#{file}").first(20)
  in { type: "count", pattern: String => pattern }
    count_lines(**job.slice(:pattern))
  end
end

def render_document(template, format)
  out = "#{WORK}/#{SecureRandom.hex(8)}.#{format}"
  command = ["render-doc", "--quiet"]
  command.push("--template", template)
  command.push("--output", out)
  stdout, status = Open3.capture2e(command.join(" "))
  raise stdout unless status.success?

  out
end

def count_lines(pattern:)
  IO.popen(["grep", "-rc", "--include=*.csv", "-e", pattern, WORK], &:readlines)
end
