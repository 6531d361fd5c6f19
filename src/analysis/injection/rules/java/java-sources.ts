import type { Rules } from '../rules.ts';

/** What a Java program reads that an attacker chooses, by framework. */
export const javaSources: Rules['sources'] = [
  // Servlet, portlet, JSP.
  [
    `*.{getParameter,getParameterValues,getParameterMap,getParameterNames,getHeader,getHeaders,getHeaderNames,getQueryString,getCookies,getPathInfo,getPathTranslated,getRequestURI,getRequestURL,getServletPath,getRemoteUser,getInputStream,getReader,getPart,getParts,getSubmittedFileName,getRequestedSessionId} {request,req,HttpServletRequest}.{getServerName,getContentType} ServletRequestUtils.{getStringParameter,getStringParameters,getRequiredStringParameter,getRequiredStringParameters} WebUtils.getCookie`,
    'request',
  ],
  // Spring MVC and WebFlux, Spring Messaging.
  [
    `*.{getOriginalFilename,getFileMap,getMultiFileMap,getQueryParams,pathVariable,pathVariables,queryParam,queryParams,bodyToMono,bodyToFlux,formData,multipartData,getMatrixVariables,getNativeRequest,getFileNames,getFirstQueryParameter,fromCurrentRequest,fromCurrentRequestUri}
     {request,req,serverRequest,ServerRequest,ServerHttpRequest,HttpServerRequest}.{getURI,getBody,uri,path,headers,cookies,getPath} exchange.{getRequest,getFormData,getMultipartData} ServerWebExchange.{getRequest,getFormData} FilePart.filename filePart.filename
     ServerRequest.{body,param,params,query,content} {HttpEntity,RequestEntity}.{getBody,getHeaders,getUrl} HttpServerRequest.{query,absoluteURI,params,body}
     {message,textMessage,TextMessage,frame,TextWebSocketFrame}.{getPayload,getText,text} {ConsumerRecord,consumerRecord}.{value,key,headers} {consumer,kafkaConsumer,KafkaConsumer,Consumer}.poll {consumer,MessageConsumer,JMSConsumer,Consumer,jmsTemplate,JmsTemplate,rabbitTemplate,RabbitTemplate,amqpTemplate}.{receive,receiveNoWait,receiveBody,receiveAndConvert} {channel,Channel}.basicGet *.receiveMessage {jedis,Jedis}.{blpop,brpop,lpop,rpop} opsForList().{leftPop,rightPop} {exchange,Exchange}.{getIn,getMessage}
     {msg,message,Message}.body CloudEvent.getData
     {delivery,Delivery}.getBody Metadata.get *.getStringProperty {MapMessage,mapMessage}.getString`,
    'request',
  ],
  // JAX-RS, Micronaut, Quarkus, MicroProfile.
  [
    `*.{getQueryParameters,getPathParameters,getPathSegments,getHeaderString,getRequestHeader,getRequestHeaders,getFormDataMap,getSubject,getFormParameters,getAcceptableLanguages}
     {uriInfo,UriInfo,ui}.{getPath,getAbsolutePath,getRequestUri} {httpRequest,HttpRequest}.{getUri,uri,getPath,getBody,getParameters,getCookies} CompletedFileUpload.getFilename {FormDataContentDisposition,contentDisposition,fileDetail,disposition}.{getFileName,getName} {fileUpload,FileUpload}.{fileName,uploadedFileName,getFilename,filename}`,
    'request',
  ],
  // Vert.x, Javalin, Spark, Play, Ratpack, Undertow, Netty, com.sun.net.httpserver.
  [
    `{ctx,rc,context,routingContext,RoutingContext,Context}.{pathParam,pathParams,pathParamMap,queryParam,queryParams,queryParamMap,formParam,formParams,formParamMap,header,headerMap,cookie,cookieMap,cookies,body,bodyAsClass,bodyAsBytes,bodyInputStream,getBody,getBodyAsString,getBodyAsJson,getBodyAsJsonArray,uploadedFile,uploadedFiles,fileUploads,queryString,url,getCookie,request,normalizedPath,bodyValidator,fullUrl} Context.{path,query,form} {WsMessageContext,WsContext,WsConnectContext}.{message,messageAsClass,queryParam,pathParam,header,queryString}
     *.{pathParam,pathParamMap,formParam,formParams,formParamMap,queryParamMap,bodyAsClass,bodyAsBytes,uploadedFile,uploadedFiles,fileUploads,getParam,getFormAttribute,formAttributes,bodyAsString,bodyAsJson,queryParamsValues,queryParamOrDefault,queryMap,splat,asFormUrlEncoded,asMultipartFormData,getRequestBody,getAllPathTokens,getPathTokens,getRawQuery,bindFromRequest,getFirstValue,getQueryAsForm,getEntityAsText}
     {request,req,Request}.{params,queryParams,body,header,headers,cookie,cookies,queryString,getQueryString,uri,url,pathInfo,raw,path,absoluteURI,getHeader,getParam} {exchange,HttpServerExchange,HttpExchange,he,httpExchange,t}.{getRequestURI,getRequestBody,getRequestHeaders,getQueryParameters,getPathParameters,getRequestPath,getRelativePath}
     {QueryStringDecoder,decoder,queryDecoder}.{parameters,path} {FullHttpRequest,fullHttpRequest}.{uri,content,headers,getUri}`,
    'request',
  ],
  // JSF, Struts, commons-fileupload.
  [
    '*.{parseRequest,getItemIterator,getRequestParameterMap,getRequestParameterValuesMap,getRequestHeaderMap,getRequestCookieMap,getRequestPathInfo,getRequestServletPath} {FileItem,DiskFileItem,item,fileItem,FileItemStream}.{getName,getString,getFieldName,openStream}',
    'request',
  ],
  // Mail that is read.
  [
    '{part,bodyPart,mimePart,attachment,BodyPart,MimeBodyPart,Part,getBodyPart()}.getFileName {message,msg,mail,MimeMessage}.{getFrom,getContent,getMessageID}',
    'request',
  ],
  // GraphQL.
  [
    '{env,environment,dfe,DataFetchingEnvironment,DgsDataFetchingEnvironment}.{getArgument,getArguments,getArgumentOrDefault}',
    'request',
  ],
  // AWS Lambda, Azure Functions, Google Cloud Functions.
  [
    '{SQSEvent,SNSEvent,S3Event,S3EventNotification,KinesisEvent,DynamodbEvent,KafkaEvent}.getRecords ScheduledEvent.getDetail {APIGatewayProxyRequestEvent,APIGatewayV2HTTPEvent,APIGatewayV2WebSocketEvent,ApplicationLoadBalancerRequestEvent}.{getBody,getHeaders,getPath,getPathParameters} *.{getQueryStringParameters,getMultiValueQueryStringParameters,getMultiValueHeaders,getRawPath,getRawQueryString} {event,input,apiEvent,requestEvent,proxyEvent,APIGatewayProxyRequestEvent,APIGatewayV2HTTPEvent,HttpRequestMessage,SQSMessage}.{getBody,getHeaders,getPath}',
    'request',
  ],
  // The names of the entries of an archive.
  [
    '{entry,zipEntry,ze,zipentry,tarEntry,jarEntry,archiveEntry,ZipEntry,JarEntry,TarArchiveEntry,ZipArchiveEntry,ArchiveEntry,getNextEntry(),getNextTarEntry(),nextElement()}.getName',
    'request',
  ],
  [
    'System.{getenv,getProperty,console} {scanner,sc,in,input,Scanner}.{nextLine,next} *.readLine {console,Console}.readPassword',
    'local',
  ],
];

