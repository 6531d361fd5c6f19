import type { Rules } from '../rules.ts';

/** What a Go program reads that an attacker chooses, by framework. */
export const goSources: Rules['sources'] = [
  // net/http, gorilla, chi, httprouter.
  [
    `*.URL.{Query,Path,RawQuery,RawPath,String,RequestURI,EscapedPath,Fragment} {r,req,request,Request,http.Request,Request()}.{FormValue,PostFormValue,PathValue,Form,PostForm,Header,Cookie,Cookies,Body,RequestURI,FormFile,Host,UserAgent,Referer,MultipartForm,MultipartReader,BasicAuth,URL,Trailer} *.{FormValue,PostFormValue}
     mux.Vars chi.URLParam chi.URLParamFromCtx *.URLParam {params,ps,p,Params,ParamsFromContext()}.ByName {pat,way,flow,vestigo}.Param bone.GetValue httptreemux.ContextParams
     {conn,ws,c,Conn}.{ReadMessage,NextReader} {conn,ws,wsConn,Conn}.Read wsutil.{ReadClientData,ReadClientText,ReadClientBinary,ReadData}`,
    'request',
  ],
  // Gin, Echo, Fiber, Iris, Buffalo.
  [
    `{c,ctx,context,Context,Ctx}.{Query,Param,Params,PostForm,DefaultQuery,DefaultPostForm,GetHeader,QueryParam,QueryParams,FormValue,FormParams,ParamValues,Cookies,QueryArray,QueryMap,GetQuery,GetQueryArray,GetPostForm,GetPostFormArray,PostFormArray,PostFormMap,FormFile,MultipartForm,Body,BodyRaw,GetRawData,Cookie,QueryString,Queries,AllParams,OriginalURL,GetReqHeaders,GetReqHeader,URLParam,URLParamDefault,PostValue,PostValueDefault,PostValueTrim,PostValues,URLParams,URLParamTrim,URLParamEscape,FormValues,FormValueDefault,GetBody,GetCookie,ContentType,RealIP,IPs,Subdomains,BaseURL,Request.Header,Request.Body,UserAgent}
     Ctx.{Get,Path,Hostname,Host} fiber.{Query,Params,GetReqHeader}`,
    'request',
  ],
  // fasthttp, Beego, Revel, GoFrame, go-restful.
  [
    `{ctx,RequestCtx}.{QueryArgs,PostArgs,PostBody,UserValue,Path,RequestURI,FormValue,URI} RequestCtx.{Host,Referer,UserAgent} *.{QueryArgs,PostArgs,PostBody}
     {c,this,self,Controller}.{GetString,GetStrings,GetFile,Input} *.Ctx.Input.{Param,Query,RequestBody,Header,URL} Ctx.Input Ctx.GetCookie *.Params.{Get,Values,Query,Form,Route}
     Request.{Get,GetQuery,GetForm,GetRouter,GetPost,GetRequest,GetBody,GetBodyString,GetHeader,GetUploadFile,GetUploadFiles} *.{PathParameter,QueryParameter,QueryParameters,HeaderParameter,BodyParameter,PathParam}`,
    'request',
  ],
  // gRPC and its kin: what a client sends beside the message.
  ['metadata.{FromIncomingContext,ValueFromIncomingContext} {req,request,Request}.Msg {srv,server}.Recv', 'request'],
  // AWS Lambda: the events of its triggers.
  [
    'S3Event.Records S3EventRecord.S3 SQSEvent.Records SNSEvent.Records SNSEventRecord.SNS {KinesisEvent,DynamoDBEvent,SimpleEmailEvent,KafkaEvent}.Records {CloudWatchEvent,EventBridgeEvent}.Detail AppSyncResolverTemplate.Arguments {LambdaFunctionURLRequest,ALBTargetGroupRequest,APIGatewayWebsocketProxyRequest}.{Body,Headers,QueryStringParameters,Path,RawPath,RawQueryString,Cookies} {CognitoEventUserPoolsPreSignup,CognitoEventUserPoolsPostConfirmation}.Request {event,evt,ce}.Data',
    'request',
  ],
  [
    '*.{QueryStringParameters,MultiValueQueryStringParameters,PathParameters,RawQueryString,RawPath} {req,request,event,APIGatewayProxyRequest,APIGatewayV2HTTPRequest,SQSMessage,record}.{Body,Headers}',
    'request',
  ],
  // Messages of brokers, mail and plain connections.
  [
    `{reader,kafkaReader,consumer,NewReader()}.{ReadMessage,FetchMessage,Poll} {m,msg,message,Msg,Message,ConsumerMessage,Delivery,record,Record}.{Data,Value,Payload,Body} *.{ReceiveMessage,NextMsg,NextMsgWithContext,PollFetches,PollRecords} Consume().[] Messages().[] {Task,task,t}.Payload {job,Job}.{Args,ArgString,EncodedArgs} *.{BLPop,BRPop,XRead,XReadGroup,LPop,RPop}
     {Message,msg}.{Attributes,Key,Headers} Delivery.{RoutingKey,Headers}
     {tp,textproto.NewConn(),textproto.NewReader()}.{ReadLine,ReadMIMEHeader,ReadDotBytes} mail.{ReadMessage,ParseAddress} enmime.ReadEnvelope slack.SlashCommandParse slackevents.ParseEvent *.{NextPart,NextRawPart} {Part,part}.{FileName,FormName} stream.Recv *.RecvMsg`,
    'request',
  ],
  // Plain connections, sessions of SSH, questions of DNS, the arguments of GraphQL, chats.
  [
    `{ln,l,listener,lis,Listener,net.Listen(),tls.Listen(),net.ListenTCP()}.{Accept,AcceptTCP} Session.{RawCommand,Command,User,Subsystem,Environ} {sshConn,ServerConn}.User {Msg,m,msg}.Question ResolveParams.Args
     Context.{Text,Message,Callback} {update,u}.{Message,CallbackQuery,InlineQuery} MessageCreate.Content *.ApplicationCommandData SlashCommand.Text`,
    'request',
  ],
  // The names of the entries of an archive.
  [
    '{zip.OpenReader(),zip.NewReader(),zip.Reader,ReadCloser,zipReader,zr,archive}.File {tar.NewReader(),tarReader,tr,Reader}.Next',
    'request',
  ],
  [
    'os.{Args,Getenv,LookupEnv} {flag,pflag,FlagSet}.{Arg,Args,String,StringP} Flags().{GetString,GetStringSlice,GetStringArray,Args,Arg} kingpin.{Arg,Flag} {Context,cCtx,cliCtx}.{Args,String,StringSlice} {scanner,reader,bufio.NewReader(),bufio.NewScanner()}.{Text,ReadString,ReadLine}',
    'local',
  ],
];

