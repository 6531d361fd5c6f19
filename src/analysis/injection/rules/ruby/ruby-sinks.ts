import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const WHERE = "where('name = ?', name), or where(name: name).";
const EXECUTE = "db.execute('... = ?', [value]).";
const PATH_SINK = pathSink('File.basename(name), or File.expand_path(name, root).start_with?(root).');
const COMMAND_SINK = commandSink("system('ls', '--', name); Shellwords.escape(name) where a shell is needed.");
const TEMPLATE_SINK = { ...PATH_SINK, remediation: 'Choose what is rendered from a table of names that may be.' };

const SQL: Rules['sinks'] = [
  [
    '*.{find_by_sql,count_by_sql,exec_query,select_all,select_values,select_value,select_rows,select_one,exec_update,exec_insert,exec_delete,execute_batch2,internal_exec_query,async_find_by_sql,async_count_by_sql,exec_main_query,query_value,query_values} find_by_sql count_by_sql',
    sqlSink("find_by_sql(['... = ?', value])."),
  ],
  [
    '*.{execute,query,exec,exec_params,get_first_row,get_first_value,execute2,execute_batch,run,fetch,async_exec,async_query,send_query,with_sql,with_sql_all,with_sql_first,execute_ddl,execute_dui,execute_insert,do,dataset,fetch_rows,explain,execute_async,execute_query,query_single,query_hash,query_array,query_ary,query_job,query_single_row,query_single_value,query_single_column,sync_exec,sync_exec_params,async_exec_params,send_query_params,copy_data,copy_table}',
    possibleSqlSink(EXECUTE),
  ],
  ['*.prepare', possibleSqlSink(EXECUTE, { isHeld: true })],
  ['prepare().{execute,execute!}', sqlSink(EXECUTE, { argument: 'receiver', members: [] })],
  [
    '*.{prepare,send_prepare,async_prepare,sync_prepare}',
    possibleSqlSink("conn.exec_params('... = $1', [value]).", { argument: 1 }),
  ],
  // Of ROM and OCI8.
  ['*.{read,parse}', possibleSqlSink(EXECUTE, { needsSqlEvidence: 'text' })],
  ...(
    [
      ['*.start_query_execution', 'query_string'],
      ['*.{execute_statement,batch_execute_statement}', 'sql'],
      ['*.execute_statement', 'statement'],
    ] as const
  ).map(([patterns, argumentName]): Rules['sinks'][number] => [
    patterns,
    sqlSink('a named parameter.', { argument: 'named', argumentName }),
  ]),
  [
    `*.{where,having,joins,left_joins,left_outer_joins,group,order,reorder,regroup,reselect,pluck,pick,rewhere,exists?,delete_all,delete_by,destroy_all,destroy_by,update_all,from,lock,select,calculate,find_or_create_by,find_by,find_by!,find_sole_by,not,in_order_of,average,sum,minimum,maximum,touch_all,exclude,select_append,order_append,order_more,and,annotate,optimizer_hints,lock_style}
     where order joins having group pluck find_by from`,
    sqlSink(WHERE),
  ],
  ['*.{insert,update,delete}', possibleSqlSink(EXECUTE)],
  ['{distinct(),where(),joins(),left_joins(),group(),unscoped(),all()}.count', sqlSink(WHERE)],
  ['Arel.sql SqlLiteral.new', sqlSink(WHERE)],
  ['*.lit', sqlSink("DB['... = ?', value].", { argument: 'receiver' })],
  ['*.calculate', sqlSink(WHERE, { argument: 1 })],
  [
    'Sequel.{lit,literal,function} {LiteralString,PlaceholderLiteralString}.new {DB,db,@db}.{fetch,run,execute,with_sql,build}',
    sqlSink("DB['... = ?', value]."),
  ],
  ['*.{create_view,create_or_replace_view}', sqlSink("DB['... = ?', value].", { argument: 1 })],
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
    'system exec spawn Kernel.{system,exec,spawn,`} ` IO.popen Open3.{capture2,capture2e,capture3,popen2,popen2e,popen3,pipeline,pipeline_r,pipeline_w,pipeline_rw,pipeline_start} Process.{spawn,exec} PTY.{spawn,getpty} POSIX.Spawn.{system,spawn,popen4} POSIX.Spawn.Child.new sh Open4.{popen4,spawn} Rake.sh FileUtils.sh POSIX.Spawn.` shell_out shell_out! *.{shell_out,shell_out!} ShellOut.new Subprocess.{call,check_call,check_output,popen}',
    { ...COMMAND_SINK, execution: 'single' },
  ],
  [
    '*.{ssh_exec!,exec!,run_command} {ssh,session,channel,ch,Net.SSH.start()}.exec {cmd,shell,TTY.Command.new(),SSH.new()}.{run,run!} shell.execute execute_command run_command Shell.new().system WIN32OLE.new().{Run,Exec,ShellExecute}',
    COMMAND_SINK,
  ],
  ...[1, 2, 3].map((argument): Rules['sinks'][number] => [
    'Open3.{pipeline,pipeline_r,pipeline_w,pipeline_rw,pipeline_start}',
    { ...COMMAND_SINK, argument },
  ]),
  ['ChildProcess.build {container,Container.get(),Container.create()}.exec', { ...COMMAND_SINK, execution: 'program' }],
  ['Container.create', { ...COMMAND_SINK, argument: 'named', argumentName: 'Cmd' }],
  ['Win32.Process.create Process.create', { ...COMMAND_SINK, argument: 'named', argumentName: 'command_line' }],
  [
    'open Kernel.open URI.open IO.{read,binread,readlines,foreach,write,binwrite}',
    {
      ...COMMAND_SINK,
      onlyStart: true,
      remediation: 'It runs what begins with a bar: use File.open, or URI.parse(url).open.',
    },
  ],
  ['{Terrapin,Cocaine}.CommandLine.new Paperclip.run', { ...COMMAND_SINK, argument: 1 }],
];

