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
  ['*.run', sqlSink(DB_API, { needsSqlEvidence: 'text' })],
  [
    '{pd,pandas,psql,sqldf,pl,polars,wr.athena,duckdb}.{read_sql,read_sql_query,read_database,read_database_uri,query,sql,execute}',
    sqlSink('read_sql(statement, connection, params=(...)).', { argumentName: 'sql' }),
  ],
  ['*.objects.raw *.raw', possibleSqlSink("Model.objects.raw('... = %s', [value]).", { argumentName: 'raw_query' })],
  [
    '*.objects.raw {objects,using()}.raw',
    sqlSink("Model.objects.raw('... = %s', [value]).", { argumentName: 'raw_query' }),
  ],
  ['RawSQL *.RawSQL', sqlSink("RawSQL('... = %s', (value,)).", { argumentName: 'sql' })],
  [
    'sqlalchemy.text sa.text db.text text sqlalchemy.sql.text sql.text expression.text literal_column sa.literal_column sqlalchemy.literal_column *.literal_column DDL sqlalchemy.DDL',
    sqlSink("text('... = :name').bindparams(name=name).", { argumentName: 'text' }),
  ],
  [
    'peewee.SQL SQL psycopg2.sql.SQL psycopg.sql.SQL sql.SQL AsIs psycopg2.extensions.AsIs extensions.AsIs',
    sqlSink("sql.SQL('...').format(sql.Identifier(name))."),
  ],
  [
    'sessions.spark.sql {spark,sqlContext,spark_session,sqlCtx,sc}.{sql}',
    sqlSink("spark.sql('... = :name', args={'name': name})."),
  ],
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
    '*.{filter,where,order_by,having,group_by,distinct,select_from,filter_by,add_columns,with_hint,prefix_with,suffix_with}',
    possibleSqlSink(ORM),
  ],
  [
    '{query(),filter(),join(),order_by(),select(),select_from(),outerjoin(),group_by()}.{filter,where,order_by,having,group_by,distinct}',
    sqlSink(ORM),
  ],
];

const COMMANDS: Rules['sinks'] = [
  [
    `os.{system,popen,popen2,popen3,popen4} commands.{getoutput,getstatusoutput} subprocess.{getoutput,getstatusoutput} popen2.{popen2,popen3,popen4,Popen3,Popen4} asyncio.create_subprocess_shell create_subprocess_shell asyncio.subprocess.create_subprocess_shell *.subprocess_shell
     pexpect.{run,spawn,spawnu,runu} pexpect.popen_spawn.PopenSpawn *.exec_command`,
    COMMAND_SINK,
  ],
  [
    'subprocess.{run,call,check_call,check_output,Popen} Popen check_output check_call',
    { ...COMMAND_SINK, execution: 'optional', argumentName: 'args' },
  ],
  [
    'asyncio.create_subprocess_exec create_subprocess_exec asyncio.subprocess.create_subprocess_exec',
    { ...COMMAND_SINK, execution: 'program' },
  ],
  ['*.subprocess_exec', { ...COMMAND_SINK, argument: 1, execution: 'program' }],
  [
    'os.{execl,execle,execlp,execlpe,execv,execve,execvp,execvpe,startfile,posix_spawn,posix_spawnp} pty.spawn distutils.spawn.spawn',
    { ...COMMAND_SINK, execution: 'program' },
  ],
  [
    'os.{spawnl,spawnle,spawnlp,spawnlpe,spawnv,spawnve,spawnvp,spawnvpe}',
    { ...COMMAND_SINK, argument: 1, execution: 'program' },
  ],
  [
    '{c,ctx,conn,connection,invoke,Connection,Connection(),fabric,context,ssh,asyncssh,client}.{run,sudo,local} fabric.operations.{run,sudo,local} fabric.api.{run,sudo,local} invoke.{run,sudo}',
    { ...COMMAND_SINK, unlessSql: true },
  ],
];

const PATHS: Rules['sinks'] = [
  [
    `open io.open io.FileIO codecs.open builtins.open os.{open,remove,unlink,listdir,rmdir,removedirs,mkdir,makedirs,rename,renames,replace,scandir,stat,lstat,chmod,chown,truncate,symlink,link,readlink,walk,utime} shutil.{copy,copyfile,copy2,move,rmtree,copytree,make_archive,unpack_archive}
     send_file flask.send_file FileResponse responses.FileResponse aiofiles.open tarfile.open zipfile.ZipFile ZipFile web.FileResponse static_file linecache.{getlines,getline} {np,numpy}.{load,loadtxt,genfromtxt,save} gzip.open bz2.open lzma.open fileinput.input shelve.open dbm.open
     {pd,pandas}.{read_csv,read_excel,read_json,read_pickle,read_parquet,read_table,read_feather,read_hdf} Image.open PIL.Image.open cv2.{imread,imwrite} torch.load joblib.load response.file sanic.response.file file file_stream sendfile aiofiles.os.{remove,stat,rename} anyio.open_file`,
    {
      ...PATH_SINK,
      safeOption: 'root',
      argumentName: 'path',
      ignoredValues: /\.(stream|body|files|FILES|read\(\)|file|get_data\(\))$|BytesIO\(\)|StringIO\(\)/,
    },
  ],
  ['open io.open codecs.open aiofiles.open', { ...PATH_SINK, argument: 'named', argumentName: 'file' }],
  ['send_file flask.send_file', { ...PATH_SINK, argument: 'named', argumentName: 'path_or_file' }],
  ['send_file flask.send_file', { ...PATH_SINK, argument: 'named', argumentName: 'filename_or_fp' }],
  ['shutil.{copy,copyfile,copy2,move,copytree} os.{rename,replace,symlink,link}', { ...PATH_SINK, argument: 1 }],
  ['shutil.copyfileobj', { ...PATH_SINK, argument: 'named', argumentName: 'path' }],
  ['send_from_directory flask.send_from_directory', PATH_SINK],
  ['*.{read_text,read_bytes,write_text,write_bytes,unlink,touch,iterdir,open}', { ...PATH_SINK, argument: 'receiver' }],
  [
    '{Path(),joinpath(),resolve(),absolute(),with_name(),Path}.{mkdir,rmdir,rename,replace,glob,rglob,exists,is_file,stat,chmod,symlink_to}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  ['*.save', { ...PATH_SINK, safeOption: 'commit', unlessReceiver: CONFINED }],
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
