import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const DB_API = "cursor.execute('... WHERE id = %s', (id,)).";
const ORM = 'filter(Model.name == name).';
const PATH_SINK = pathSink(
  'os.path.basename(name), secure_filename(name), or Path(root, name).resolve().is_relative_to(root).',
);
const COMMAND_SINK = commandSink(
  "subprocess.run(['ls', '--', name]), without shell=True; shlex.quote(name) where a shell is needed.",
);
/** Storages that keep paths inside of their folder, and streams. */
const CONFINED = /(^|\.)(default_storage|storage|\w*Storage(\(\))?)$/;

const SQL: Rules['sinks'] = [
  [
    '*.{execute,executemany,executescript,mogrify,execute_async,execute_string,copy_expert,execute_sql,execute_query,execute_query_dict,execute_script,execute_many}',
    possibleSqlSink(DB_API, { argumentName: 'query' }),
  ],
  [
    '*.{executescript,mogrify,executemany,exec_driver_sql,execute_sql,execute_query,execute_query_dict,from_statement,select_by_sql,copy_expert}',
    sqlSink(DB_API, { argumentName: 'statement' }),
  ],
  [
    '*.{fetch,fetchrow,fetchval,fetchmany,fetch_all,fetch_one,fetch_val,fetchone,fetchall,iterate,prepare,read_sql,run_query,query,sql,raw_sql,query_and_wait}',
    possibleSqlSink("conn.fetch('... = $1', value).", { argumentName: 'query' }),
  ],
  [
    '*.{run,stream,copy,cursor,scalar,scalars,command,select,get_records,get_first,raw_query}',
    sqlSink(DB_API, { needsSqlEvidence: 'text', argumentName: 'sql' }),
  ],
  [
    '*.{query_df,query_np,query_arrow,query_dataframe,execute_iter,executesql,execute_fetchall,execute_insert,copy_from_query,get_pandas_df,rows_where}',
    sqlSink(DB_API, { argumentName: 'query' }),
  ],
  [
    'execute_values execute_batch {extras,psycopg2.extras}.{execute_values,execute_batch}',
    sqlSink(DB_API, { argument: 1, argumentName: 'sql' }),
  ],
  ['SimpleStatement *.SimpleStatement', sqlSink("session.execute('... = %s', (value,)).")],
  [
    '{db,database}.{select,update,delete}',
    possibleSqlSink("db.select('users', where='name = $name', vars={'name': name}).", {
      argument: 'named',
      argumentName: 'where',
    }),
  ],
  ...['Sql', 'sql', 'QueryString', 'Statement', 'Expression'].map((argumentName): Rules['sinks'][number] => [
    '*.{execute_statement,batch_execute_statement,start_query_execution,select_object_content}',
    sqlSink('the parameters of the statement.', { argument: 'named', argumentName }),
  ]),
  [
    '{pd,pandas,psql,sqldf,pl,polars,wr.athena,awswrangler.athena,duckdb}.{read_sql,read_sql_query,read_database,read_database_uri,query,sql,execute}',
    sqlSink('read_sql(statement, connection, params=(...)).', { argumentName: 'sql' }),
  ],
  ['*.objects.raw *.raw', possibleSqlSink("Model.objects.raw('... = %s', [value]).", { argumentName: 'raw_query' })],
  [
    '*.objects.raw {objects,using()}.raw',
    sqlSink("Model.objects.raw('... = %s', [value]).", { argumentName: 'raw_query' }),
  ],
  ...['template', 'function'].map((argumentName): Rules['sinks'][number] => [
    'Func *.Func',
    sqlSink('a constant template; expressions take values.', { argument: 'named', argumentName }),
  ]),
  ['Raw raw_sql', possibleSqlSink("Raw('name = {}', name).")],
  ['RawSQL *.RawSQL', sqlSink("RawSQL('... = %s', (value,)).", { argumentName: 'sql' })],
  [
    '{sqlalchemy,sa,db,sqlmodel}.text text sqlalchemy.sql.text sql.text expression.text literal_column sa.literal_column sqlalchemy.literal_column *.literal_column DDL sqlalchemy.DDL',
    sqlSink("text('... = :name').bindparams(name=name).", { argumentName: 'text' }),
  ],
  [
    'peewee.SQL SQL pony.orm.raw_sql psycopg2.sql.SQL psycopg.sql.SQL sql.SQL AsIs psycopg2.extensions.AsIs extensions.AsIs',
    sqlSink("sql.SQL('...').format(sql.Identifier(name))."),
  ],
  [
    'sessions.spark.sql {spark,sqlContext,spark_session,sqlCtx,sc}.{sql}',
    sqlSink("spark.sql('... = :name', args={'name': name})."),
  ],
  ['*.selectExpr {F,functions}.expr c.*.op', sqlSink('functions and columns instead of texts.')],
  [
    '*.extra',
    sqlSink("extra(where=['name = %s'], params=[name]), or filter(name=name).", {
      argument: 'all',
      argumentName: 'where',
    }),
  ],
  ...['select', 'tables', 'order_by'].map((argumentName): Rules['sinks'][number] => [
    '*.extra',
    sqlSink("extra(select={'x': '... = %s'}, select_params=[value]).", {
      argument: 'named',
      argumentName,
      recordValues: true,
    }),
  ]),
  [
    '*.{filter,where,order_by,having,group_by,distinct,select_from,filter_by,add_columns,prefix_with,suffix_with}',
    possibleSqlSink(ORM),
  ],
  [
    '{query(),filter(),join(),order_by(),select(),select_from(),outerjoin(),group_by()}.{filter,where,having,group_by,distinct} {query(),join(),select(),select_from(),outerjoin(),group_by()}.order_by',
    sqlSink(ORM),
  ],
];