/** Calls that fill the variables that they are given from a request. */
export const GO_REQUEST_BINDERS = `*.{BindJSON,ShouldBindJSON,ShouldBind,BindQuery,ShouldBindQuery,ShouldBindUri,BindUri,ShouldBindHeader,ShouldBindWith,ShouldBindBodyWith,ShouldBindXML,ShouldBindYAML,ShouldBindTOML,ShouldBindPlain,ShouldBindBodyWithJSON,ShouldBindBodyWithXML,ShouldBindBodyWithYAML,BindWith,BindHeader,BindAndValidate,BindByContentType,DecodeJsonPayload,ReadEntity,ParseForm,MustBindWith,BodyParser,QueryParser,ParamsParser,ReqHeaderParser,CookieParser,BindBody,BindPathParams,BindQueryParams,BindHeaders,ReadJSON,ReadForm,ReadQuery,ReadParams,ReadBody,BindXML,BindYAML}
   {c,ctx,context,Context}.Bind Params.Bind Request.Parse {render,binding}.{Bind,DecodeJSON,Decode} httpx.{Parse,ParsePath,ParseForm,ParseJsonBody,ParseHeaders} Bind().{Body,Query,URI,JSON,Form,Header,Cookie,All,XML,CBOR}
   {QueryParamsBinder(),PathParamsBinder(),FormFieldBinder()}.{String,MustString,Strings,BindUnmarshaler} {Event,event,e}.DataAs wsjson.Read websocket.{JSON,Message}.Receive
   {conn,Conn,UDPConn,TCPConn,UnixConn,PacketConn,pc}.{Read,ReadFrom,ReadFromUDP,ReadFromUDPAddrPort,ReadMsgUDP,ReadJSON}`;
