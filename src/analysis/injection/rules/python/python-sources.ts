import type { Rules } from '../rules.ts';

/** What a Python program reads that an attacker chooses, by framework. */
export const pythonSources: Rules['sources'] = [
  // Flask, Quart, Django, DRF, Starlette, aiohttp, Bottle, Pyramid, Sanic: members of `request`.
  [
    `{request,req,Request,HttpRequest,WSGIRequest}.{args,form,values,json,data,files,headers,cookies,GET,POST,FILES,META,body,COOKIES,query_params,path_params,query_string,get_json,get_data,stream,view_args,url,path,full_path,match_info,query,rel_url,post,text,matchdict,params,forms,json_body,raw_args,query_args,media,bounded_stream,uri,path_info,environ,content,read,multipart,get_full_path,build_absolute_uri,user_agent,referrer,remote_user,raw_post_data,path_qs}
     {req,request}.{get_param,get_param_as_list,get_header,get_media,get_cookie_values,get_form} flask.request.{args,form,values,json,data,files,headers,cookies} {bottle,cherrypy}.request.{params,query,forms}
     cherrypy.request.params web.{input,data} self.{GET,POST}`,
    'request',
  ],
  // Tornado, websockets, CGI.
  [
    `*.{get_argument,get_query_argument,get_body_argument,get_arguments,get_query_arguments,get_body_arguments,get_cookie,path_args,path_kwargs} self.request.{arguments,body,files,uri,headers} cgi.{FieldStorage,parse}
     *.{receive_text,receive_json,receive_bytes,recv,recvfrom} {st,streamlit}.{text_input,text_area,chat_input,file_uploader} {websocket,ws,WebSocket}.{recv,receive,query_params,path_params} self.kwargs`,
    'request',
  ],
  // AWS Lambda, Azure Functions (`req.params`), Google Cloud Functions (Flask).
  [
    'event.{queryStringParameters,pathParameters,body,headers,multiValueQueryStringParameters,Records,arguments,rawPath,rawQueryString,detail,path} {req,HttpRequest}.{route_params,get_body} email.{message_from_bytes,message_from_string,message_from_file} environ.{QUERY_STRING,PATH_INFO,HTTP_COOKIE,HTTP_USER_AGENT,HTTP_REFERER,HTTP_HOST,REQUEST_URI,wsgi.input} {BaseHTTPRequestHandler,SimpleHTTPRequestHandler,CGIHTTPRequestHandler}.{path,rfile,headers}',
    'request',
  ],
  // E-mail, and messages of brokers.
  [
    `email.parser.{BytesParser(),Parser(),BytesFeedParser()}.{parse,parsebytes,parsestr} {BytesParser(),Parser()}.{parse,parsebytes,parsestr} *.{get_filename,iter_attachments,get_payload} {imap,box,mailbox,mail,IMAP4(),IMAP4_SSL()}.fetch {pop,POP3(),POP3_SSL()}.retr {mailbox.mbox(),mailbox.Maildir()}.[]
     {consumer,KafkaConsumer(),Consumer(),AIOKafkaConsumer()}.{[],poll,consume,getone,getmany} *.{receive_message,receive_messages} {pubsub,pubsub()}.{listen,get_message} {msg,message}.{payload} {websocket,ws,WebSocket,WebSocketResponse(),websockets.connect()}.[]`,
    'request',
  ],
  // Names that come with an upload or an archive.
  ['{UploadFile,FileStorage,UploadedFile}.{filename,name} *.{namelist,getnames,infolist,getmembers}', 'request'],
  [
    'sys.stdin.[] fileinput.input() input raw_input sys.argv os.environ os.getenv os.environ.get os.environb sys.stdin.{read,readline,readlines} stdin.{read,readline} parser.parse_args *.parse_args *.parse_known_args click.prompt getpass.getpass fileinput.input',
    'local',
  ],
];

/** Decorators of functions whose parameters a framework fills from a request. */
export const PYTHON_FUNCTION_ANNOTATION =
  /\.(route|get|post|put|patch|delete|head|options|websocket|api_route|endpoint|command|expose|view|errorhandler|trace|subscribe|message_handler|on_message|event)\s*\(|@(app|router|api|bp|blueprint|get|post|put|delete|patch|route|view|expose|cherrypy\.expose|action|tool|mcp\.tool)\b|view_config|api_view|@\w+\.(expose|tool)\b/;
