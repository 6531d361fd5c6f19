import type { Rules } from '../rules.ts';

/** What a Python program reads that an attacker chooses, by framework. */
export const pythonSources: Rules['sources'] = [
  // Flask, Quart, Django, DRF, Starlette, aiohttp, Bottle, Pyramid, Sanic: members of `request`.
  [
    `{request,req,Request,HttpRequest,WSGIRequest}.{args,form,values,json,data,files,headers,cookies,GET,POST,FILES,META,body,COOKIES,query_params,path_params,query_string,get_json,get_data,stream,view_args,url,path,full_path,match_info,query,rel_url,post,text,matchdict,params,forms,json_body,raw_args,query_args,media,bounded_stream,uri,path_info,environ,content,read,multipart,get_full_path,build_absolute_uri,user_agent,referrer,remote_user,authorization,raw_post_data,path_qs,input,swagger_data}
     {req,request}.{get_param,get_param_as_list,get_header,get_media,get_cookie_values,get_form} flask.request.{args,form,values,json,data,files,headers,cookies} {bottle,cherrypy}.request.{params,query,forms,json,body}
     cherrypy.request.params web.{input,data} self.{GET,POST} self.request.{get,get_all} resolver_match.{kwargs,args} reqparse.RequestParser().parse_args RequestParser().parse_args`,
    'request',
  ],
  // The fields of a form whose class is not known.
  ['form.data form.*.data form.cleaned_data serializer.validated_data', 'request'],
  // Tornado, websockets, ASGI, CGI.
  [
    `*.{get_argument,get_query_argument,get_body_argument,get_arguments,get_query_arguments,get_body_arguments,get_cookie,path_args,path_kwargs} self.request.{arguments,body,files,uri,headers} cgi.{FieldStorage,parse}
     *.{receive_text,receive_json,receive_bytes,recv,recvfrom,recv_string,recv_json,recv_multipart,recv_pyobj} {st,streamlit}.{text_input,text_area,chat_input,file_uploader,query_params,experimental_get_query_params} {websocket,ws,WebSocket}.{recv,receive,query_params,path_params} self.kwargs
     scope.{path,raw_path,query_string,headers,url_route} receive().{body,text,bytes} self.rfile.{[],read,readline} {StreamReader,open_connection()}.{[],read,readline,readuntil,readexactly} reader.{readuntil,readexactly}`,
    'request',
  ],
  // AWS Lambda, Azure Functions (`req.params`), Google Cloud Functions (Flask).
  [
    `event.{queryStringParameters,pathParameters,body,headers,multiValueQueryStringParameters,Records,arguments,rawPath,rawQueryString,detail,path} {req,HttpRequest}.{route_params,get_body} email.{message_from_bytes,message_from_string,message_from_file} environ.{QUERY_STRING,PATH_INFO,HTTP_COOKIE,HTTP_USER_AGENT,HTTP_REFERER,HTTP_HOST,REQUEST_URI,wsgi.input} {BaseHTTPRequestHandler,SimpleHTTPRequestHandler,CGIHTTPRequestHandler}.{path,rfile,headers}
     current_request.{query_params,uri_params,json_body,raw_body,headers} current_event.{body,json_body,decoded_body,headers,path,query_string_parameters,path_parameters,get_query_string_value,get_header_value} {cloud_event,cloudevent,CloudEvent}.data {msg,message,event,QueueMessage,ServiceBusMessage,EventHubEvent,KafkaEvent}.{get_body,get_json} InputStream.{name,uri,read}`,
    'request',
  ],
  // E-mail, and messages of brokers and chats.
  [
    `email.parser.{BytesParser(),Parser(),BytesFeedParser()}.{parse,parsebytes,parsestr} {BytesParser(),Parser()}.{parse,parsebytes,parsestr} *.{get_filename,iter_attachments,get_payload} {imap,box,mailbox,mail,IMAP4(),IMAP4_SSL()}.fetch {pop,POP3(),POP3_SSL()}.retr {mailbox.mbox(),mailbox.Maildir()}.[]
     {consumer,KafkaConsumer(),Consumer(),AIOKafkaConsumer()}.{[],poll,consume,getone,getmany} *.{receive_message,receive_messages,blpop,brpop,xread,xreadgroup,invocation_metadata} {pubsub,pubsub()}.{listen,get_message} {msg,message}.{payload,data,body,value,topic,text,content,caption,attributes} frame.body {websocket,ws,WebSocket,WebSocketResponse(),websockets.connect()}.[]
     envelope.{content,original_content,mail_from,rcpt_tos} effective_message.{text,caption} {document,effective_attachment}.file_name callback_query.data update.message.text context.args CallbackContext.args`,
    'request',
  ],
  // Names that come with an upload or an archive.
  [
    '{UploadFile,FileStorage,UploadedFile}.{filename,name} *.{namelist,getnames,infolist,getmembers} {tarfile.open(),TarFile()}.{[],next} SevenZipFile().{readall,read}',
    'request',
  ],
  [
    'sys.stdin.[] fileinput.input() input raw_input sys.argv os.environ os.getenv os.environ.get os.environb sys.stdin.{read,readline,readlines} stdin.{read,readline} parser.parse_args *.parse_args *.parse_known_args click.prompt getpass.getpass fileinput.input',
    'local',
  ],
  // Of WSGI: `environ.get('HTTP_X_NAME')`.
  ['environ.get', 'request'],
];

