import { ALL, common, trustedNames, trustedTypes } from './common.ts';
import { phpAssignmentSinks, phpSinks } from './php/php-sinks.ts';
import { PHP_REQUEST_MEMBERS, phpSources } from './php/php-sources.ts';
import type { Rules } from './rules.ts';

export const phpRules: Rules = {
  ...common,
  sources: phpSources,
  sinks: phpSinks,
  assignmentSinks: phpAssignmentSinks,
  bindings: [
    ['mysqli_query', { placeholder: '?', values: 'array', method: 'mysqli_execute_query' }],
    ['{$mysqli,mysqli,$this.mysqli}.query', { placeholder: '?', values: 'array', method: 'execute_query' }],
    ['pg_query', { placeholder: '$1', values: 'array', method: 'pg_query_params' }],
    ['DB.{select,selectOne,insert,update,delete,statement,scalar}', { placeholder: '?', values: 'array' }],
    ['*.{whereRaw,orWhereRaw,havingRaw,selectRaw}', { placeholder: '?', values: 'array' }],
    [
      '*.{executeQuery,executeStatement,fetchAllAssociative,fetchAssociative,fetchOne,fetchFirstColumn,fetchAllNumeric}',
      { placeholder: '?', values: 'array' },
    ],
  ],
  fixes: {
    baseName: [{ before: 'basename(', after: ')' }],
    shellWord: [{ before: 'escapeshellarg(', after: ')' }],
    drivers: [],
    list: ['[', ']'],
  },
  sanitizers: [
    [
      'intval floatval boolval count strlen sizeof crc32 md5 sha1 hash bin2hex uniqid time date strtotime abs ceil floor round is_numeric ctype_digit password_hash number_format max min random_int intdiv hexdec bindec octdec ip2long array_sum random_bytes Uuid.{fromString,uuid4} {Carbon,CarbonImmutable,DateTime,DateTimeImmutable}.{parse,now,make,create,createFromFormat,createFromTimestamp} *.tryFrom bcadd bcsub bcmul bcdiv bcmod bcpow gmp_init gmp_strval base_convert inet_pton inet_ntop long2ip ord array_intersect cookies.getValue new {DateTime,DateTimeImmutable} mktime checkdate dechex',
      ALL,
    ],
    // Rows of a database, whatever they are found by, and settings.
    [
      '*.{paginate,simplePaginate,cursorPaginate,firstWhere,whereIn,whereNotIn,whereBetween} config {Cache,cache,cache()}.{get,remember,rememberForever}',
      ALL,
    ],
    ['escapeshellarg', ['command']],
    [
      'basename pathinfo sanitize_file_name {$file,$f,$upload,$uploaded,$uploadedFile,$image,$photo,$avatar,file(),files.get(),getFile(),UploadedFile}.{getPathname,getRealPath,path,extension} *.{guessExtension,guessClientExtension,hashName,getRandomName}',
      ['path'],
    ],
    [
      'mysqli_real_escape_string mysql_real_escape_string pg_escape_string pg_escape_literal pg_escape_identifier addslashes sqlite_escape_string esc_sql pSQL bqSQL sanitize_sql_orderby *.{createNamedParameter,createPositionalParameter,sql_escape,escape_like_str,quote,quoteInto,quoteName,real_escape,escape_str,qstr,real_escape_string,escape_string,escapeString,escapeLikeString,escapeIdentifiers,quoteIdentifier,quoteSingleIdentifier,quoteTableName,quoteColumnName,quoteValue,escape} SQLite3.escapeString expr().literal',
      ['sql'],
    ],
    ['ctype_alnum preg_quote', []],
    ['*.{getInt,getBoolean,getDigits,getAlnum,getAlpha,getEnum,enum}', ALL],
    ['*.integer *.boolean *.float *.date', ALL],
    ['*.storeAs *.store', ALL],
    [
      'absint sanitize_key sanitize_file_name sanitize_title Str.slug {Str.of(),str(),$slugger,slugger,new:AsciiSlugger()}.slug',
      ALL,
    ],
  ],
  quoteEscapers:
    'mysqli_real_escape_string mysql_real_escape_string pg_escape_string addslashes sqlite_escape_string esc_sql pSQL *.{sql_escape,escape_like_str,real_escape_string,escape_string,escapeString,escapeLikeString,escape_str,real_escape}',
  wordEscapers: [['escapeshellarg', 'bare']],
  scalarResults: `${common.scalarResults} strpos stripos in_array isset empty preg_match file_exists is_file is_dir *.{count,has,exists,filled} array_key_exists`,
  scalarElements: '*.tmp_name $_FILES.*.{size,error}',
  propagators: `trim ltrim rtrim strtolower strtoupper ucfirst ucwords lcfirst substr mb_substr strrev nl2br htmlspecialchars htmlentities strip_tags stripslashes html_entity_decode urldecode rawurldecode base64_decode base64_encode hex2bin json_decode json_encode unserialize explode array_map array_filter array_merge array_values array_keys array_pop array_shift array_slice array_unique array_reverse current reset end next strval mb_strtolower utf8_encode utf8_decode iconv mb_convert_encoding filter_var chop strtok strtr wordwrap escapeshellcmd mb_strimwidth mb_strtoupper strtoupper array_flip array_column array_shift array_combine http_build_query parse_url wp_unslash sanitize_text_field sanitize_textarea_field esc_html esc_attr esc_url wp_kses wp_strip_all_tags stripcslashes quoted_printable_decode str_split preg_split mb_str_split data_get Arr.get optional old htmlspecialchars_decode nl2br addcslashes array_splice sanitize_email print_r var_export strstr stristr strrchr yaml_parse Yaml.parse normalizer_normalize xss_clean *.xss_clean wp_normalize_path get_object_vars iterator_to_array new SplFileInfo
    *.{getElementsByTagName,getElementsByTagNameNS,getElementById,getAttribute,trim,lower,upper,toString,get,value,toArray,all,first,after,before,esc_like} compact serialize Str.{lower,upper,trim,of} dirname quotemeta addcslashes`,
  concatenators:
    'get_template_directory plugin_dir_path path_join trailingslashit storage_path public_path base_path resource_path app_path sprintf vsprintf implode join str_replace str_ireplace substr_replace str_pad',
  appenders: '*.{append,push,add,loadXML,loadHTML} array_push',
  listConstructors: 'collect',
  pathNormalizers: 'realpath *.getRealPath Path.{join,canonicalize,makeAbsolute}',
  pathTests: 'Path.isBasePath',
  outputArguments: [['preg_match preg_match_all parse_str mb_parse_str', 'arguments']],
  numericOption:
    /^(?:FILTER_(?:VALIDATE_(?:INT|FLOAT|BOOL\w*|IP|MAC)|SANITIZE_NUMBER\w*|FLAG_HOSTNAME)|PHP_URL_PORT|PARAM_(?:INT|FLOAT|BOOL|ALPHA\w*|SEQUENCE|SAFEDIR|PLUGIN|COMPONENT|AREA))$/,
  terminators:
    'die exit abort wp_die wp_send_json wp_send_json_error wp_send_json_success show_404 show_error throw_exception print_error drupal_exit *.{halt,throwResponse} Flight.stop {$this,$app}.abort JError.raiseError {$app,app,app()}.end',
  guards: [
    ['abort_unless throw_unless {Assert,Assertion}.{true,that}', 'true'],
    ['abort_if throw_if {Assert,Assertion}.false', 'false'],
    ['{Assert,Assertion}.regex', 'itself'],
    ['{Assert,Assertion}.{same,eq}', 'equal'],
  ],
  membershipMethods: '*.{contains,has,doesntContain}',
  membershipFunctions:
    'strpbrk mb_strpos in_array array_key_exists method_exists property_exists isset array_search strpos stripos str_contains strstr',
  prefixTests: 'str_starts_with strpos strncmp Str.startsWith stripos',
  patternTests: 'preg_match preg_match_all mb_ereg {Assert,Assertion}.regex',
  patternReplacers: 'preg_replace preg_replace_callback',
  functionDefiners: 'Artisan.command add_action add_filter add_shortcode',
  typeTests:
    'is_numeric is_int is_integer is_long is_float is_double is_bool ctype_digit ctype_alnum ctype_alpha ctype_xdigit inet_pton ip2long uuid_is_valid Str.{isUuid,isUlid} *.tryFrom',
  requestTexts: /^php:\/\/(input|stdin)$/,
  converters:
    'settype {Assert,Assertion}.{oneOf,inArray,choice,alnum,alpha,digit,digits,uuid,integer,integerish,natural,positiveInteger,numeric,float,boolean,ip,ipv4,ipv6}',
  requestMembers: PHP_REQUEST_MEMBERS,
  requestFunctionAnnotation: /#\[\s*(?:[\w\\]+\\)?(?:Route|Get|Post|Put|Delete|Patch|AsMessageHandler)\b/,
  requestParameterAnnotation:
    /#\[\s*(?:[\w\\]+\\)?(?:Map(?:QueryParameter|RequestPayload|QueryString|UploadedFile)|RouteParameter|Input)\b/,
  // Requirements of a route: `requirements: ['id' => '\d+']`, `{id<\d+>}` of Symfony, `where('id', '\d+')`, `whereNumber('id')` of
  // Laravel. They hold for the whole part of the path.
  numericRouteParameter:
    /['"{](\w+)(?:(?<=\bwhere(?:Number|Uuid|Ulid|Alpha|AlphaNumeric|In)\(['"]\w+)['"]|['"]\s*(?:=>|:|,)\s*(?:Requirement::\w+|(['"])(?=[^'"]*[\\[|])(?:\\[dw.]|\[[\w\\.-]+\]|[\w|(-])(?:[+*?:\w|()-]|\\[dw.]|\[[\w\\.-]+\]|\{[\d,]+\})*\2)|<(?=[^>]*[\\[|])(?:\\[dw]|\[[\w\\-]+\]|[\w|-])[^>./]*>)/g,
  requestHandlers:
    'Route.{get,post,put,patch,delete,any,match,middleware} {$app,$router,router,$r,$group,$routes,$collector,$klein,$leaf,$api,app(),SimpleRouter}.{get,post,put,patch,delete,any,map,match,options,respond,addRoute} {Flight,$f3}.route {$server,$worker,$ws,$socket,$conn,$connection,$http}.on {$channel,$ch}.basic_consume {$redis,$mqtt,$nats,$client}.{subscribe,psubscribe} $queue.consume',
  // Controllers of Laravel, Yii, Phalcon, CodeIgniter and CakePHP, components of Livewire, sockets.
  requestMethods:
    /^(?:\w*Controller#(?!__|init|boot|before|after|callAction|middleware)\w+|Component#(?!__|render|boot|hydrate|dehydrate)\w+|(?:MessageComponentInterface|MessageInterface|WampServerInterface)#on(?:Message|Publish|Call))$/,
  requestParameterName: /^\$request$/,
  // Services of gRPC in RoadRunner.
  requestBesideType: /^(?:GRPC\\)?ContextInterface$/,
  freeVariables: /^\$[a-z][A-Za-z0-9_]*$/,
  trustedTypes: trustedTypes('SSH2|SFTP|Filesystem|Finder|ZipArchive|DOMDocument|XMLReader|ImageManager|SymfonyStyle'),
  trustedNames: trustedNames(
    '\\$(table|tablename|table_name|columns|placeholders|prefix|wpdb|dbh|link|mysqli|this|fd|reactor_?id|worker_?id)',
  ),
};