const PATHS: Rules['sinks'] = [
  [
    `open Kernel.open File.{open,read,write,readlines,new,binread,foreach,rename,size,size?,stat,lstat,readable?,writable?,executable?,world_readable?,zero?,empty?,binwrite,exist?,exists?,file?,directory?,identical?,ftype,readlink,symlink,link,truncate,mtime,atime,ctime,birthtime,mkfifo,atomic_write} IO.{read,readlines,binread,foreach,write,binwrite,sysopen,copy_stream}
     Dir.{entries,glob,children,each_child,mkdir,foreach,rmdir,delete,unlink,chdir,empty?,exist?,open,new}
     FileUtils.{rm,rm_r,rm_rf,rm_f,rmtree,remove,remove_dir,remove_file,remove_entry,remove_entry_secure,safe_unlink,cp,cp_r,copy,copy_file,copy_entry,mv,move,mkdir,mkdir_p,mkpath,makedirs,touch,cd,chdir,ln,ln_s,ln_sf,link,symlink,install,rmdir,compare_file}
     Pathname.{read,glob} send_file render_file *.{send_file,render_file,pdf_from_html_file} YAML.{load_file,unsafe_load_file,safe_load_file,parse_file} Psych.{load_file,safe_load_file,unsafe_load_file} {JSON,Oj,TomlRB}.load_file CSV.{read,foreach,open,table} Zip.{File,InputStream,OutputStream}.open {GzipReader,GzipWriter}.open PStore.new YAML.Store.new Logger.new Tilt.new {Haml,Slim}.Template.new
     MiniMagick.Image.{open,new} Magick.Image.read Magick.ImageList.new Vips.Image.new_from_file ChunkyPNG.Image.from_file {image,img,Image.open(),Image.read()}.write Spreadsheet.open Roo.{Spreadsheet,Excelx,Excel,OpenOffice,CSV}.{new,open} RubyXL.Parser.parse CombinePDF.load PDF.Reader.{new,open} {Prawn,HexaPDF}.Document.{generate,open} {kit,PDFKit.new()}.to_file
     Find.find SQLite3.Database.new Digest.{MD5,SHA1,SHA256,SHA384,SHA512}.file Rack.{Files,File,Directory}.new Listen.to Git.{open,init,bare} Rugged.Repository.{new,init_at}
     sftp.{upload,upload!} ftp.{put,putbinaryfile,puttextfile} {object,obj,s3_object}.{upload_file,download_file} {bucket,bucket()}.create_file {blob,bucket.file()}.download`,
    PATH_SINK,
  ],
  ['File.{delete,unlink}', { ...PATH_SINK, argument: 'all' }],
  [
    '{Pathname.new(),Pathname(),join(),cleanpath(),expand_path(),realpath(),sub_ext(),relative_path_from()}.{read,binread,readlines,each_line,each_child,each_entry,write,binwrite,delete,unlink,open,sysopen,rmtree,children,entries,glob,rmdir,mkpath,mkdir,rename,exist?,file?,directory?,readable?,stat,lstat,make_link,make_symlink,truncate,foreach}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  ['{Pathname.new(),Pathname(),join(),root}.{glob,rename}', PATH_SINK],
  [
    `FileUtils.{cp,cp_r,copy,copy_file,copy_entry,mv,move,ln,ln_s,ln_sf,link,symlink,install,chmod,chmod_R} File.{rename,symlink,link,chmod,lchmod} IO.copy_stream Dir.mktmpdir Tempfile.{new,create,open} {zip,z,zipfile,zip_file,Zip.File.open()}.extract Git.clone sftp.{download,download!} ftp.{get,getbinaryfile,gettextfile} scp.{download,download!}`,
    { ...PATH_SINK, argument: 1 },
  ],
  ['File.{chown,lchown,utime,lutime} FileUtils.{chown,chown_R}', { ...PATH_SINK, argument: 2 }],
  ['Net.SCP.download!', { ...PATH_SINK, argument: 3 }],
  ['Dir.glob', { ...PATH_SINK, argument: 'named', argumentName: 'base' }],
  ['*.{get_object,get}', { ...PATH_SINK, argument: 'named', argumentName: 'response_target' }],
  ['Down.download', { ...PATH_SINK, argument: 'named', argumentName: 'destination' }],
  ['{entry,zip_entry,tar_entry,e}.extract', PATH_SINK],
  ['render render_to_string erb haml slim prepend_view_path append_view_path', { ...TEMPLATE_SINK, argument: 0 }],
  ...['file', 'template', 'partial', 'action', 'layout'].map((argumentName): Rules['sinks'][number] => [
    'render render_to_string',
    { ...TEMPLATE_SINK, argument: 'named', argumentName },
  ]),
  [
    'require load require_relative require_dependency Kernel.{require,load,require_relative}',
    { ...PATH_SINK, remediation: 'Choose what is loaded from a table of names that may be.' },
  ],
];

export const rubySinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];

export const rubyIndexSinks: Rules['indexSinks'] = [
  ['DB db conn connection @db @conn', sqlSink("DB['... = ?', value].", { needsSqlEvidence: 'text' })],
  ['Dir', PATH_SINK],
];
