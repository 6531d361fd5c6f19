import type { Rules } from '../rules.ts';

/** What a JavaScript program reads that an attacker chooses, by framework. */
export const javascriptSources: Rules['sources'] = [
  // Express, Fastify, Hapi, Nest, Polka, Restify, node:http.
  [
    `{req,request,IncomingMessage}.[] {req,request}.{all,only,except,qs,fields,subdomains,valid,allParams,baseUrl,data,getParameter,getQuery,getHeader,getUrl,pathParameters,queryStringParameters} call.{request,metadata}
     {req,request,Request,FastifyRequest,ExpressRequest,NextApiRequest,IncomingMessage}.{query,body,params,headers,cookies,signedCookies,url,originalUrl,path,files,file,parts,saveRequestFiles,rawBody,hostname,param,get,header,raw,payload,input,rawHeaders,state,pre}
     {opts,options}.input params.query handshake.{query,auth,headers} headers.{:path,:authority} micro.{json,text,buffer} raw-body raw-body.default getRawBody basic-auth basic-auth.default basicAuth co-body co-body.{json,form,text} file.{originalname,originalFilename} {info,part,attachment,att}.{filename,fileName} {uploadedFile,upload}.{name,originalFilename}`,
    'request',
  ],
  // Koa, Hono, Elysia, Oak.
  [
    `{ctx,context,c,Context}.{query,params,cookies,querystring,search,url,originalUrl,path} ctx.{headers,header,host,hostname,queries,captures} *.getFileStream {ctx,context,c,Context}.{req,request}.{query,body,param,params,queries,header,headers,parseBody,json,text,formData,arrayBuffer,rawBody,cookies,url,path,files,originalUrl,href,querystring}`,
    'request',
  ],
  // Next, Remix, SvelteKit, Astro, the web's own Request.
  [
    `{req,request,Request,NextRequest}.{nextUrl,json,formData,text,blob,arrayBuffer} {searchParams,formData,FormData,URLSearchParams}.{get,getAll} req.searchParams #.{params,searchParams} event.{url,params,cookies} url.searchParams nextUrl.searchParams Astro.{params,url,request,cookies}
     {headers,cookies}().get h3.{getQuery,getRouterParam,getRouterParams,getHeader,getHeaders,getRequestHeader,getRequestHeaders,getRequestURL,getRequestPath,getCookie,readBody,readRawBody,readFormData,readMultipartFormData}
     getQuery getRouterParam getRouterParams getRequestHeader getRequestURL getCookie readBody readRawBody readMultipartFormData
     useSearchParams() useParams() useRouter().query router.query`,
    'request',
  ],
  // Queues, topics, sockets, chats and mails.
  [
    `{msg,message}.{content,Body,value,data,body,text,payload,fields} {job,Job}.data {batch,payload}.messages *.Messages {event,evt,ev,e,MessageEvent}.data event.text context.payload subscribe().[] *.{blpop,brpop,blPop,brPop,xread,xRead,xreadgroup,xReadGroup} {form,formidable(),new:IncomingForm()}.parse
     mailparser.simpleParser {PostalMime,parser}.parse {mail,parsed,email,ParsedMail}.{attachments,subject,from,to,cc,text,html,textAsHtml,headers,messageId} {session,Session}.envelope
     {interaction,options}.{getString,getSubcommand} command.text {ctx.message,ctx.update,ctx.match,ctx.payload} ctx.{message,match,payload}`,
    'request',
  ],
  // AWS Lambda and the like.
  [
    `event.{queryStringParameters,pathParameters,body,multiValueQueryStringParameters,headers,multiValueHeaders,Records,arguments,rawPath,rawQueryString,detail,path,cookies,requestContext}
     context.{bindingData,triggerMetadata} {SQSEvent,S3Event,SNSEvent,KinesisStreamEvent,DynamoDBStreamEvent}.Records {APIGatewayProxyEvent,APIGatewayProxyEventV2,APIGatewayEvent}.{queryStringParameters,pathParameters,body,headers,rawPath,rawQueryString}`,
    'request',
  ],
  // The names of the entries of an archive.
  [
    '{entry,zipEntry,Entry}.{path,entryName,fileName} {header,headers}.name zipEntry.name *.entryName {jszip,zip,JSZip,loadAsync()}.files unzipSync fflate.unzipSync',
    'request',
  ],
  [
    'location.{search,hash,href,pathname} {window.,document.}location URLSearchParams document.{URL,referrer,cookie}',
    'request',
  ],
  [
    'process.{argv,env} *.argv {program,commander}.{opts,args,processedArgs} core.getInput inquirer.prompt prompts parseArgs().{values,positionals} readline.question {rl,readline}.question',
    'local',
  ],
];

/** Decorators of parameters that a framework fills from a request or a message. */
export const JAVASCRIPT_PARAMETER_ANNOTATION =
  /@(Query|Param|Params|Body|Headers|Req|Request|QueryParam|QueryParams|PathParam|PathParams|BodyParam|BodyParams|BodyProp|CookieParam|CookieParams|Cookies|HeaderParam|HeaderParams|UploadedFile|UploadedFiles|MessageBody|Payload|RabbitPayload|Args|Arg|Path|Header|FormField|Inject?Payload|HostParam|RawBodyRequest|RawBody|MultipartFile|SlashOption|param|requestBody)\b/;

/** Decorators of methods that a framework calls with a message. */
export const JAVASCRIPT_FUNCTION_ANNOTATION =
  /@(?:MessagePattern|EventPattern|SubscribeMessage|GrpcMethod|GrpcStreamMethod|RabbitSubscribe|RabbitRPC|Process|OnEvent|SqsMessageHandler)\b/;

/** Calls whose callback is a handler of requests or messages. */
export const JAVASCRIPT_HANDLERS = `{ipcMain}.{handle,on,handleOnce,once} {socket,ws,client,wss,connection,conn,req,request,IncomingMessage}.on socket.onAny
   {app,router}.param {app,router,server,fastify,api,routes,route,Router(),express(),polka(),fastify()}.{get,post,put,patch,delete,del,all,use,options,head} *.createServer createServer {channel,consumer,worker,ch}.consume {form,IncomingForm,formidable()}.parse {bb,busboy,busboy(),Busboy}.on
   {req,request}.pipe().on new Worker {queue,worker,boss,jobs}.{process,work} agenda.define {nc,nats,sub,subscriber,redis,pubsub,subscription,client,mqttClient,bus}.{subscribe,pSubscribe,psubscribe} {io,nsp,namespace,sub,subscription,subscriber,redis,mqttClient,process,parentPort,server,createSocket()}.on {bot,slack,boltApp,app}.{command,on,hears,onText,message,action,event,shortcut}
   functions.{http,cloudEvent} https.{onCall,onRequest} onCall onRequest onObjectFinalized onMessagePublished *.{onFinalize,onPublish,onDidReceiveMessage} {onMessage,onMessageExternal}.addListener Meteor.publish {server,mcp,mcpServer}.{tool,registerTool,addTool,resource,registerResource,prompt,registerPrompt} {rpc,jsonrpc,server,connection,conn}.{addMethod,onRequest,onNotification} {zip,jszip}.forEach`;
/** The first parameter of a GraphQL resolver, whose further ones are what the query says. */
export const JAVASCRIPT_RESOLVER_PARAMETER = /^_*(?:parent|root|obj|source)$|^__?$/;
