import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const PDO = "$pdo->prepare('... WHERE id = ?') and execute([$id]).";
const PG = "pg_query_params($db, '... = $1', [$value]).";
const ELOQUENT = "whereRaw('name = ?', [$name]), or where('name', $name).";
const PATH_SINK = {
  ...pathSink('basename($name), or realpath($root . $name) and str_starts_with($path, $root).'),
  // The object of an upload stands for its temporary file.
  ignoredValues: /(?:^|\.)(?:file|files\.get|getFile)\(\)$/,
};
const COMMAND_SINK = commandSink('proc_open([...]) or Symfony Process; escapeshellarg($name) where a shell is needed.');

/** Builders of Laravel, which quote the names of columns. */
const QUOTED_COLUMNS = /(?:^|\.)(?:DB|Capsule|Manager)\.(?:connection\(\)\.)?table\(\)/;

/** Connections whose `exec` runs a command. */
const REMOTE_SHELL = /(?:^|\.)(?:new:)?(?:SSH2|SFTP)(?:\(\))?$/;

const SQL: Rules['sinks'] = [
  [
    'mysqli_{query,real_query,multi_query,execute_query,master_query} pg_{query,send_query,exec} sqlsrv_{query,prepare} odbc_{exec,prepare,do} oci_parse db2_{exec,prepare} ibase_query ibase_prepare fbird_query ingres_query cubrid_{query,prepare} maxdb_query msql_db_query',
    sqlSink('mysqli_prepare($db, "... = ?") and mysqli_stmt_bind_param.', { argument: 1 }),
  ],
  ['mysqli_prepare', sqlSink(PDO, { argument: 1, isHeld: true })],
  ['pg_{query_params,send_query_params,copy_from,copy_to} mysqli_stmt_prepare', sqlSink(PG, { argument: 1 })],
  ['pg_{prepare,send_prepare}', sqlSink(PG, { argument: 2 })],
  [
    'pg_{query,exec,send_query} mysql_query mysql_unbuffered_query mssql_query sybase_query msql_query db_query db_query_range ibase_query',
    sqlSink(PDO),
  ],
  ['mysql_db_query', sqlSink(PDO, { argument: 1 })],
  ['sqlite_{query,exec,array_query,single_query,unbuffered_query}', sqlSink(PDO, { argument: 'all' })],
  [
    '*.{query,exec,multi_query,real_query,querySingle,rawQuery,rawQueryOne,executeQuery,executeStatement,executeUpdate,executeCacheQuery,fetchAll,fetchAssociative,fetchAllAssociative,fetchAllNumeric,fetchAllKeyValue,fetchFirstColumn,fetchNumeric,fetchAssoc,fetchArray,fetchColumn,fetchOne,fetchRow,fetchCol,fetchPairs,iterateAssociative,createQuery,createNativeQuery,execute_query,simple_query,setQuery,queryAll,queryRow,runQuery,execute,get_results,queryRange,fetchAllAssociativeIndexed,iterateNumeric,iterateColumn,iterateKeyValue,iterateAssociativeIndexed,fetchObject,fetchObjects,fetchAffected,fetchValue,fetchUnique,fetchGroup,perform,yieldAll,yieldAssoc,yieldCol,yieldObjects,yieldPairs,rawQueryValue,queryFirstRow,queryFirstField,queryFirstColumn,queryFirstList,selectOne,scalar,statement,unprepared,affectingStatement,Execute,GetAll,GetRow,GetOne,GetCol,GetAssoc,GetArray,SelectLimit,PageExecute}',
    possibleSqlSink(PDO, { unlessReceiver: REMOTE_SHELL }),
  ],
  ['*.{insert,update,delete,write,selectSub,fromSub}', possibleSqlSink(PDO, { needsSqlEvidence: 'text' })],
  ['*.insertUsing', possibleSqlSink(PDO, { argument: 1, needsSqlEvidence: 'text' })],
  ['*.{CacheExecute,CacheGetAll,CacheGetRow,CacheGetOne}', possibleSqlSink(PDO, { argument: 1 })],
  ['*.prepare', possibleSqlSink(PDO, { isHeld: true })],
  ['{prepare(),PDOStatement,mysqli_stmt}.execute', sqlSink(PDO, { argument: 'receiver', members: [] })],
  ['mysqli_stmt_execute', sqlSink(PDO, { members: [] })],
  [
    '*.{createCommand,setSql,findBySql,findAllBySql,countBySql,createNativeQuery} model().{find,findAll,count,exists}',
    sqlSink("createCommand('... = :id')->bindValue(':id', $id)."),
  ],
  ['*.deleteAll', possibleSqlSink("deleteAll('id = :id', [':id' => $id]).")],
  ['*.updateAll', possibleSqlSink("updateAll($values, 'id = :id', [':id' => $id]).", { argument: 1 })],
  [
    '{DB,Capsule,DB.connection(),Manager,connection()}.{select,selectOne,selectFromWriteConnection,insert,update,delete,statement,unprepared,raw,scalar,affectingStatement,cursor,selectResultSets} {$db,Db,Medoo}.raw {$database,$explorer,Explorer}.literal',
    sqlSink("DB::select('... = ?', [$value])."),
  ],
  [
    'new {Expression,DbExpression,Literal,RawSql,SqlLiteral} new {Zend_Db_Expr,CDbExpression}',
    sqlSink('a bound parameter.'),
  ],
  [
    '*.{whereRaw,orWhereRaw,havingRaw,orHavingRaw,orderByRaw,groupByRaw,selectRaw,fromRaw,joinRaw,whereHasRaw,fromQuery,orderRaw,fieldRaw}',
    sqlSink(ELOQUENT),
  ],
  [
    '*.{where,andWhere,orWhere,or_where,having,andHaving,orHaving,orderBy,order_by,addOrderBy,groupBy,group_by,select,addSelect,from,set,andX,filterWhere,order,group,addCondition,where_in_raw,add,join,leftJoin,innerJoin,findFirst,newExpr}',
    possibleSqlSink(ELOQUENT, { unlessReceiver: QUOTED_COLUMNS }),
  ],
  [
    '{find(),find().where(),find().andWhere(),new:Query(),new:Query().from()}.{order,orderBy,addOrderBy,group,groupBy,select,having} $select.{order,group}',
    sqlSink(ELOQUENT),
  ],
  ['*.{orderBy,addOrderBy}', possibleSqlSink(ELOQUENT, { argument: 1, unlessReceiver: /\btable\(\)/ })],
  ['{$qb,$queryBuilder}.{set,add} db.join', sqlSink(ELOQUENT, { argument: 1 })],
  ['*.{leftJoin,innerJoin,join}', possibleSqlSink(ELOQUENT, { argument: 3, unlessReceiver: QUOTED_COLUMNS })],
  [
    '{$wpdb,wpdb,$GLOBALS}.{query,get_results,get_var,get_row,get_col,prepare}',
    sqlSink("$wpdb->prepare('... = %d', $id)."),
  ],
  [
    '*.{where_raw,having_raw,raw_query,raw_execute,raw_join,order_by_expr,select_expr,addExpression}',
    sqlSink(ELOQUENT),
  ],
  ['R.{getAll,getRow,getCell,getCol,getAssoc,exec}', sqlSink("R::getAll('... = ?', [$value]).")],
  [
    'R.{find,findOne,findAll,count,convertToBeans,findMulti}',
    sqlSink("R::find('user', 'name = ?', [$name]).", { argument: 1 }),
  ],
  // Moodle, phpBB, PrestaShop, Athena.
  [
    '*.{get_record_sql,get_records_sql,get_records_sql_menu,get_recordset_sql,get_field_sql,get_fieldset_sql,count_records_sql,record_exists_sql,sql_query,sql_query_limit,executeS,startQueryExecution} Db.getInstance().{getRow,getValue,execute}',
    sqlSink(PDO),
  ],
  [
    '*.{get_record_select,get_records_select,get_recordset_select,count_records_select,delete_records_select,record_exists_select}',
    sqlSink(PDO, { argument: 1 }),
  ],
  ['*.{get_field_select,get_fieldset_select}', sqlSink(PDO, { argument: 2 })],
  ['*.set_field_select', sqlSink(PDO, { argument: 3 })],
];

