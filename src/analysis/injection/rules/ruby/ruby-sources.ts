import type { Rules } from '../rules.ts';

/** What a Ruby program reads that an attacker chooses, by framework. */
export const rubySources: Rules['sources'] = [
  // Rails, Sinatra, Grape, Roda, Hanami, Rack.
  [
    `params cookies headers {request,req,r,@request,rack_request,Rack.Request.new()}.{env,query,query_string,headers,body,params,path,fullpath,url,referer,referrer,user_agent,raw_post,request_parameters,query_parameters,path_parameters,GET,POST,cookies,path_info,original_fullpath,original_url,host,get_header,filtered_parameters,remaining_path,form_data}
     env.{QUERY_STRING,PATH_INFO,REQUEST_URI,HTTP_REFERER,HTTP_USER_AGENT,HTTP_COOKIE,HTTP_X_FORWARDED_FOR,HTTP_HOST} declared permitted_params *.original_filename {mail,inbound_email,email,message}.{subject,body,from,to,decoded,attachments,text_part,html_part,raw_email}`,
    'request',
  ],
  [
    'event.{queryStringParameters,pathParameters,body,headers,multiValueQueryStringParameters,Records,rawPath,rawQueryString,detail}',
    'request',
  ],
  // The names of the entries of an archive.
  ['{entry,zip_entry,tar_entry}.{name,full_name}', 'request'],
  [
    'ENV ARGV gets STDIN.{gets,read,readline} $stdin.{gets,read,readline} ARGF.read readline readlines Readline.readline',
    'local',
  ],
];