const COMMANDS: Rules['sinks'] = [
  [
    `os.{system,popen,popen2,popen3,popen4} commands.{getoutput,getstatusoutput} subprocess.{getoutput,getstatusoutput} popen2.{popen2,popen3,popen4,Popen3,Popen4} asyncio.create_subprocess_shell create_subprocess_shell asyncio.subprocess.create_subprocess_shell
     pexpect.{run,spawn,spawnu,runu} pexpect.popen_spawn.PopenSpawn *.exec_command *.run_ps *.create_process {posix,nt,libc,CDLL(),get_ipython()}.system get_ipython().getoutput anyio.{run_process,open_process} delegator.{run,chain} envoy.run sarge.{run,capture_stdout,capture_stderr,capture_both,get_stdout} Session().run_cmd
     {net_connect,ConnectHandler()}.{send_command,send_command_timing,send_command_expect,send_config_set}`,
    { ...COMMAND_SINK, argumentName: 'command' },
  ],
  [
    'os.popen subprocess.{getoutput,getstatusoutput} asyncio.create_subprocess_shell create_subprocess_shell',
    { ...COMMAND_SINK, argumentName: 'cmd' },
  ],
  ['*.subprocess_shell', { ...COMMAND_SINK, argument: 1, argumentName: 'cmd' }],
  ['sh.{sh,bash,zsh,dash,ssh}', { ...COMMAND_SINK, argument: 1 }],
  [
    'subprocess.{run,call,check_call,check_output,Popen} trio.run_process Popen check_output check_call',
    { ...COMMAND_SINK, execution: 'optional', argumentName: 'args' },
  ],
  [
    'asyncio.create_subprocess_exec create_subprocess_exec asyncio.subprocess.create_subprocess_exec',
    { ...COMMAND_SINK, execution: 'program' },
  ],
  ['os.{posix_spawn,posix_spawnp}', { ...COMMAND_SINK, execution: 'program' }],
  ['*.subprocess_exec', { ...COMMAND_SINK, argument: 1, execution: 'program' }],
  [
    'containers.{run,create} kubernetes.stream.stream stream.stream',
    { ...COMMAND_SINK, argument: 1, argumentName: 'command', execution: 'program' },
  ],
  [
    'os.{execl,execle,execlp,execlpe,execv,execve,execvp,execvpe,startfile} pty.spawn distutils.spawn.spawn {PtyProcess,PtyProcessUnicode}.spawn *.exec_run sh.Command',
    { ...COMMAND_SINK, execution: 'program' },
  ],
  [
    'os.{spawnl,spawnle,spawnlp,spawnlpe,spawnv,spawnve,spawnvp,spawnvpe}',
    { ...COMMAND_SINK, argument: 1, execution: 'program' },
  ],
  [
    '{c,ctx,conn,connection,invoke,Connection,Connection(),fabric,context,ssh,asyncssh,client,connect(),host}.{run,sudo,local} fabric.operations.{run,sudo,local} fabric.api.{run,sudo,local} invoke.{run,sudo}',
    { ...COMMAND_SINK, unlessSql: true },
  ],
];

