import { ALL, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const DB_API = "cursor.execute('... WHERE id = %s', (id,)).";
const PATH_SINK = pathSink(
  'os.path.basename(name), secure_filename(name), or Path(root, name).resolve().is_relative_to(root).',
);
const COMMAND_SINK = commandSink(
  "subprocess.run(['ls', '--', name]), without shell=True; shlex.quote(name) where a shell is needed.",
);

export const pythonRules: Rules = {
  ...common,
  sources: [
    [
      `request.{args,form,values,json,data,files,headers,cookies,GET,POST,FILES,META,body,COOKIES,query_params,path_params,query_string,get_json,get_data,stream,view_args,url,path,full_path,match_info,query,rel_url,post,text,matchdict,params,forms}
       *.{get_argument,get_query_argument,get_body_argument,get_arguments} cgi.FieldStorage self.request.{arguments,body} event.{queryStringParameters,pathParameters,body,headers,multiValueQueryStringParameters,Records,arguments,rawPath,rawQueryString,detail} flask.request.{args,form,values,json,data,files,headers,cookies}`,
      'request',
    ],
    [
      'input raw_input sys.argv os.environ os.getenv os.environ.get sys.stdin.{read,readline} stdin.{read,readline} parser.parse_args *.parse_args click.prompt',
      'local',
    ],
  ],
  sinks: [
    ['*.{execute,executemany,executescript,mogrify}', possibleSqlSink(DB_API, { argumentName: 'query' })],
    [
      '*.{fetch,fetchrow,fetchval,fetch_all,fetch_one,fetchone,fetchall,prepare,exec_driver_sql,read_sql,run_query}',
      possibleSqlSink("conn.fetch('... = $1', value)."),
    ],
    [
      '{pd,pandas}.{read_sql,read_sql_query}',
      sqlSink('read_sql(statement, connection, params=(...)).', { argumentName: 'sql' }),
    ],
    ['*.objects.raw *.raw', possibleSqlSink("Model.objects.raw('... = %s', [value]).")],
    ['*.objects.{raw}', sqlSink("Model.objects.raw('... = %s', [value]).")],
    ['RawSQL *.RawSQL', sqlSink("RawSQL('... = %s', (value,)).")],
    ['sqlalchemy.text sa.text db.text text', sqlSink("text('... = :name').bindparams(name=name).")],
    [
      '*.extra',
      sqlSink("extra(where=['name = %s'], params=[name]), or filter(name=name).", {
        argument: 'all',
        argumentName: 'where',
      }),
    ],
    ['*.{filter,where,order_by,having}', possibleSqlSink('filter(Model.name == name).')],
    [
      'os.{system,popen} commands.{getoutput,getstatusoutput} subprocess.{getoutput,getstatusoutput} popen2.{popen2,popen3} asyncio.create_subprocess_shell create_subprocess_shell pexpect.{run,spawn} *.exec_command',
      COMMAND_SINK,
    ],
    [
      'subprocess.{run,call,check_call,check_output,Popen} Popen check_output',
      { ...COMMAND_SINK, execution: 'optional', argumentName: 'args' },
    ],
    ['asyncio.create_subprocess_exec create_subprocess_exec', { ...COMMAND_SINK, execution: 'program' }],
    ['os.{execl,execlp,execv,execvp,execve,startfile}', { ...COMMAND_SINK, execution: 'program' }],
    ['{c,ctx,conn,connection}.{run,sudo,local} fabric.operations.run', COMMAND_SINK],
    [
      'open io.open codecs.open builtins.open os.{open,remove,unlink,listdir,rmdir,mkdir,makedirs,rename,scandir,stat} shutil.{copy,copyfile,copy2,move,rmtree,copytree} send_file flask.send_file FileResponse aiofiles.open tarfile.open zipfile.ZipFile web.FileResponse static_file linecache.getlines np.load numpy.load gzip.open',
      { ...PATH_SINK, safeOption: 'root', argumentName: 'path' },
    ],
    ['shutil.{copy,copyfile,copy2,move,copytree} os.rename', { ...PATH_SINK, argument: 1 }],
    ['*.{read_text,read_bytes,write_text,write_bytes}', { ...PATH_SINK, argument: 'receiver' }],
    ['*.save', { ...PATH_SINK, safeOption: 'commit' }],
  ],
  sanitizers: [
    [
      'int float bool len abs round uuid.UUID UUID Decimal decimal.Decimal hash ord hex date.fromisoformat datetime.{strptime,fromisoformat} ipaddress.{ip_address,ip_network} *.hexdigest isinstance range sum max min',
      ALL,
    ],
    ['shlex.{quote,split,join} pipes.quote quote', ['command']],
    [
      'secure_filename werkzeug.utils.secure_filename os.path.{basename,splitext} basename safe_join flask.safe_join werkzeug.utils.safe_join get_valid_filename slugify',
      ['path'],
    ],
    ['slugify get_valid_filename secure_filename', ALL],
    [
      'psycopg2.sql.{Identifier,Literal,Placeholder,SQL} sql.{Identifier,Literal,Placeholder} psycopg.sql.{Identifier,Literal,Placeholder} Identifier Literal AsIs quote_ident *.{escape_string,quote_identifier,quote_name,literal_column} connection.ops.quote_name conn.escape',
      ['sql'],
    ],
    ['urllib.parse.{quote,quote_plus} quote_plus', ['path', 'command']],
    ['re.escape html.escape', []],
  ],
  quoteEscapers: '*.escape_string',
  scalarResults: `${common.scalarResults} *.{startswith,endswith,isdigit,find,index,bit_length,status_code,isnumeric,isalnum}`,
  propagators: `*.{strip,lstrip,rstrip,lower,upper,title,capitalize,encode,decode,split,rsplit,splitlines,zfill,partition,ljust,rjust,get,getlist,pop,items,values,keys,copy,read,expanduser,as_posix,absolute,with_suffix,with_name,joinpath,casefold,swapcase,expandtabs,translate,getall,dict}
    str repr bytes list tuple set dict sorted reversed enumerate zip iter next map filter textwrap.dedent dedent json.{loads,dumps} urllib.parse.{unquote,unquote_plus} unquote base64.{b64decode,b64encode} Path PurePath pathlib.{Path,PurePath,PosixPath} os.{fspath,fsencode,fsdecode} os.path.{expanduser,expandvars,dirname,splitext} sys.intern escape ast.literal_eval sqlparse.format StringIO io.StringIO`,
  concatenators:
    '*.{format,join,format_map,joinpath,replace} os.path.join posixpath.join ntpath.join path.join join Path pathlib.Path string.Template Template *.{substitute,safe_substitute}',
  appenders: '*.{append,extend,add,insert}',
  listConstructors: 'list tuple',
  pathNormalizers:
    'os.path.{abspath,realpath,normpath} *.{resolve} path.{abspath,realpath,normpath} abspath realpath normpath',
  relativePaths: 'os.path.{relpath,commonpath,commonprefix} path.{relpath,commonpath} *.relative_to',
  terminators: 'abort flask.abort sys.exit exit os._exit quit',
  membershipMethods: '*.{issuperset,__contains__}',
  prefixTests: '*.startswith',
  patternTests: 're.{match,search} *.{match,search}',
  fullMatchTests: 're.fullmatch *.fullmatch',
  patternReplacers: 're.sub *.sub',
  typeTests: 'isinstance *.{isdigit,isnumeric,isdecimal,isalnum,isidentifier,isalpha}',
  pathTests: '*.is_relative_to is_safe_path is_safe',
  patternAnchors: { start: /^/, end: /\$\)?$|\\[zZ]$/ },
  requestFunctionAnnotation:
    /\.(route|get|post|put|patch|delete|head|options|websocket|api_route|endpoint|command)\s*\(|@(app|router|api|bp|blueprint|get|post|route)\b|view_config|api_view/,
  requestParameterName: /^request$/,
  numericRouteParameter: /<(?:int|float|uuid):(\w+)>/g,
  freeVariables: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  trustedNames: trustedNames(
    'print|len|str|int|open|range|list|dict|set|tuple|type|id|object|super|os|sys|re|json|table|table_name|columns|placeholders|params|background_tasks|current_user',
  ),
};
