import { ALL, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const PDO = "$pdo->prepare('... WHERE id = ?') and execute([$id]).";
const ELOQUENT = "whereRaw('name = ?', [$name]), or where('name', $name).";
const PATH_SINK = pathSink('basename($name), or realpath($root . $name) and str_starts_with($path, $root).');
const COMMAND_SINK = commandSink('proc_open([...]) or Symfony Process; escapeshellarg($name) where a shell is needed.');

export const phpRules: Rules = {
  ...common,
  sources: [
    ['$_GET $_POST $_REQUEST $_COOKIE $_FILES $HTTP_RAW_POST_DATA', 'request'],
    [
      '$_SERVER.{QUERY_STRING,REQUEST_URI,PATH_INFO,HTTP_USER_AGENT,HTTP_REFERER,HTTP_HOST,HTTP_X_FORWARDED_FOR,PHP_SELF} getallheaders filter_input',
      'request',
    ],
    [
      `{$request,$req,$this.request}.{input,query,get,post,all,cookie,header,file,route,json,string,only,validated,getQueryParams,getParsedBody,getCookieParams,getAttribute,getContent,request,attributes,headers,getParam,getQuery,getPost,getVar}
       request.{input,query} request Request.{input,get,query,post} Input.{get,post,all} *.getClientOriginalName *.getClientFilename`,
      'request',
    ],
    ['$argv $_ENV getenv readline fgets', 'local'],
  ],
  sinks: [
    [
      'mysqli_{query,real_query,multi_query,prepare} pg_{query,send_query} sqlsrv_query odbc_exec oci_parse',
      sqlSink('mysqli_prepare($db, "... = ?") and mysqli_stmt_bind_param.', { argument: 1 }),
    ],
    ['pg_{query_params,send_query_params}', sqlSink("pg_query_params($db, '... = $1', [$value]).", { argument: 1 })],
    ['pg_{prepare,send_prepare}', sqlSink("pg_query_params($db, '... = $1', [$value]).", { argument: 2 })],
    ['mysql_query mysql_db_query sqlite_query pg_exec', sqlSink(PDO)],
    [
      '*.{query,exec,prepare,multi_query,real_query,querySingle,rawQuery,executeQuery,executeStatement,fetchAll,fetchAssociative,fetchOne,createQuery,createNativeQuery,execute_query}',
      possibleSqlSink(PDO),
    ],
    [
      'DB.{select,insert,update,delete,statement,unprepared,raw,selectOne,scalar,affectingStatement} $db.raw',
      sqlSink("DB::select('... = ?', [$value])."),
    ],
    [
      '*.{whereRaw,orWhereRaw,havingRaw,orHavingRaw,orderByRaw,groupByRaw,selectRaw,fromRaw,joinRaw}',
      sqlSink(ELOQUENT),
    ],
    ['*.{where,andWhere,orWhere,having,andHaving}', possibleSqlSink(ELOQUENT)],
    ['$wpdb.{query,get_results,get_var,get_row,get_col,prepare}', sqlSink("$wpdb->prepare('... = %d', $id).")],
    [
      'exec shell_exec system passthru popen pcntl_exec ` *.fromShellCommandline proc_open Process.fromShellCommandline ssh2_exec',
      COMMAND_SINK,
    ],
    ['ssh2_exec', { ...COMMAND_SINK, argument: 1 }],
    ['new Process', COMMAND_SINK],
    ['include', { ...PATH_SINK, remediation: 'Choose what is included from a table of names that may be.' }],
    [
      'file_get_contents fopen readfile file file_put_contents unlink rmdir mkdir copy rename opendir scandir highlight_file show_source parse_ini_file simplexml_load_file fpassthru readlink SplFileObject new SplFileObject md5_file',
      PATH_SINK,
    ],
    ['move_uploaded_file copy rename', { ...PATH_SINK, argument: 1 }],
    ['*.download *.file new BinaryFileResponse File.{get,delete,put} *.streamDownload', PATH_SINK],
  ],
  sanitizers: [
    [
      'intval floatval boolval count strlen sizeof crc32 md5 sha1 hash bin2hex uniqid time date strtotime abs ceil floor round is_numeric ctype_digit password_hash number_format max min random_int',
      ALL,
    ],
    ['escapeshellarg escapeshellcmd', ['command']],
    ['basename pathinfo', ['path']],
    [
      'mysqli_real_escape_string mysql_real_escape_string pg_escape_string pg_escape_literal pg_escape_identifier addslashes sqlite_escape_string esc_sql *.{quote,real_escape_string,escape_string,escapeString,quoteIdentifier,quoteValue,escape,esc_like}',
      ['sql'],
    ],
    ['ctype_alnum preg_quote', []],
    ['*.integer *.boolean *.float *.date', ALL],
    ['*.storeAs *.store', ALL],
    ['absint sanitize_key sanitize_file_name sanitize_title Str.slug', ALL],
  ],
  quoteEscapers:
    'mysqli_real_escape_string mysql_real_escape_string pg_escape_string addslashes sqlite_escape_string esc_sql *.{real_escape_string,escape_string,escapeString}',
  scalarResults: `${common.scalarResults} strpos stripos in_array isset empty preg_match file_exists is_file is_dir *.{count,has,exists,filled} array_key_exists`,
  propagators: `trim ltrim rtrim strtolower strtoupper ucfirst ucwords lcfirst substr mb_substr strrev nl2br htmlspecialchars htmlentities strip_tags stripslashes html_entity_decode urldecode rawurldecode base64_decode base64_encode hex2bin json_decode json_encode unserialize explode array_map array_filter array_merge array_values array_keys array_pop array_shift array_slice array_unique array_reverse current reset end next strval mb_strtolower utf8_encode utf8_decode iconv mb_convert_encoding filter_var chop strtr wordwrap
    *.{trim,lower,upper,toString,get,value,toArray,all,first,after,before} compact serialize collect Str.{lower,upper,trim,of} dirname quotemeta addcslashes`,
  concatenators:
    'storage_path public_path base_path resource_path app_path sprintf vsprintf implode join str_replace str_ireplace substr_replace str_pad',
  appenders: '*.{append,push,add} array_push',
  pathNormalizers: 'realpath *.getRealPath',
  outputArguments: [['preg_match preg_match_all parse_str mb_parse_str', 'arguments']],
  numericOption: /^FILTER_(VALIDATE_(INT|FLOAT|BOOL\w*|IP)|SANITIZE_NUMBER\w*)$/,
  terminators: 'die exit abort abort_if wp_die',
  membershipMethods: '*.{contains,has}',
  membershipFunctions: 'in_array array_key_exists isset array_search strpos stripos str_contains strstr',
  prefixTests: 'str_starts_with strpos strncmp Str.startsWith stripos',
  patternTests: 'preg_match preg_match_all mb_ereg',
  patternReplacers: 'preg_replace preg_replace_callback',
  typeTests: 'is_numeric is_int ctype_digit ctype_alnum ctype_alpha ctype_xdigit is_integer',
  requestMembers: /^(\$this\.)?(\$request|request\(\))\.\w+$/,
  requestParameterName: /^\$request$/,
  freeVariables: /^\$[a-z][A-Za-z0-9_]*$/,
  trustedNames: trustedNames('\\$(table|tablename|table_name|columns|placeholders|prefix|wpdb|dbh|link|mysqli|this)'),
};
