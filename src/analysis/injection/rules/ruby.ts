import { ALL, STMT_NAMES, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const WHERE = "where('name = ?', name), or where(name: name).";
const PATH_SINK = pathSink('File.basename(name), or File.expand_path(name, root).start_with?(root).');
const COMMAND_SINK = commandSink("system('ls', '--', name); Shellwords.escape(name) where a shell is needed.");

export const rubyRules: Rules = {
  ...common,
  preparedStatements: STMT_NAMES,
  sources: [
    [
      'params cookies request.{env,query_string,headers,body,params,path,fullpath,url,referer,user_agent,raw_post,request_parameters,query_parameters,GET,POST} env.QUERY_STRING event.{queryStringParameters,pathParameters,body,headers}',
      'request',
    ],
    ['ENV ARGV gets STDIN.{gets,read} $stdin.gets ARGF.read', 'local'],
  ],
  sinks: [
    [
      '*.{find_by_sql,count_by_sql,exec_query,select_all,select_values,select_value,select_rows,select_one,exec_update,exec_insert,exec_delete} find_by_sql',
      sqlSink("find_by_sql(['... = ?', value])."),
    ],
    [
      '*.{execute,query,exec,exec_params,prepare,get_first_row,get_first_value,execute2,execute_batch,run,fetch,async_exec}',
      possibleSqlSink("db.execute('... = ?', [value])."),
    ],
    ['*.prepare', possibleSqlSink("conn.exec_params('... = $1', [value]).", { argument: 1 })],
    [
      '*.{where,having,joins,group,order,reorder,pluck,rewhere,exists?,delete_all,destroy_all,update_all,from,lock,select,calculate,find_or_create_by,not,in_order_of} where order joins',
      sqlSink(WHERE),
    ],
    ['Arel.sql', sqlSink(WHERE)],
    ['Sequel.lit DB.fetch', sqlSink("DB['... = ?', value].")],
    [
      'system exec spawn Kernel.{system,exec,spawn} ` IO.popen Open3.{capture2,capture2e,capture3,popen2,popen2e,popen3,pipeline} Process.spawn',
      { ...COMMAND_SINK, execution: 'single' },
    ],
    ['PTY.spawn *.ssh_exec! ssh.exec! Kernel.open', COMMAND_SINK],
    ['open', { ...COMMAND_SINK, remediation: 'Kernel#open runs what begins with a bar: use File.open or URI.open.' }],
    [
      'File.{open,read,write,readlines,delete,unlink,new,binread,foreach,rename,size,stat,readable?,binwrite,exist?} IO.{read,readlines,binread,foreach,write} Dir.{entries,glob,children,each_child,mkdir} FileUtils.{rm,rm_rf,cp,mv,mkdir_p,rm_f,touch} Pathname.read send_file render_file YAML.load_file CSV.{read,foreach} Zip.File.open',
      PATH_SINK,
    ],
    ['Dir.{foreach,rmdir,delete,unlink,chdir,empty?,exist?} IO.{sysopen,copy_stream}', PATH_SINK],
    [
      '{new(),join()}.{read,binread,readlines,each_line,write,delete,unlink,open,rmtree,children,entries,glob,rmdir}',
      { ...PATH_SINK, argument: 'receiver' },
    ],
    [
      '*.{find,all,first,last,count,exists?,paginate,find_all}',
      sqlSink(WHERE, { argument: 'named', argumentName: 'conditions' }),
    ],
    ['FileUtils.{cp,mv}', { ...PATH_SINK, argument: 1 }],
    [
      'render',
      {
        ...PATH_SINK,
        argument: 'named',
        argumentName: 'file',
        remediation: 'Choose what is rendered from a table of names that may be.',
      },
    ],
    [
      'require load require_relative',
      { ...PATH_SINK, remediation: 'Choose what is loaded from a table of names that may be.' },
    ],
  ],
  sanitizers: [
    [
      '*.{to_i,to_f,to_d,to_r,hash,hexdigest,positive?,to_date,to_time,parameterize} Integer Float Date.parse Time.parse SecureRandom.{hex,uuid} Digest.SHA256.hexdigest',
      ALL,
    ],
    ['Shellwords.{escape,join,shellescape} *.{shellescape,shelljoin}', ['command']],
    ['File.{basename,extname} *.basename', ['path']],
    [
      '*.{quote,sanitize_sql,sanitize_sql_array,sanitize_sql_for_conditions,sanitize_sql_like,sanitize_sql_for_order,quote_column_name,quote_table_name,escape,escape_string,escape_literal,quote_string} sanitize_sql sanitize_sql_array sanitize_sql_like quote sanitize_sql_for_conditions',
      ['sql'],
    ],
    ['CGI.escape ERB.Util.url_encode', ['path', 'command']],
  ],
  quoteEscapers: '*.{escape,escape_string,quote_string}',
  scalarResults: `${common.scalarResults} *.{include?,start_with?,end_with?,match?,empty?,nil?,present?,blank?,any?,key?,zero?,is_a?}`,
  propagators: `*.{strip,chomp,to_s,downcase,upcase,capitalize,split,dup,freeze,first,last,fetch,dig,require,permit,to_sym,presence,to_str,squish,values,keys,to_h,to_unsafe_h,encode,force_encoding,unicode_normalize,reverse,slice,lines,read,original_filename,to_a,flatten,compact,map,then,tap,each,html_safe,delete_prefix,delete_suffix,tr,delete,squeeze,truncate,values_at,try,chars,to_path,html_escape,symbolize_keys}
    String Array CGI.unescape URI.decode_www_form_component JSON.parse Base64.{decode64,encode64,strict_decode64,strict_encode64,urlsafe_decode64,urlsafe_encode64} Pathname.new URI.parse Regexp.escape`,
  concatenators: '*.{concat,prepend,gsub,sub,insert} format sprintf File.join Rails.root.join *.join Kernel.format',
  appenders: '*.{concat,push,append,prepend}',
  pathNormalizers: 'File.{expand_path,realpath,absolute_path} *.{expand_path,realpath,cleanpath}',
  relativePaths: '*.relative_path_from',
  terminators: 'raise abort exit halt',
  functionDefiners: 'scope define_method lambda proc',
  requestHandlers: 'get post put patch delete',
  membershipMethods: '*.{include?,member?,key?,has_key?}',
  prefixTests: '*.start_with?',
  patternTests: '*.{match?,match}',
  patternReplacers: '*.{gsub}',
  typeTests: '*.is_a?',
  patternAnchors: { start: /^\(?\\A/, end: /\\[zZ]\)?$/ },
  freeVariables: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  trustedNames: trustedNames(
    'table_name|quoted_table_name|table|columns|placeholders|id|logger|flash|current_user|connection|root_path',
  ),
};
