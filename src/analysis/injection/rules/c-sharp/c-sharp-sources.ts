import type { Rules } from '../rules.ts';

const MEMBERS =
  '{Query,Form,QueryString,Params,Headers,Cookies,RouteValues,Path,PathBase,Body,BodyReader,Files,RawUrl,Url,UrlReferrer,UserAgent,InputStream,ReadFormAsync,ServerVariables,PathInfo,FilePath,Host,Unvalidated,ReadFromJsonAsync,ReadAsStringAsync,ReadAsString,GetDisplayUrl,GetEncodedUrl,AppRelativeCurrentExecutionFilePath}';

/** What a C# program reads that an attacker chooses, by framework. */
export const cSharpSources: Rules['sources'] = [
  // ASP.NET Core, MVC 5, Web Forms, Web API.
  [
    `{Request,request,req,HttpRequest,HttpRequestBase,HttpRequestMessage,HttpRequestData,HttpListenerRequest,IRequest,_request,r}.${MEMBERS} Request {HttpContext,context,ctx,Current,Context}.Request {HttpContext,context,ctx,Current,httpContext,_context,HttpContextAccessor,http,GetHttpContext()}.Request.${MEMBERS}
     RouteData.Values Route {Request,request,req}.{GetQueryNameValuePairs,RequestUri} *.GetRouteValue Page.Request.${MEMBERS} IRequest.{FormData,GetRawBody,GetRawBodyAsync,PathInfo} {NavigationManager,navigationManager,Navigation}.Uri *.{QueryStringParameters,PathParameters,GetQueryParameterDictionary}`,
    'request',
  ],
  // Uploads, archives, AWS Lambda, messages.
  [
    '{IFormFile,HttpPostedFile,HttpPostedFileBase,file,formFile,postedFile,upload,uploadedFile,PostedFile,f}.{FileName,OpenReadStream} ContentDisposition.FileName InputFileChangeEventArgs.{File,GetMultipleFiles} {IBrowserFile,browserFile}.{Name,OpenReadStream} {ActionExecutingContext,filterContext,actionContext,context}.{ActionArguments,ActionParameters} {ArchiveFactory,RarArchive,TarArchive,SevenZipArchive}.Open().Entries *.{GetNextEntry,GetNextEntryAsync,ReadNextSectionAsync,AsFileSection,AsFormDataSection} {IArchiveEntry,IEntry}.Key {reader,IReader}.Entry {entry,zipEntry,ZipArchiveEntry}.FullName {APIGatewayProxyRequest,APIGatewayHttpApiV2ProxyRequest}.{Body,Headers,QueryStringParameters,PathParameters} #request {ServiceBusReceivedMessage,QueueMessage,SQSMessage}.Body {MimeMessage,MailMessage,mail}.{Subject,TextBody,HtmlBody,From}',
    'request',
  ],
  // Messages of queues and buses, gRPC, mail that is read.
  [
    `ConsumeContext.Message {BasicDeliverEventArgs,ea,eventArgs,deliverEventArgs}.Body {ProcessMessageEventArgs,ProcessSessionMessageEventArgs,args}.Message {ConsumeResult,consumeResult,cr}.{Message,Value,Key} *.{BasicGet,BasicGetAsync,ReceiveMessage,ReceiveMessages,ReceiveMessageAsync,ReceiveMessagesAsync,ListLeftPop,ListLeftPopAsync,ListRightPop,ListRightPopAsync} {consumer,_consumer,IConsumer}.Consume *.ApplicationMessage MessageEventArgs.Data
     {tcpClient,client,TcpClient,AcceptTcpClient(),AcceptTcpClientAsync()}.GetStream {udpClient,UdpClient}.{Receive,ReceiveAsync} {context,ctx,IResolveFieldContext,IResolverContext}.{GetArgument,ArgumentValue}
     IAsyncStreamReader.{Current,ReadAllAsync} *.RequestHeaders
     MimeMessage.{Sender,To,Body,Headers,HtmlBody,Attachments,BodyParts,MessageId} {MimePart,MimeEntity,attachment,bodyPart}.FileName {Inbox,inbox,folder,imap,pop3,pop,client,_client,_imap}.{GetMessage,GetMessageAsync}`,
    'request',
  ],
  [
    'Console.{ReadLine,Read,In} Environment.{GetEnvironmentVariable,GetCommandLineArgs} *.{GetValueForOption,GetValueForArgument}',
    'local',
  ],
];

/** Controls of a Web Forms page that hold what a user typed or chose. */
export const C_SHARP_REQUEST_MEMBERS =
  /^(?:this\.)?_?(?:(?:txt|tb|ddl|hdn|hid|hf|lst)[A-Z]\w*|\w*(?:[tT]extBox|DropDown|DropDownList|HiddenField|Box|Input|Hidden|Dropdown)\d*)\.(?:Text|SelectedValue|Value|SelectedItem\.(?:Text|Value))$|^(?:this\.)?\w*[uU]pload\d*\.FileName$/;

/** Attributes of parameters that a framework fills from a request or a message. */
export const C_SHARP_PARAMETER_ANNOTATION =
  /\[(?:From(?:Query|Route|Body|Header|Form|Uri)|(?!Timer)[A-Z]\w+Trigger|BindProperty|Bind|QueryString|Control|RouteData|AsParameters)\b/;

/** Classes whose public methods are called with data of a request or message: hubs, controllers, pages, endpoints, handlers, consumers. */
export const C_SHARP_REQUEST_METHODS =
  /^(?:Hub|DynamicHub|Controller|ControllerBase|ApiController|AsyncController|PageModel|Endpoint|EndpointBaseAsync|EndpointBaseSync|IConsumer|IJobConsumer|IHandleMessages|IMessageHandler|IRequestHandler|INotificationHandler|ICommandHandler|IQueryHandler|IEventHandler)#(?!Dispose|Configure)|^Service#(?:Any|Get|Post|Put|Delete|Patch)(?:Async)?$/;

/** What gRPC, NServiceBus and AWS Lambda pass beside the request or message. */
export const C_SHARP_REQUEST_BESIDE = /^(?:ServerCallContext|IMessageHandlerContext|ILambdaContext)$/;

/** Attributes and result types of methods whose parameters are filled from a request. */
export const C_SHARP_FUNCTION_ANNOTATION =
  /\[(?:Http(?:Get|Post|Put|Delete|Patch)|Route|AcceptVerbs|WebMethod|OperationContract|FunctionName|Function|WebGet|WebInvoke|ScriptMethod|LambdaFunction)\b|\b(?:IActionResult|ActionResult|IHttpActionResult|JsonResult|ViewResult|FileResult|IResult|ContentResult|PartialViewResult|FileContentResult|FileStreamResult|PhysicalFileResult|HttpResponseMessage)\b/;