/** Decorators of functions whose parameters a framework fills from a request. */
export const PYTHON_FUNCTION_ANNOTATION = new RegExp(
  [
    // Routes, messages, commands of chats, tools of agents, fields of GraphQL.
    String.raw`\.(?:route|get|post|put|patch|delete|head|options|websocket|api_route|endpoint|slash_command|expose|view|errorhandler|trace|subscribe|message_handler|on_\w+|event|call_tool|resource|prompt|arguments|field|mutation|method|add_method)\s*\(`,
    String.raw`\b(?:sio|socketio|socket|bot|client)\.on\s*\(|\b(?:bot|tree|commands|client|dp)\.command\s*\(|\bapp\.command\s*\(\s*['"]/|\bcallback\s*\(\s*\[?(?:\w+\.)?Output\b`,
    String.raw`@app\b(?!\.(?:cli\b|command\(\s*\)))|@(?:router|api|bp|blueprint|get|post|put|delete|patch|route|view|expose|cherrypy\.expose|action|tool|mcp\.tool|method|rpc|srpc|http|query|mutation)\b|view_config|api_view|@\w+\.(?:expose|tool|event|field|mutation|query|rpc|on_message)\b`,
  ].join('|'),
);

/** Methods that a framework calls with what was sent. */
export const PYTHON_REQUEST_METHODS = new RegExp(
  [
    String.raw`Servicer#(?!_)\w+$|@[\w.]*\bexpose#(?!_)\w+$`,
    String.raw`(?:Consumer|Handler|Endpoint)#(?:receive|receive_json|on_message|on_receive)$`,
    String.raw`(?:^|\.)(?:Resource|MethodView|\w*Handler)#(?:get|post|put|patch|delete|head)$|(?:^|\.)View#dispatch_request$`,
    String.raw`(?:Protocol|Receiver|Factory)#(?:data_received|datagram_received|\w+Received|onMessage)$|SMTPServer#process_message$`,
    String.raw`Listener#on_message$|Namespace#on_\w+$|ConsumerMixin#\w+_(?:task|message)$|(?:^|\.)Service#exposed_\w+$|ServerSession#(?:exec_requested|data_received)$`,
    String.raw`^#(?:GET|POST|PUT|PATCH|DELETE)$`,
    String.raw`ObjectType#resolve_\w+$|Mutation#mutate(?:_and_get_payload)?$`,
  ].join('|'),
);
