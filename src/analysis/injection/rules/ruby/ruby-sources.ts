import type { Rules } from '../rules.ts';

/** What a Ruby program reads that an attacker chooses, by framework. */
export const rubySources: Rules['sources'] = [
  // Rails, Sinatra, Grape, Roda, Hanami, Rack.
  [
    `params cookies headers {self,controller,@controller,controller(),helpers,context}.{params,cookies} {request,request(),req,r,@request,@req,rack_request,Rack.Request.new()}.{env,query,query_string,headers,body,params,path,fullpath,url,referer,referrer,user_agent,raw_post,request_parameters,query_parameters,path_parameters,GET,POST,cookies,path_info,original_fullpath,original_url,host,get_header,filtered_parameters,remaining_path,form_data}
     {request,request(),req,@request,@req,Rack.Request.new()}.{[],subdomain,subdomains,domain,authorization,content_type,media_type,host_with_port,server_name,cookie_jar,filtered_path,unparsed_uri,request_uri,header,message,metadata}
     env.{QUERY_STRING,PATH_INFO,REQUEST_URI,HTTP_REFERER,HTTP_USER_AGENT,HTTP_COOKIE,HTTP_X_FORWARDED_FOR,HTTP_HOST} declared permitted_params *.original_filename {mail,mail(),@mail,inbound_email,email,message,Mail.new(),Mail.read(),Mail.read_from_string()}.{subject,body,from,to,cc,bcc,reply_to,sender,message_id,header,header_fields,parts,all_parts,decoded,attachments,text_part,html_part,raw_email}
     typecast_params.{str,str!,nonempty_str,nonempty_str!,array,array!,any,any!,file,file!} {cgi,CGI.new()}.{params,cookies,multipart_params,query_string,path_info,path_translated,user_agent,referer,keys,raw_cookie}`,
    'request',
  ],
  [
    'event.{queryStringParameters,pathParameters,body,headers,multiValueQueryStringParameters,Records,rawPath,rawQueryString,detail,data} e.data',
    'request',
  ],
  // Messages of queues and bots, calls of gRPC, sockets of a server.
  [
    `{message,msg,sqs_msg,sqs_message,received_message}.{value,payload,raw_payload,data,text,body,message_attributes,headers,attributes} messages.{payloads,raw_payloads} {sqs,@sqs,client,@client,sqs_client,@sqs_client}.receive_message {call,_call}.metadata
     {client,socket,sock,conn,connection,accept()}.{gets,readline,recv,recv_nonblock,readpartial,read_nonblock} {socket,sock,accept()}.{read,each_line} *.{recvfrom,recvmsg,recvfrom_nonblock}`,
    'request',
  ],
  // The names of the entries of an archive.
  [
    '{entry,zip_entry,tar_entry,e}.{full_name,pathname} {entry,zip_entry,tar_entry}.{name,path} {header,header()}.name',
    'request',
  ],
  [
    'ENV ARGV gets STDIN.{gets,read,readline} $stdin.{gets,read,readline} ARGF.{read,gets,readlines,each_line} {STDIN,$stdin}.{each_line,readlines} readline readlines {Readline,Reline}.readline {prompt,Prompt.new()}.{ask,multiline}',
    'local',
  ],
];
