import type { Rules } from '../rules.ts';

const REQUEST =
  '{$request,$req,$r,$this.request,$http,request(),getRequest(),request,Request,app.request,$this._request,_request,getCurrentRequest(),getMainRequest(),getMasterRequest(),getHttpRequest(),FormRequest,ServerRequestInterface,ServerRequest,WP_REST_Request,RequestInterface,IncomingRequest}';

/** What a PHP program reads that an attacker chooses, by framework. */
export const phpSources: Rules['sources'] = [
  [
    '#request $_GET $_POST $_REQUEST $_COOKIE $_FILES $HTTP_RAW_POST_DATA $HTTP_GET_VARS $HTTP_POST_VARS getallheaders apache_request_headers filter_input filter_input_array',
    'request',
  ],
  // Laravel, Symfony, PSR-7, Slim, CodeIgniter 4, Yii, Phalcon, CakePHP, Magento.
  [
    `${REQUEST}.{input,query,get,post,all,cookie,cookies,header,headers,file,files,route,json,string,str,only,except,validated,validate,safe,segment,segments,path,url,fullUrl,userAgent,ip,collect,keys,
server,attributes,request,payload,getQueryParams,getQueryParam,getParsedBody,getCookieParams,getAttribute,getAttributes,getContent,getBody,getUploadedFiles,getPayload,toArray,getParam,getParams,getQuery,getPost,getVar,getGet,getGetPost,getPostGet,getJSON,getJsonVar,getRawInput,getCookie,getServer,getHeader,getHeaderLine,getHeaders,getPut,getJsonRawBody,getBodyParam,getBodyParams,getData,getUri,getPathInfo,getRequestUri,getQueryString,getClientOriginalName,get_param,get_params,get_query_params,get_body_params,get_json_params,get_url_params,get_body,get_file_params,get_header,bodyParams,queryParams,rawBody,data,getQueryStringParameters,param,params,bearerToken,httpHost,getHost,getHttpHost,getSchemeAndHttpHost,schemeAndHttpHost,decodedPath,getUser,getPassword,array,fluent,old,
fullUrlWithQuery,whenFilled,whenHas,getRequestTarget,getPreferredLanguage,getLanguages,getUserAgent,getRawInputVar,getArgument,getArguments,get_headers,get_route,pathInfo,hostInfo,userHost,referrer}`.replaceAll(
      '\n',
      '',
    ),
    'request',
  ],
  [
    'request Request.{input,get,query,post,all,cookie,header,route,segment,file} Input.{get,post,all,file,only,cookie} *.getClientOriginalName *.getClientFilename *.getClientName *.getClientOriginalExtension *.getClientMediaType UploadedFile.{getInstance(),getInstanceByName()}.{name,baseName,extension,fullPath} Route.input {Route.current(),route()}.{parameter,parameters} getRoute().{getArgument,getArguments} getRouteMatch().{getParam,getParams} {routeMatch(),$route_match}.{getParameter,getRawParameter} Cookie.get {url(),URL}.{current,full,previous} Flight.request',
    'request',
  ],
  // CodeIgniter 3, Joomla, Drupal, Laminas, WordPress.
  [
    `{$this.input,input}.{get,post,get_post,post_get,cookie,server,raw_input_stream,input_stream,request_headers,get_request_header,user_agent,getString,getRaw,getHtml,getPath,getArray} uri.{segment,uri_string,rsegment,uri_to_assoc,segment_array} {service(),$this.validator,validator}.{getVar,getGet,getPost,getPostGet,getGetPost,getJSON,getRawInput,getValidated} JRequest.{getVar,getString,getCmd} {$input,$jinput,getInput()}.{get,getString,getRaw,getHtml}
     {$form_state,$formState}.{getValue,getValues,getUserInput,values,input} {params(),$params}.{fromQuery,fromPost,fromRoute,fromFiles,fromHeader,fromJson} {dispatcher,$dispatcher}.{getParam,getParams} get_query_var imap_fetchbody imap_body imap_headerinfo imap_fetchheader {$event,$payload}.queryStringParameters`,
    'request',
  ],
  // Moodle, PrestaShop, TYPO3.
  [
    'optional_param required_param optional_param_array required_param_array Tools.{getValue,getAllValues} GeneralUtility.{_GP,_GET,_POST,_GPmerged}',
    'request',
  ],
  // Zend, forms of Symfony, sockets and queues.
  [
    '$this.{_getParam,getParam,_getAllParams} {$form,$this.form,$form.get()}.getData {$frame,$task}.data {$message,$msg,$envelope,AMQPMessage,AMQPEnvelope,consume()}.{getBody,body,getHeaders,getHeader,payload,data,attributes} {$job,GearmanJob}.{getData,workload} {$sqs,$client,$sqsClient,sqs}.receiveMessage',
    'request',
  ],
  // The names of the entries of an archive.
  ['{$zip,$archive,$za}.{getNameIndex,statIndex} zip_entry_name {$entry,RarEntry}.{getName,getFilename}', 'request'],
  [
    'socket_read socket_recv stream_socket_recvfrom $argv $_ENV getenv readline fgets getopt $_SERVER.argv Command.{argument,arguments,option,options,ask,secret,anticipate} {$io,SymfonyStyle}.ask',
    'local',
  ],
];

/** Members that are a request's, whatever their name: properties of a Laravel request, headers in `$_SERVER`. */
export const PHP_REQUEST_MEMBERS =
  /^(?:(?:\$this\.)?(?:\$request|\$req|request\(\))\.\w+|\$GLOBALS\._(?:GET|POST|REQUEST|COOKIE|FILES)|(?:\$_SERVER|.*getServerParams\(\))\.(?:HTTP_[^.]+|QUERY_STRING|REQUEST_URI|PATH_INFO|PATH_TRANSLATED|ORIG_PATH_INFO|PHP_SELF|PHP_AUTH_\w+|REDIRECT_\w+|CONTENT_TYPE))$/;
