import { ALL, common, trustedNames, trustedTypes } from './common.ts';
import { pythonSinks } from './python/python-sinks.ts';
import { PYTHON_FUNCTION_ANNOTATION, PYTHON_REQUEST_METHODS, pythonSources } from './python/python-sources.ts';
import type { Rules } from './rules.ts';

export const pythonRules: Rules = {
  ...common,
  sources: pythonSources,
  sinks: pythonSinks,
  bindings: [
    ['*.{execute,exec_driver_sql}', { placeholder: 'driver', values: 'tuple' }],
    ['objects.raw', { placeholder: '%s', values: 'array' }],
    ['*.{fetch,fetchrow,fetchval}', { placeholder: '$1', values: 'arguments' }],
  ],
  fixes: {
    baseName: [
      { before: 'os.path.basename(', after: ')', needs: 'os' },
      { before: 'basename(', after: ')', needs: 'basename' },
    ],
    shellWord: [{ before: 'shlex.quote(', after: ')', needs: 'shlex' }],
    drivers: [
      [/\bimport\s+(?:sqlite3|aiosqlite|pyodbc|duckdb)\b|\bfrom\s+(?:sqlite3|pyodbc)\b/, '?'],
      [/\b(?:import|from)\s+(?:psycopg2?|pymysql|MySQLdb|mysql\.connector|aiomysql|aiopg|pymssql|django)\b/, '%s'],
    ],
    list: ['[', ']'],
  },
  sanitizers: [
    [
      'int float bool len abs round uuid.UUID UUID Decimal decimal.Decimal hash ord hex date.fromisoformat datetime.{strptime,fromisoformat} ipaddress.{IPv4Address,IPv4Network,IPv4Interface} IPv4Address netaddr.{IPAddress,IPNetwork,EUI} {IPAddress,IPNetwork} *.hex *.{hexdigest,isoformat,bit_length} isinstance range sum max min oct bin date datetime.date datetime.datetime.{strptime,fromisoformat} ObjectId bson.ObjectId secrets.token_hex secrets.token_urlsafe uuid.{uuid1,uuid3,uuid4,uuid5} uuid4 {binascii,zlib}.{hexlify,crc32,adler32} hexlify crc32 Fraction complex time.{strptime,mktime} strtobool util.strtobool {np,numpy}.{int8,int16,int32,int64,float32,float64} ULID.from_str slugify',
      ALL,
    ],
    // Behind the `%` of an IPv6 address, any text but `/` is its scope.
    [
      'ipaddress.{ip_address,ip_network,ip_interface,IPv6Address,IPv6Network,IPv6Interface} {IPv6Address,IPv6Network,ip_address,ip_network,ip_interface}',
      ['path', 'option'],
    ],
    ['secure_filename *.secure_filename get_valid_filename *.get_valid_filename', ['path', 'command', 'sql']],
    ['shlex.{quote,split,join} pipes.quote quote', ['command']],
    [
      'os.path.basename {ntpath,posixpath}.basename basename safe_join {flask,utils,_os}.safe_join pathvalidate.sanitize_filename sanitize_filename',
      ['path'],
    ],
    ['{Path(),PurePath(),pathlib.Path(),pathlib.PurePath(),PurePosixPath(),resolve()}.{name,stem,suffix}', ['path']],
    [
      'psycopg2.sql.{Identifier,Literal,Placeholder,SQL} sql.{Identifier,Literal,Placeholder} psycopg.sql.{Identifier,Literal,Placeholder,SQL} Identifier Literal quote_ident *.{escape_string,quote_identifier,quote_name,escape_literal} {identifier_preparer,preparer}.quote *.{like,ilike,not_like,notlike,not_ilike,notilike,contains,icontains,in_,not_in,notin_,between,regexp_match} {insert(),update(),where()}.values conn.escape',
      ['sql'],
    ],
    ['urllib.parse.quote_plus quote_plus', ['path', 'command']],
    ['urllib.parse.quote urllib.quote', ['command']],
    ['re.escape html.escape', []],
  ],
  quoteEscapers: '*.escape_string',
  wordEscapers: [['shlex.quote pipes.quote', 'bare']],
  scalarResults: `${common.scalarResults} *.{startswith,endswith,isdigit,index,bit_length,status_code,isnumeric,isalnum}`,
  propagators: `*.{strip,lstrip,rstrip,lower,upper,title,capitalize,encode,decode,split,rsplit,splitlines,zfill,partition,ljust,rjust,get,getlist,pop,items,values,keys,copy,read,expanduser,as_posix,absolute,with_suffix,with_name,joinpath,casefold,swapcase,expandtabs,translate,getall,dict,getvalue,most_common,tolist,splitlines,removeprefix,removesuffix,readlines,readline,popleft,copy}
    str repr bytes list tuple set dict sorted reversed enumerate zip iter next map filter textwrap.dedent dedent json.{loads,dumps,load} {orjson,ujson,simplejson,yaml,xmltodict,toml,tomllib,msgpack,ET,etree,ElementTree}.{loads,dumps,safe_load,load,parse,fromstring,unpackb} six.text_type text_type smart_str force_str force_text html.{escape,unescape} SimpleCookie http.cookies.SimpleCookie cookies.SimpleCookie markupsafe.escape urllib.{unquote,quote_plus} urlparse urllib.parse.{urlparse,urlsplit,parse_qs} parse_qs bytearray memoryview tarfile.open urllib.parse.{unquote,unquote_plus} unquote base64.{b64decode,b64encode} Path PurePath pathlib.{Path,PurePath,PosixPath} os.{fspath,fsencode,fsdecode} os.path.{expanduser,expandvars,dirname,splitext} sys.intern escape ast.literal_eval sqlparse.format StringIO io.StringIO email.utils.{parseaddr,getaddresses} parseaddr getaddresses decode_header make_header email.header.{decode_header,make_header} itertools.{chain,islice} {pd,pandas}.{read_csv,read_excel,read_json,DataFrame} load_workbook openpyxl.load_workbook BeautifulSoup bs4.BeautifulSoup unicodedata.normalize *.{iterrows,itertuples,iter_rows} chain islice *.from_iterable posixpath.normpath anext aiter`,
  concatenators:
    '*.{format,join,format_map,joinpath,replace} os.path.join posixpath.join ntpath.join path.join join Path pathlib.Path string.Template Template *.{substitute,safe_substitute} {Template(),jinja2.Template(),from_string(),get_template(),template,tmpl,tpl}.render',
  appenders: '*.{append,extend,add,insert} {io.StringIO(),StringIO(),io.BytesIO(),BytesIO(),StringIO}.write',
  listConstructors: 'list tuple deque collections.deque asyncio.gather gather',
  pathNormalizers:
    'os.path.{abspath,realpath,normpath} *.{resolve} path.{abspath,realpath,normpath} abspath realpath normpath',
  relativePaths: 'os.path.{relpath,commonpath,commonprefix} path.{relpath,commonpath} *.relative_to',
  contextSetters: [['ContextVar().set contextvars.ContextVar().set', { key: 'receiver', value: 0 }]],
  contextGetters: 'ContextVar().get contextvars.ContextVar().get',
  deferredCalls: [
    [
      'asyncio.to_thread to_thread run_in_threadpool *.run_in_threadpool to_thread.{run_sync} anyio.to_thread.run_sync *.{submit,call_soon,call_soon_threadsafe,add_task,callInThread,start_soon} functools.partial partial deferToThread threads.deferToThread',
      { callee: 0 },
    ],
    ['*.{run_in_executor,call_later}', { callee: 1 }],
    ['Thread threading.Thread Process multiprocessing.Process', { callee: 'target', list: 'args' }],
    ['Timer threading.Timer', { callee: 1, list: 2 }],
    ['{pool,Pool(),executor}.{apply,apply_async}', { callee: 0, list: 1 }],
  ],
  terminators:
    'context.{abort,abort_with_status} {parser,ap,argparser}.error {self,api,ns,namespace,rest,flask_restful,flask_smorest,flask,quart,bottle,exceptions}.abort {ctx,context,click}.{fail,exit,abort} {st,streamlit}.stop *.fail_json pytest.fail abort sys.exit exit os._exit quit',
  membershipMethods: '*.{issuperset,__contains__}',
  prefixTests: '*.startswith',
  patternTests: 're.{match,search} *.{match,search}',
  fullMatchTests: 're.fullmatch *.fullmatch',
  patternConstructors: 're.compile regex.compile',
  patternReplacers: 're.sub *.sub',
  // They raise for anything else.
  converters:
    'int float UUID uuid.UUID Decimal decimal.Decimal IPv4Address IPv4Network ipaddress.{IPv4Address,IPv4Network} date.fromisoformat ObjectId bson.ObjectId',
  typeTests:
    'validators.{domain,ipv4,ipv4_cidr,uuid,slug,mac_address,md5,sha1,sha256} netaddr.{valid_ipv4,valid_mac} valid_ipv4 is_valid_uuid isinstance *.{isdigit,isnumeric,isdecimal,isalnum,isidentifier,isalpha}',
  pathTests: '*.is_relative_to is_safe_path is_safe',
  patternAnchors: { start: /^/, end: /\$\)?$|\\[zZ]$/ },
  numericOption: /^(int|float|bool|uuid\.UUID|UUID)$/,
  requestFunctionAnnotation: PYTHON_FUNCTION_ANNOTATION,
  requestMethods: PYTHON_REQUEST_METHODS,
  validatedMembers: /^(?:validated_data|cleaned_data)$/,
  narrowFields:
    /(?:Integer|Float|Decimal|Boolean|Date|Time|DateTime|Duration|UUID|(?:Multiple|Typed|TypedMultiple|Model|ModelMultiple)?Choice|IPAddress|Slug|Regex|\w*Related)Field\(\)$/,
  requestParameterName: /^(?:request|req)$/,
  numericRouteParameter: /(?:<(?:int|float|uuid):|\{(?=\w+:(?:int|float|uuid)\}))(\w+)/g,
  freeVariables: /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  trustedTypes: trustedTypes('InputStream|QueueMessage|ServiceBusMessage|StreamReader|StreamWriter|CallbackContext'),
  trustedNames: trustedNames(
    'print|len|str|int|open|range|list|dict|set|tuple|type|id|object|super|os|sys|re|json|table|table_name|columns|placeholders|params|background_tasks|current_user|info|interaction|inter|ack|say|respond|sid|properties',
  ),
};
