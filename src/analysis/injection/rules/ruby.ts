import { ALL, STMT_NAMES, common, trustedNames } from './common.ts';
import { rubyIndexSinks, rubySinks } from './ruby/ruby-sinks.ts';
import { rubySources } from './ruby/ruby-sources.ts';
import type { Rules } from './rules.ts';

export const rubyRules: Rules = {
  ...common,
  preparedStatements: STMT_NAMES,
  sources: rubySources,
  sinks: rubySinks,
  indexSinks: rubyIndexSinks,
  bindings: [
    [
      '*.{where,having,find_by,find_by!,rewhere,exists?,delete_by,destroy_by}',
      { placeholder: '?', values: 'arguments' },
    ],
    ['*.{find_by_sql,count_by_sql} find_by_sql', { placeholder: '?', values: 'list' }],
    ['Sequel.lit DB.fetch', { placeholder: '?', values: 'arguments' }],
    ['*.{get_first_row,get_first_value}', { placeholder: '?', values: 'array' }],
  ],
  fixes: {
    baseName: [{ before: 'File.basename(', after: ')' }],
    shellWord: [],
    drivers: [],
    list: ['', ''],
  },
  sanitizers: [
    [
      'CGI.escape ERB.Util.url_encode URI.{encode_www_form_component,encode_uri_component} Rack.Utils.{escape,build_query} *.to_query',
      ALL,
    ],
    ['Regexp.escape', []],
    [
      '*.{to_i,to_f,to_d,to_r,hash,hexdigest,positive?,to_date,to_time,parameterize} Integer Float Date.parse Time.parse SecureRandom.{hex,uuid} Digest.SHA256.hexdigest BigDecimal Rational Date.{strptime,iso8601} DateTime.parse Time.{iso8601,at,zone.parse} IPAddr.new *.{to_c,ord,bytesize,iso8601,digest,base64digest,getutc} Integer.sqrt BSON.ObjectId {Boolean,Integer,BigInteger,Float,Decimal,Date,DateTime}.new().{cast,deserialize} DateTime.{strptime,iso8601} Time.{strptime,rfc3339,httpdate,rfc2822,xmlschema,zone.strptime,zone.iso8601} *.{hex,oct,in_time_zone,to_datetime,uuid_v3,uuid_v5,presence_in} Zlib.{crc32,adler32} {URI.parse(),URI(),uri}.port typecast_params.{int,int!,pos_int,pos_int!,Integer,Integer!,float,float!,bool,bool!,date,time,datetime} cookies.{signed,encrypted}',
      ALL,
    ],
    // Rows of a database, whatever they are found by.
    ['*.{page,paginate,ransack,limit,offset} pagy {DB,db,@db}.{fetch,first,get}', ALL],
    ['Shellwords.{escape,join,shellescape} *.{shellescape,shelljoin}', ['command']],
    // The temporary file of an upload, `params[:file].path`, is named by the program.
    [
      '*.tempfile params.path File.{basename,extname} *.basename sanitize_filename Zaru.sanitize! *.sanitized ActiveStorage.Filename.new Rack.Utils.clean_path_info',
      ['path'],
    ],
    [
      '*.{quote,quote_ident,quote_column_name,quote_table_name,escape,escape_string,escape_literal,quote_string} quote',
      ['sql'],
    ],
    // Values and identifiers of Arel and Sequel, which are quoted where they are written.
    [
      '*.{eq,not_eq,eq_any,not_eq_any,matches,matches_any,does_not_match,in,not_in,gt,gteq,lt,lteq,build_quoted} Sequel.{desc,asc,expr,like,ilike,identifier,qualify,function,pg_array,pg_json,pg_jsonb} pg_array().{contains,overlaps,contained_by} {DB,db,@db,dataset,ds}.literal',
      ['sql'],
    ],
  ],
  quoteEscapers: '*.{escape,escape_string,quote_string} Database.quote',
  wordEscapers: [['Shellwords.{escape,shellescape} *.shellescape', 'not-single']],
  scalarResults: `${common.scalarResults} *.{include?,start_with?,end_with?,match?,empty?,nil?,present?,blank?,any?,key?,zero?,is_a?,in?,casecmp,casecmp?,valid_date?,index,rindex,find_index}`,
  chosenPaths: '*.tempfile',
  recordResults: '*.{permit,permit!}',
  propagators: `*.{strip,chomp,to_s,downcase,upcase,capitalize,split,dup,freeze,first,last,fetch,dig,require,permit,to_sym,presence,to_str,squish,values,keys,to_h,to_unsafe_h,encode,force_encoding,unicode_normalize,reverse,slice,lines,read,original_filename,to_a,to_set,flatten,compact,map,then,tap,each,html_safe,delete_prefix,delete_suffix,squeeze,truncate,values_at,try,sanitize_sql_like,chars,to_path,html_escape,symbolize_keys}
    String Array sanitize_sql_like CGI.unescape URI.decode_www_form_component {JSON,Oj,MultiJson,YAML,Psych}.{parse,parse!,load,safe_load,dump,generate} ActiveSupport.JSON.decode Rack.Utils.{parse_query,parse_nested_query,unescape} Nokogiri.XML {CSV,TomlRB}.{parse,parse_line} CGI.parse Marshal.load Rack.Multipart.parse_multipart OpenStruct.new Pathname URI Base64.{decode64,encode64,strict_decode64,strict_encode64,urlsafe_decode64,urlsafe_encode64} Pathname.new URI.parse Regexp.escape`,
  concatenators: '*.{concat,prepend,gsub,sub,insert} format sprintf File.join Rails.root.join *.join Kernel.format',
  appenders: '*.{concat,push,append,prepend}',
  listConstructors: 'Set.new',
  pathNormalizers: 'File.{expand_path,realpath,absolute_path} *.{expand_path,realpath,cleanpath}',
  relativePaths: '*.relative_path_from',
  terminators:
    'raise abort exit halt error! fail throw {r,request}.halt Kernel.{raise,exit,abort} context.{error!,fail!} not_found! bad_request! exit! redirect!',
  requestMembers:
    /^(?:.*\.)?env\.(?:HTTP_\w+|QUERY_STRING|PATH_INFO|REQUEST_URI|REQUEST_PATH|ORIGINAL_FULLPATH|CONTENT_TYPE|rack\.input)$|^(?:.*\.)?(?:cgi|CGI\.new\(\))\.[^.]+$|^(?:.*\.)?(?:request|req|mail|email)\.[A-Z][\w-]*$/,
  // Jobs and consumers of queues, channels of ActionCable, fields and mutations of GraphQL.
  requestMethods:
    /^(?:\w*(?:Job|Worker|Consumer)#(?:perform|work|work_with_params|process|process_batch|consume|on_message)|Handler#(?:consume|consume_batch)|(?:EventMachine|EM|Connection)#receive_\w+|Service#(?!initialize|call|perform|run|execute|process)\w+|UpdatesController#\w+|(?:\w*Channel|ApplicationCable)#(?!subscribed|unsubscribed|initialize)\w+|(?:GraphQL|Base(?:Object|Mutation|Resolver|Subscription|Interface)|\w*Mutation|Mutations|\w*Resolver|Resolvers)#(?!initialize|authorized\?|visible\?)\w+)$/,
  functionDefiners:
    'scope define_method lambda proc before_action after_action around_action prepend_before_action before_filter after_filter before after before_validation before_save after_commit',
  requestHandlers:
    'get post put patch delete on {r,request}.{get,post,put,patch,delete,on,is} {consumer,consumer()}.{each_message,each_batch,each} {bot,client}.{message,command,listen,on} slack.on {queue,q,queue(),subscription,channel,nats,nc,client,redis,mqtt,stomp}.{subscribe,pop,psubscribe} {sub,subscription,subscription(),subscriber}.listen on.{message,pmessage} {poller,QueuePoller.new()}.poll {ws,socket,websocket,web_socket}.on *.{onmessage,onopen,add_handler} use http_basic authenticate_with_http_basic authenticate_or_request_with_http_basic authenticate_with_http_token authenticate_or_request_with_http_token authenticate_with_http_digest',
  membershipMethods: '*.{exclude?,none?,include?,member?,key?,has_key?,has_attribute?}',
  prefixTests: '*.start_with?',
  patternTests: '*.{match?,match}',
  statementBuilders:
    '*.{sanitize_sql,sanitize_sql_array,sanitize_sql_for_conditions,sanitize_sql_for_order,sanitize_sql_for_assignment} sanitize_sql sanitize_sql_array sanitize_sql_for_conditions sanitize_sql_for_order',
  patternConstructors: 'Regexp.new Regexp.compile',
  patternReplacers: '*.{gsub,gsub!,tr,tr_s,delete}',
  typeTests: '*.{is_a?,kind_of?,instance_of?,in?,eql?,casecmp?,legal?} Integer Float',
  patternAnchors: { start: /^\(?\\A/, end: /\\[zZ]\)?$/ },
  freeVariables: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  trustedNames: trustedNames(
    'table_name|quoted_table_name|table|columns|placeholders|id|logger|flash|current_user|connection|root_path',
  ),
};
