import type { Rules } from '../rules.ts';

/** What a Go program reads that an attacker chooses, by framework. */
export const goSources: Rules['sources'] = [
  // net/http, gorilla, chi, httprouter.
  [
    `*.URL.{Query,Path,RawQuery,RawPath,String,RequestURI,EscapedPath,Fragment} {r,req,request,Request,http.Request,Request()}.{FormValue,PostFormValue,PathValue,Form,PostForm,Header,Cookie,Cookies,Body,RequestURI,FormFile,Host,UserAgent,Referer,MultipartForm,MultipartReader,BasicAuth,URL} *.{FormValue,PostFormValue}
     mux.Vars chi.URLParam chi.URLParamFromCtx *.URLParam {params,ps,p,Params,httprouter.ParamsFromContext()}.ByName {conn,ws,c,Conn}.ReadMessage`,
    'request',
  ],
  // Gin, Echo, Fiber, Iris, Buffalo.
  [
    `{c,ctx,context,Context,Ctx}.{Query,Param,Params,PostForm,DefaultQuery,DefaultPostForm,GetHeader,QueryParam,QueryParams,FormValue,FormParams,ParamValues,Cookies,QueryArray,QueryMap,GetQuery,GetQueryArray,GetPostForm,GetPostFormArray,PostFormArray,PostFormMap,FormFile,MultipartForm,Body,BodyRaw,GetRawData,Cookie,QueryString,Queries,AllParams,OriginalURL,GetReqHeaders,GetReqHeader,URLParam,URLParamDefault,PostValue,PostValueDefault,Request.Header,Request.Body,UserAgent}
     Ctx.{Get,Path,Hostname} Context.{FullPath}`,
    'request',
  ],
  // fasthttp, Beego, Revel.
  [
    `{ctx,RequestCtx}.{QueryArgs,PostArgs,PostBody,UserValue,Path,RequestURI,FormValue,URI} *.{QueryArgs,PostArgs,PostBody}
     {c,this,self,Controller}.{GetString,GetStrings,GetFile} *.Ctx.Input.{Param,Query,RequestBody,Header,URL} Ctx.Input *.Params.{Get,Values,Query,Form,Route}`,
    'request',
  ],
  // AWS Lambda.
  [
    '*.{QueryStringParameters,MultiValueQueryStringParameters,PathParameters,RawQueryString} {req,request,event,APIGatewayProxyRequest,APIGatewayV2HTTPRequest,SQSMessage,record}.{Body,Headers}',
    'request',
  ],
  // Messages of brokers, mail and plain connections.
  [
    `{reader,kafkaReader,consumer,NewReader()}.{ReadMessage,FetchMessage,Poll} {m,msg,message,Msg,Message,ConsumerMessage,Delivery,record,Record}.{Data,Value,Payload,Body} *.{ReceiveMessage,NextMsg,NextMsgWithContext} Consume().[] Messages().[]
     {tp,textproto.NewConn(),textproto.NewReader()}.{ReadLine,ReadMIMEHeader,ReadDotBytes} mail.{ReadMessage,ParseAddress} *.{NextPart,NextRawPart} stream.Recv *.RecvMsg`,
    'request',
  ],
  // The names of the entries of an archive.
  [
    '{zip.OpenReader(),zip.NewReader(),zip.Reader,ReadCloser,zipReader,zr,archive}.File {tar.NewReader(),tarReader,tr}.Next',
    'request',
  ],
  [
    'os.{Args,Getenv,LookupEnv} flag.{Arg,Args,String} {scanner,reader,bufio.NewReader(),bufio.NewScanner()}.{Text,ReadString,ReadLine}',
    'local',
  ],
];

/** Calls that fill the variables that they are given from a request. */
export const GO_REQUEST_BINDERS = `*.{BindJSON,ShouldBindJSON,ShouldBind,BindQuery,ShouldBindQuery,ShouldBindUri,BindUri,ShouldBindHeader,ShouldBindWith,ShouldBindBodyWith,MustBindWith,BodyParser,QueryParser,ParamsParser,ReqHeaderParser,CookieParser,BindBody,BindPathParams,BindQueryParams,BindHeaders,ReadJSON,ReadForm,ReadQuery,ReadParams,ReadBody,BindXML,BindYAML}
   {c,ctx,context,Context}.Bind render.{Bind,DecodeJSON,Decode} Bind().{Body,Query,URI,JSON,Form}`;