/** Annotations of parameters that a framework fills from a request or a message. */
export const JAVA_PARAMETER_ANNOTATION =
  /@(?:[\w.]+\.)?(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|BeanParam|FormDataParam|RestQuery|RestPath|RestForm|RestHeader|RestCookie|RestMatrix|ModelAttribute|QueryValue|Header|Headers|Body|Part|RequestPart|RequestAttribute|MatrixVariable|Payload|DestinationVariable|Query|ShellOption|RequestBean|MultipartForm|Argument|InputArgument|GraphQLArgument|GraphQLInput|DefaultValue|BindingName|HttpTrigger|QueueTrigger|ServiceBusQueueTrigger|ServiceBusTopicTrigger|BlobTrigger|EventHubTrigger|EventGridTrigger|KafkaTrigger)\b/;

/** Methods that are called with data of a request or message: of listeners and handlers all, of actions of Struts and beans of JSF the setters. */
export const JAVA_REQUEST_METHODS =
  /^(?:TextWebSocketHandler|WebSocketServer|WebSocketAdapter|WebSocketListener|JedisPubSub|MqttCallback|MqttCallbackExtended|IMqttMessageListener|DefaultConsumer|RequestHandler|SimpleChannelInboundHandler|ChannelInboundHandlerAdapter|DeliverCallback|GraphQL(?:Query|Mutation)?Resolver|@(?:[\w.]+\.)?(?:WebService|Endpoint))#|^(?:ActionSupport|ActionBean|ActionForm|@(?:[\w.]+\.)?(?:Named|ManagedBean|ViewScoped|RequestScoped|Model))#set[A-Z]/;

/** What gRPC passes beside the request. */
export const JAVA_REQUEST_BESIDE = /^(?:ServerCall)?StreamObserver$/;

/** Annotations of methods whose parameters are filled from a request or a message. */
export const JAVA_FUNCTION_ANNOTATION =
  /@(?:[\w.]+\.)?(?:(?:Get|Post|Put|Delete|Patch|Request|Message|Subscribe|Query|Mutation|Schema)Mapping|GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Patch|OnMessage|KafkaListener|RabbitListener|JmsListener|SqsListener|StreamListener|Incoming|MessageExceptionHandler|ShellMethod|Route|FunctionName|WebMethod|QueryMapping|DgsQuery|DgsMutation|StrutsParameter|ServiceActivator|PubSubListener|PulsarListener|RocketMQMessageListener|RabbitHandler|DgsData|GraphQLQuery|GraphQLMutation|BatchMapping|Head|Options|NatsListener|MqttSubscriber|Topic|Queue)\b/;