/** What is sent or kept in memory, instead of a path. */
const STREAM_VALUES =
  /\.(stream|body|files|FILES|read\(\)|file|get_data\(\))$|\b(?:files|FILES)\.get\(\)$|BytesIO\(\)|StringIO\(\)/;

const PATHS: Rules['sinks'] = [
  [
    `os.{open,remove,unlink,listdir,rmdir,removedirs,mkdir,makedirs,rename,renames,replace,scandir,stat,lstat,chmod,chown,truncate,symlink,link,readlink,walk,utime,chdir,chroot,mkfifo,mknod} shutil.{copy,copyfile,copy2,move,rmtree,copytree,make_archive,unpack_archive,chown} aiofiles.os.{remove,unlink,stat,rename,replace,mkdir,makedirs,rmdir,listdir,scandir} aioshutil.{copy,copyfile,move,rmtree}
     glob.{glob,iglob} runpy.run_path execfile`,
    { ...PATH_SINK, argumentName: 'path' },
  ],
  [
    `open io.open io.FileIO codecs.open builtins.open send_file flask.send_file FileResponse responses.FileResponse aiofiles.open tarfile.open zipfile.ZipFile ZipFile web.FileResponse static_file linecache.{getlines,getline} {np,numpy}.{load,loadtxt,genfromtxt,save,savetxt,savez,savez_compressed,fromfile,memmap} gzip.open bz2.open lzma.open fileinput.input shelve.open dbm.open
     {pd,pandas}.{read_csv,read_excel,read_json,read_pickle,read_parquet,read_table,read_feather,read_hdf,ExcelWriter,ExcelFile} Image.open PIL.Image.open cv2.{imread,imwrite,VideoCapture} torch.load joblib.load response.file sanic.response.file file file_stream sendfile anyio.open_file trio.open_file fsspec.open
     {ET,etree,ElementTree,minidom}.parse {wave,fitz,pymupdf,pdfplumber,rarfile,netCDF4}.open librosa.load {sf,soundfile}.{read,write} docx.Document PdfReader PyPDF2.PdfReader pypdf.PdfReader load_workbook openpyxl.load_workbook Presentation pptx.Presentation h5py.File xlsxwriter.Workbook sqlite3.connect aiosqlite.connect logging.FileHandler handlers.RotatingFileHandler serve_file static.{serve_file,serve_download} twisted.web.static.File static.File RarFile rarfile.RarFile SevenZipFile py7zr.SevenZipFile
     *.{to_csv,to_excel,to_parquet,to_pickle,to_feather,to_hdf,savefig,download_to_filename,upload_from_filename} {df,DataFrame()}.to_json`,
    { ...PATH_SINK, safeOption: 'root', argumentName: 'path', ignoredValues: STREAM_VALUES },
  ],
  ...(
    [
      ['open io.open codecs.open aiofiles.open', 'file'],
      ['send_file flask.send_file', 'path_or_file'],
      ['send_file flask.send_file', 'filename_or_fp'],
      ['os.{makedirs,removedirs}', 'name'],
      ['os.{rename,renames,replace,symlink,link} shutil.{copy,copyfile,copy2,move,copytree}', 'src'],
      ['shutil.copyfileobj File response.File', 'path'],
      ['Template template.Template', 'filename'],
      ['tempfile.{mkdtemp,mkstemp,NamedTemporaryFile,TemporaryDirectory} NamedTemporaryFile TemporaryDirectory', 'dir'],
      ['*.{upload_file,download_file}', 'Filename'],
    ] as const
  ).map(([patterns, argumentName]): Rules['sinks'][number] => [
    patterns,
    { ...PATH_SINK, argument: 'named', argumentName },
  ]),
  [
    'shutil.{copy,copyfile,copy2,move,copytree} os.{rename,renames,replace,symlink,link} aiofiles.os.{rename,replace} aioshutil.{copy,copyfile,move}',
    { ...PATH_SINK, argument: 1, argumentName: 'dst' },
  ],
  ['shutil.unpack_archive', { ...PATH_SINK, argument: 1, argumentName: 'extract_dir' }],
  ['urlretrieve urllib.request.urlretrieve', { ...PATH_SINK, argument: 1, argumentName: 'filename' }],
  [
    'torch.save joblib.dump spec_from_file_location importlib.util.spec_from_file_location SourceFileLoader machinery.SourceFileLoader imp.load_source',
    { ...PATH_SINK, argument: 1 },
  ],
  ['send_from_directory flask.send_from_directory', PATH_SINK],
  ['*.{read_text,read_bytes,write_text,write_bytes,unlink,touch,iterdir,open}', { ...PATH_SINK, argument: 'receiver' }],
  [
    '{Path(),joinpath(),resolve(),absolute(),with_name(),Path}.{mkdir,rmdir,rename,replace,glob,rglob,exists,is_file,stat,chmod,symlink_to}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  ['{Path(),joinpath(),resolve()}.{rename,replace,glob,rglob,symlink_to,hardlink_to}', PATH_SINK],
  ['*.save', { ...PATH_SINK, safeOption: 'commit', argumentName: 'dst', unlessReceiver: CONFINED }],
  // Files of another host, and what is read of or written to it.
  [
    '{sftp,open_sftp(),SFTPClient}.{open,file,get,put,remove,unlink,listdir,listdir_attr,listdir_iter,mkdir,rmdir,stat,rename}',
    PATH_SINK,
  ],
  ['{sftp,open_sftp(),SFTPClient}.{get,put,rename}', { ...PATH_SINK, argument: 1 }],
  ['{ftp,FTP(),FTP_TLS()}.{retrbinary,retrlines,storbinary,storlines,delete,cwd,mkd,rmd}', PATH_SINK],
  ['{s3,s3_client,bucket,client,Bucket()}.download_file', { ...PATH_SINK, argument: 2 }],
  ['{s3,s3_client,bucket,client,Bucket()}.upload_file', PATH_SINK],
  // A file that an archive takes in, and the folder where one is unpacked.
  ['{zipfile.ZipFile(),ZipFile(),zf,zipf}.write {tarfile.open(),TarFile(),tar}.add', PATH_SINK],
  [
    '{zipfile.ZipFile(),ZipFile(),zf,zipf,tarfile.open(),TarFile(),tar,tf}.extractall',
    { ...PATH_SINK, argumentName: 'path' },
  ],
  // A tar archive chooses where its entries go; zipfile keeps them inside.
  [
    '{tarfile.open(),tar,TarFile,TarFile(),tar_file,tarball,tarfile}.{extractall,extract}',
    {
      ...PATH_SINK,
      argument: 'receiver',
      safeOption: 'filter',
      safeOptionValues: /^(?:data|tar|data_filter|tar_filter)$/,
      remediation: "Extract with filter='data', which refuses entries outside of the folder.",
    },
  ],
];

export const pythonSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
