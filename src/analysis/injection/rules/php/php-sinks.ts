import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const PDO = "$pdo->prepare('... WHERE id = ?') and execute([$id]).";
const PG = "pg_query_params($db, '... = $1', [$value]).";
const ELOQUENT = "whereRaw('name = ?', [$name]), or where('name', $name).";
const PATH_SINK = pathSink('basename($name), or realpath($root . $name) and str_starts_with($path, $root).');
const COMMAND_SINK = commandSink('proc_open([...]) or Symfony Process; escapeshellarg($name) where a shell is needed.');

const SQL: Rules['sinks'] = [
  [
    'mysqli_{query,real_query,multi_query,execute_query,master_query} pg_{query,send_query,exec} sqlsrv_{query,prepare} odbc_{exec,prepare,do} oci_parse db2_{exec,prepare} ibase_query ibase_prepare fbird_query ingres_query cubrid_{query,prepare} maxdb_query msql_db_query',
    sqlSink('mysqli_prepare($db, "... = ?") and mysqli_stmt_bind_param.', { argument: 1 }),
  ],
  ['mysqli_prepare', sqlSink(PDO, { argument: 1, isHeld: true })],
  ['pg_{query_params,send_query_params}', sqlSink(PG, { argument: 1 })],
  ['pg_{prepare,send_prepare}', sqlSink(PG, { argument: 2 })],
  [
    'pg_{query,exec,send_query} mysql_query mysql_unbuffered_query mssql_query sybase_query msql_query db_query ibase_query',
    sqlSink(PDO),
  ],
  ['mysql_db_query', sqlSink(PDO, { argument: 1 })],
  ['sqlite_{query,exec,array_query,single_query,unbuffered_query}', sqlSink(PDO, { argument: 'all' })],
  [
    '*.{query,exec,multi_query,real_query,querySingle,rawQuery,rawQueryOne,executeQuery,executeStatement,executeUpdate,executeCacheQuery,fetchAll,fetchAssociative,fetchAllAssociative,fetchAllNumeric,fetchAllKeyValue,fetchFirstColumn,fetchNumeric,fetchAssoc,fetchArray,fetchColumn,fetchOne,fetchRow,fetchCol,fetchPairs,iterateAssociative,createQuery,createNativeQuery,execute_query,simple_query,setQuery,queryAll,queryRow,runQuery,execute,get_results}',
    possibleSqlSink(PDO),
  ],
  ['*.prepare', possibleSqlSink(PDO, { isHeld: true })],
  ['{prepare(),PDOStatement,mysqli_stmt}.execute', sqlSink(PDO, { argument: 'receiver', members: [] })],
  ['mysqli_stmt_execute', sqlSink(PDO, { members: [] })],
  [
    '*.{createCommand,findBySql,findAllBySql,countBySql,createNativeQuery}',
    sqlSink("createCommand('... = :id')->bindValue(':id', $id)."),
  ],
  [
    '{DB,Capsule,DB.connection(),Manager,connection()}.{select,selectOne,selectFromWriteConnection,insert,update,delete,statement,unprepared,raw,scalar,affectingStatement,cursor} $db.raw',
    sqlSink("DB::select('... = ?', [$value])."),
  ],
  ['new {Expression,DbExpression,Literal} new {Zend_Db_Expr,CDbExpression}', sqlSink('a bound parameter.')],
  [
    '*.{whereRaw,orWhereRaw,havingRaw,orHavingRaw,orderByRaw,groupByRaw,selectRaw,fromRaw,joinRaw,whereHasRaw,fromQuery}',
    sqlSink(ELOQUENT),
  ],
  [
    '*.{where,andWhere,orWhere,or_where,having,andHaving,orHaving,orderBy,order_by,addOrderBy,groupBy,group_by,select,addSelect,from,set,andX,filterWhere,order,group,addCondition,where_in_raw,add,leftJoin,innerJoin}',
    possibleSqlSink(ELOQUENT),
  ],
  ['*.{leftJoin,innerJoin,join}', possibleSqlSink(ELOQUENT, { argument: 3 })],
  [
    '$wpdb.{query,get_results,get_var,get_row,get_col,prepare} wpdb.{query,get_results,get_var,get_row,get_col,prepare}',
    sqlSink("$wpdb->prepare('... = %d', $id)."),
  ],
  ['*.{where_raw,having_raw,raw_query,raw_execute,raw_join,order_by_expr,addExpression}', sqlSink(ELOQUENT)],
  ['R.{getAll,getRow,getCell,getCol,getAssoc,exec}', sqlSink("R::getAll('... = ?', [$value]).")],
  ['R.{find,findOne,findAll,count}', sqlSink("R::find('user', 'name = ?', [$name]).", { argument: 1 })],
];

const COMMANDS: Rules['sinks'] = [
  [
    'exec shell_exec system passthru popen pcntl_exec expect_popen ` *.fromShellCommandline proc_open Process.fromShellCommandline Process.{run,start} {process,Process,Process.timeout(),Process.path()}.run {$ssh,$ssh2,$sftp,SSH2}.exec',
    COMMAND_SINK,
  ],
  ['ssh2_exec', { ...COMMAND_SINK, argument: 1 }],
  ['new Process', COMMAND_SINK],
  // Options of sendmail: `-X` writes a file.
  ['mail mb_send_mail', { ...COMMAND_SINK, argument: 4 }],
];

const PATHS: Rules['sinks'] = [
  ['include', { ...PATH_SINK, remediation: 'Choose what is included from a table of names that may be.' }],
  [
    `file_get_contents fopen readfile file file_put_contents unlink rmdir mkdir copy rename opendir scandir dir glob highlight_file show_source php_strip_whitespace parse_ini_file simplexml_load_file readlink touch chmod chown symlink link tempnam
     md5_file sha1_file hash_file gzopen gzfile readgzfile bzopen getimagesize exif_read_data imagecreatefromjpeg imagecreatefrompng imagecreatefromgif finfo_file mime_content_type SplFileObject new {SplFileObject,DirectoryIterator,RecursiveDirectoryIterator,FilesystemIterator,PharData} load_template wp_delete_file virtual`,
    PATH_SINK,
  ],
  ['move_uploaded_file copy rename symlink link', { ...PATH_SINK, argument: 1 }],
  [
    `{response(),response,Response,$response,response()}.{download,file,streamFile,withFile} new BinaryFileResponse File.{get,delete,put,copy,move,append,lines,sharedGet,deleteDirectory,makeDirectory,files,allFiles}
     $this.file *.{moveTo,sendFile,readfile} {$dom,$doc,DOMDocument,$xml,XMLReader}.{load,loadHTMLFile,open} {$filesystem,$fs,Filesystem}.{remove,dumpFile,readFile,copy,rename,mkdir,touch,appendToFile} {$zip,ZipArchive}.open`,
    PATH_SINK,
  ],
  ['{new:SplFileInfo(),SplFileInfo}.openFile', { ...PATH_SINK, argument: 'receiver' }],
  ['{$filesystem,$fs,Filesystem,File}.{copy,rename,move} {$zip,ZipArchive}.extractTo', { ...PATH_SINK, argument: 1 }],
];

export const phpSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];

/** Members whose assignment is a part of a statement: conditions of Yii. */
export const phpAssignmentSinks: Rules['assignmentSinks'] = [
  [
    '{$criteria,$c,CDbCriteria}.{condition,order,having,group,select,join}',
    sqlSink("addCondition('name = :name') and params."),
  ],
];
