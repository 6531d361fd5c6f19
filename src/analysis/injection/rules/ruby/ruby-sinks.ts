import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const WHERE = "where('name = ?', name), or where(name: name).";
const EXECUTE = "db.execute('... = ?', [value]).";
const PATH_SINK = pathSink('File.basename(name), or File.expand_path(name, root).start_with?(root).');
const COMMAND_SINK = commandSink("system('ls', '--', name); Shellwords.escape(name) where a shell is needed.");
const TEMPLATE_SINK = { ...PATH_SINK, remediation: 'Choose what is rendered from a table of names that may be.' };

const SQL: Rules['sinks'] = [
  [
    '*.{find_by_sql,count_by_sql,exec_query,select_all,select_values,select_value,select_rows,select_one,exec_update,exec_insert,exec_delete,execute_batch2,internal_exec_query,async_find_by_sql} find_by_sql count_by_sql',
    sqlSink("find_by_sql(['... = ?', value])."),
  ],
  [
    '*.{execute,query,exec,exec_params,get_first_row,get_first_value,execute2,execute_batch,run,fetch,async_exec,async_query,send_query,with_sql,with_sql_all,with_sql_first,execute_ddl,execute_dui,execute_insert,do,dataset,fetch_rows}',
    possibleSqlSink(EXECUTE),
  ],
  ['*.prepare', possibleSqlSink(EXECUTE, { isHeld: true })],
  ['prepare().{execute,execute!}', sqlSink(EXECUTE, { argument: 'receiver', members: [] })],
  ['*.prepare', possibleSqlSink("conn.exec_params('... = $1', [value]).", { argument: 1 })],
  [
    `*.{where,having,joins,left_joins,left_outer_joins,group,order,reorder,regroup,reselect,pluck,pick,rewhere,exists?,delete_all,delete_by,destroy_all,destroy_by,update_all,from,lock,select,calculate,find_or_create_by,find_by,find_by!,not,in_order_of,average,sum,minimum,maximum,touch_all,exclude,select_append,order_append,order_more,and,annotate,optimizer_hints}
     where order joins having group pluck find_by from`,
    sqlSink(WHERE),
  ],
  ['*.{insert,update,delete}', possibleSqlSink(EXECUTE)],
  ['Arel.sql SqlLiteral.new', sqlSink(WHERE)],
  ['*.lit', sqlSink("DB['... = ?', value].", { argument: 'receiver' })],
  ['*.calculate', sqlSink(WHERE, { argument: 1 })],
  ['Sequel.{lit,literal} {DB,db,@db}.{fetch,run,execute,with_sql}', sqlSink("DB['... = ?', value].")],
  [
    '*.{find,all,first,last,count,exists?,paginate,find_all,sum,maximum,minimum,average}',
    sqlSink(WHERE, { argument: 'named', argumentName: 'conditions' }),
  ],
  ...['order', 'group', 'joins', 'select', 'having', 'from'].map((argumentName): Rules['sinks'][number] => [
    '*.{find,all,first,last,count,paginate}',
    sqlSink(WHERE, { argument: 'named', argumentName }),
  ]),
];

const COMMANDS: Rules['sinks'] = [
  [
    'system exec spawn Kernel.{system,exec,spawn,`} ` IO.popen Open3.{capture2,capture2e,capture3,popen2,popen2e,popen3,pipeline,pipeline_r,pipeline_w,pipeline_rw,pipeline_start} Process.{spawn,exec} PTY.{spawn,getpty} POSIX.Spawn.{system,spawn,popen4} POSIX.Spawn.Child.new sh Open4.{popen4,spawn} Rake.sh FileUtils.sh',
    { ...COMMAND_SINK, execution: 'single' },
  ],
  [
    '*.ssh_exec! {ssh,session,channel,ch,Net.SSH.start()}.{exec,exec!} {cmd,TTY.Command.new()}.run execute_command',
    COMMAND_SINK,
  ],
  [
    'open Kernel.open URI.open IO.{read,binread,readlines,foreach,write,binwrite}',
    {
      ...COMMAND_SINK,
      onlyStart: true,
      remediation: 'It runs what begins with a bar: use File.open, or URI.parse(url).open.',
    },
  ],
  ['{Terrapin,Cocaine}.CommandLine.new', { ...COMMAND_SINK, argument: 1 }],
];

const PATHS: Rules['sinks'] = [
  [
    `open Kernel.open File.{open,read,write,readlines,delete,unlink,new,binread,foreach,rename,size,stat,lstat,readable?,binwrite,exist?,exists?,file?,readlink,symlink,link,chmod,truncate,mtime,utime,chown} IO.{read,readlines,binread,foreach,write,binwrite,sysopen,copy_stream} Dir.{entries,glob,children,each_child,mkdir,foreach,rmdir,delete,unlink,chdir,empty?,exist?,open,new}
     FileUtils.{rm,rm_r,rm_rf,rm_f,remove,remove_dir,remove_file,cp,cp_r,copy,mv,move,mkdir,mkdir_p,makedirs,touch,chmod,chmod_R,ln_s,install,rmdir} Pathname.{read,glob} send_file render_file *.send_file YAML.{load_file,unsafe_load_file,safe_load_file} Psych.load_file JSON.load_file CSV.{read,foreach,open,table} Zip.File.open PStore.new Tilt.new MiniMagick.Image.open Roo.Spreadsheet.open Vips.Image.new_from_file Magick.Image.read Find.find SQLite3.Database.new`,
    PATH_SINK,
  ],
  [
    '{Pathname.new(),Pathname(),join(),cleanpath(),expand_path(),realpath(),sub_ext(),relative_path_from()}.{read,binread,readlines,each_line,write,binwrite,delete,unlink,open,rmtree,children,entries,glob,rmdir,mkpath,mkdir,rename}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  [
    '{FileUtils}.{cp,cp_r,copy,mv,move,ln_s,install} File.{rename,symlink,link} IO.copy_stream',
    { ...PATH_SINK, argument: 1 },
  ],
  ['{entry,zip_entry,tar_entry,e}.extract', PATH_SINK],
  ['render', { ...TEMPLATE_SINK, argument: 0 }],
  ...['file', 'template'].map((argumentName): Rules['sinks'][number] => [
    'render',
    { ...TEMPLATE_SINK, argument: 'named', argumentName },
  ]),
  [
    'require load require_relative',
    { ...PATH_SINK, remediation: 'Choose what is loaded from a table of names that may be.' },
  ],
];

export const rubySinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];

export const rubyIndexSinks: Rules['indexSinks'] = [
  ['DB db conn connection @db @conn', sqlSink("DB['... = ?', value].", { needsSqlEvidence: 'text' })],
  ['Dir', PATH_SINK],
];