const COMMANDS: Rules['sinks'] = [
  [
    'exec shell_exec system passthru popen expect_popen ` proc_open *.{fromShellCommandline,taskExec,_exec,setCommandLine} runLocally Process.{run,start,pipe} process.run {timeout(),path(),input(),env(),forever(),quietly(),tty(),idleTimeout()}.{run,start} {$pool,as()}.command {$ssh,ssh,$ssh2,$sftp,SSH2,new:SSH2(),SFTP,taskExecStack(),System,Coroutine,Co}.exec {$ssh,ssh,SSH2}.write SSH.run SSH.into().run Ssh.create().{execute,executeAsync} {$com,$wsh,new:COM()}.{Run,Exec}',
    COMMAND_SINK,
  ],
  ['pcntl_exec Process.exec', { ...COMMAND_SINK, execution: 'program' }],
  ['ssh2_exec', { ...COMMAND_SINK, argument: 1 }],
  ['new Process', COMMAND_SINK],
  // Options of sendmail: `-X` writes a file.
  ['mail mb_send_mail', { ...COMMAND_SINK, argument: 4 }],
];

const PATHS: Rules['sinks'] = [
  ['include', { ...PATH_SINK, remediation: 'Choose what is included from a table of names that may be.' }],
  [
    `file_get_contents fopen readfile file file_put_contents unlink rmdir mkdir copy rename opendir scandir dir glob chdir chroot stat lstat filesize filemtime fileatime filectime fileperms fileowner highlight_file show_source php_strip_whitespace parse_ini_file simplexml_load_file yaml_parse_file readlink touch chmod chown chgrp symlink link tempnam opcache_compile_file dl session_save_path curl_file_create
     md5_file sha1_file gzopen gzfile readgzfile bzopen getimagesize exif_read_data imagecreatefrom{jpeg,png,gif,webp,avif,bmp,wbmp,xbm,xpm,gd,gd2} mime_content_type SplFileObject new {SplFileObject,DirectoryIterator,RecursiveDirectoryIterator,FilesystemIterator,GlobIterator,Phar,PharData,CURLFile,Imagick,SQLite3,BinaryFileResponse,File,Stream,LazyOpenStream} wp_delete_file unzip_file virtual read_file write_file delete_files directory_map get_filenames`,
    PATH_SINK,
  ],
  [
    `{response(),response,Response,$response,response()}.{download,file,streamFile,withFile} {File,Filesystem}.{get,delete,put,copy,move,append,prepend,replace,lines,json,size,hash,glob,link,sharedGet,getRequire,requireOnce,deleteDirectory,cleanDirectory,copyDirectory,moveDirectory,makeDirectory,ensureDirectoryExists,files,allFiles,directories}
     $this.file *.{moveTo,saveAs,sendFile,sendfile,xSendFile,readfile,asXML,readImage,writeImage,pingImage,createFromPath,createStreamFromFile} {$dom,$doc,DOMDocument,$xml,XMLReader}.{load,loadHTMLFile,open,save,saveHTMLFile} {$filesystem,filesystem,$fs,fs,Filesystem,new:Filesystem()}.{remove,dumpFile,readFile,copy,rename,mkdir,touch,appendToFile,mirror,symlink} {$zip,ZipArchive}.{open,addFile,addGlob,extractTo} {$phar,Phar,PharData,$archive}.extractTo {$finder,Finder,Finder.create(),new:Finder(),files(),directories()}.in Yaml.parseFile
     IOFactory.{load,identify} {$writer,$objWriter,$image,$img,$pdf}.save {$reader,$objReader}.load {Image,ImageManager,$imageManager}.{make,read,load,open} {$ffmpeg,FFMpeg.create()}.open Utils.tryFopen FileHelper.{removeDirectory,createDirectory,copyDirectory,unlink,findFiles,findDirectories} {$wp_filesystem,WP_Filesystem()}.{get_contents,get_contents_array,put_contents,delete,move,copy,mkdir,rmdir,dirlist}`,
    PATH_SINK,
  ],
  [
    'view view().file View.make load.view *.{renderPartial,renderFile,renderAjax} get_template_part locate_template load_template $smarty.{display,fetch}',
    { ...PATH_SINK, remediation: 'Choose what is rendered from a table of names that may be.' },
  ],
  [
    'move_uploaded_file copy rename symlink link hash_file hash_hmac_file hash_update_file finfo_file imagejpeg imagepng imagegif imagewebp imageavif imagebmp ftp_get ssh2_scp_send unzip_file',
    { ...PATH_SINK, argument: 1 },
  ],
  ['ftp_put ssh2_scp_recv error_log', { ...PATH_SINK, argument: 2 }],
  // The folder and the name of an upload.
  ...[0, 1].map((argument): Rules['sinks'][number] => [
    '{$file,$f,$upload,$uploaded,$uploadedFile,$image,$photo,$avatar,file(),files.get(),getFile(),UploadedFile}.move',
    { ...PATH_SINK, argument },
  ]),
  // Where Guzzle and the SDK of AWS write an answer.
  [
    '*.{get,post,put,patch,delete,getAsync,postAsync}',
    { ...PATH_SINK, argument: 1, members: ['sink', 'save_to'], onlyMembers: true },
  ],
  ['*.{request,requestAsync}', { ...PATH_SINK, argument: 2, members: ['sink', 'save_to'], onlyMembers: true }],
  ['*.{getObject,putObject,upload}', { ...PATH_SINK, members: ['SaveAs', 'SourceFile'], onlyMembers: true }],
  ['{new:SplFileInfo(),SplFileInfo}.openFile', { ...PATH_SINK, argument: 'receiver' }],
  [
    '{$filesystem,filesystem,$fs,fs,Filesystem,File}.{copy,rename,move,link,mirror,copyDirectory,moveDirectory} {$zip,ZipArchive}.extractTo',
    { ...PATH_SINK, argument: 1 },
  ],
];

export const phpSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];

/** Members whose assignment is a part of a statement: conditions of Yii. */
export const phpAssignmentSinks: Rules['assignmentSinks'] = [
  [
    '{$criteria,$c,CDbCriteria}.{condition,order,having,group,select,join}',
    sqlSink("addCondition('name = :name') and params."),
  ],
];
