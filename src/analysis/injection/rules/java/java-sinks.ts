import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const JDBC = 'prepareStatement("... WHERE id = ?") and setString(1, id).';
const JPA = 'createQuery("... WHERE u.name = :name").setParameter("name", name).';
const SPRING = 'jdbcTemplate.query("... WHERE id = ?", mapper, id).';
const JOOQ = 'dsl.fetch("... = ?", value), or DSL.condition("name = ?", name).';
const ANDROID = 'db.rawQuery("... = ?", new String[] { value }).';
const PATH_SINK = pathSink('root.resolve(name).normalize() and startsWith(root).');
const COMMAND_SINK = commandSink('new ProcessBuilder("ls", "--", name), not "sh", "-c".');

/** Values that are what is copied, not where it is. */
const CONTENT = /(InputStream|Reader|OutputStream|Writer)(\(\))?$/;

const SQL: Rules['sinks'] = [
  ['*.{executeQuery,executeUpdate,executeLargeUpdate,addBatch,nativeSQL}', sqlSink(JDBC)],
  ['*.{prepareStatement,prepareCall}', sqlSink(JDBC, { isHeld: true })],
  [
    '{prepareStatement(),prepareCall(),PreparedStatement,CallableStatement}.{executeQuery,executeUpdate,executeLargeUpdate,execute,addBatch}',
    sqlSink(JDBC, { argument: 'receiver', members: [] }),
  ],
  ['*.execute', possibleSqlSink(JDBC)],
  [
    `*.{createQuery,createNativeQuery,createSQLQuery,createStoredProcedureQuery,createMutationQuery,createSelectionQuery,createNativeMutationQuery,createFilter}
     {Restrictions,Expression}.sqlRestriction sqlRestriction Projections.{sqlProjection,sqlGroupProjection} JpaSort.{unsafe,andUnsafe} Expressions.{stringTemplate,booleanTemplate,numberTemplate}`,
    sqlSink(JPA),
  ],
  // JDO: the filter is any of the arguments.
  ['*.newQuery', sqlSink('newQuery(User.class, "name == :name") and execute(name).', { argument: 'all' })],
  ['{q,query,jdoQuery,Query}.{setFilter,setGrouping,setOrdering}', sqlSink('setFilter("name == :name").')],
  // Panache: a condition of HQL.
  ['*.{find,list,stream,delete,count,findOptional}', possibleSqlSink('find("name = ?1", name).')],
  [
    '*.{queryForObject,queryForList,queryForMap,queryForRowSet,queryForStream,queryForInt,queryForLong,batchUpdate} new {PreparedStatementCreatorFactory,CallableStatementCreatorFactory}',
    sqlSink(SPRING),
  ],
  [
    'new {SqlUpdate,SqlCall,BatchSqlUpdate,SqlFunction,GenericSqlQuery,StoredProcedure,UpdatableSqlQuery}',
    sqlSink(SPRING, { argument: 1 }),
  ],
  [
    '*.{query,update,sql,rows,firstRow,eachRow,executeInsert,queryWithParams,updateWithParams,querySingle,querySingleWithParams,queryStream,insert,batch,select}',
    possibleSqlSink(SPRING),
  ],
  // R2DBC, Vert.x, JDBI, Ebean.
  [
    '*.{createStatement,preparedQuery,createUpdate,createScript,prepareBatch,sqlQuery,sqlUpdate,createSqlQuery,createSqlUpdate,findNative} RawSqlBuilder.{parse,unparsed}',
    sqlSink('preparedQuery("... = $1").execute(Tuple.of(value)), or bind(0, value).'),
  ],
  [
    '{db,database,SQLiteDatabase,readableDatabase,getReadableDatabase(),getWritableDatabase()}.{rawQuery,execSQL,compileStatement}',
    sqlSink(ANDROID),
  ],
  ['*.{rawQuery,execSQL,compileStatement}', sqlSink(ANDROID)],
  [
    '{db,database,SQLiteDatabase,getReadableDatabase(),getWritableDatabase(),getContentResolver()}.delete',
    sqlSink(ANDROID, { argument: 1 }),
  ],
  [
    '{db,database,SQLiteDatabase,getReadableDatabase(),getWritableDatabase(),getContentResolver()}.{query,update}',
    sqlSink(ANDROID, { argument: 2 }),
  ],
  ['*.{fetch,fetchOne,fetchAny,fetchMany,fetchSingle,resultQuery,fetchValue,fetchLazy}', possibleSqlSink(JOOQ)],
  ['DSL.{condition,field,table,sql,query,resultQuery,rowField}', sqlSink(JOOQ)],
  // Imported by their names.
  ['condition field', sqlSink(JOOQ, { needsSqlEvidence: true })],
  // MyBatis and MyBatis-Plus.
  [
    '*.{WHERE,ORDER_BY,GROUP_BY,HAVING,JOIN,INNER_JOIN,LEFT_OUTER_JOIN,FROM,SET,DELETE_FROM,INSERT_INTO,AND_WHERE}',
    sqlSink('WHERE("name = #{name}").'),
  ],
  [
    '{wrapper,queryWrapper,updateWrapper,qw,QueryWrapper,LambdaQueryWrapper,UpdateWrapper}.{apply,last,having,exists,notExists,setSql,first,comment}',
    sqlSink('apply("name = {0}", name).'),
  ],
  ['{wrapper,queryWrapper,qw,QueryWrapper}.{inSql,notInSql,eqSql}', sqlSink('in(column, values).', { argument: 1 })],
  ['#statement', sqlSink('#{name}, or a fixed list of columns instead of ${name}.')],
  ['SqlRunner.{selectAll,selectOne,update,delete,insert,run}', sqlSink(JDBC)],
];

const COMMANDS: Rules['sinks'] = [
  ['getRuntime().exec Runtime.exec runtime.exec rt.exec', COMMAND_SINK],
  // The environment of the process, in which a variable chooses what it loads.
  ['getRuntime().exec Runtime.exec runtime.exec rt.exec', { ...COMMAND_SINK, argument: 1, onlyLists: true }],
  ['new ProcessBuilder new ProcessExecutor', { ...COMMAND_SINK, execution: 'program', isHeld: true }],
  ['{new:ProcessBuilder(),ProcessBuilder,command()}.start', { ...COMMAND_SINK, argument: 'receiver', members: [] }],
  [
    '{pb,builder,processBuilder,ProcessBuilder,new:ProcessBuilder(),ProcessExecutor,new:ProcessExecutor()}.command',
    { ...COMMAND_SINK, execution: 'program' },
  ],
  [
    'CommandLine.parse *.commandSplit *.execCommand {channel,channelExec,execChannel,ChannelExec}.setCommand',
    COMMAND_SINK,
  ],
  ['{session,sshSession,sshClient,Session}.exec', COMMAND_SINK],
  ['new CommandLine', { ...COMMAND_SINK, execution: 'program' }],
];

const PATHS: Rules['sinks'] = [
  [
    'new {FileInputStream,FileReader,FileOutputStream,FileWriter,RandomAccessFile,FileSystemResource,PathResource,ZipFile,JarFile,UrlResource,FileDataSource,FileBody,FileRequestEntity,XSSFWorkbook,FileImageInputStream}',
    PATH_SINK,
  ],
  ['new {PrintWriter,Scanner,PrintStream,Formatter}', { ...PATH_SINK, ignoredValues: CONTENT }],
  [
    'Files.{readAllBytes,readString,readAllLines,lines,newInputStream,newBufferedReader,newOutputStream,newBufferedWriter,write,writeString,delete,deleteIfExists,createFile,createDirectory,createDirectories,list,walk,walkFileTree,find,newByteChannel,newDirectoryStream,size,exists,createSymbolicLink,createLink,setPosixFilePermissions,getLastModifiedTime,readAttributes,asByteSource,asCharSource,toByteArray,readLines}',
    PATH_SINK,
  ],
  ['Files.{copy,move}', { ...PATH_SINK, ignoredValues: CONTENT }],
  ['Files.{copy,move,createSymbolicLink}', { ...PATH_SINK, argument: 1, ignoredValues: CONTENT }],
  [
    `FileUtils.{readFileToString,readFileToByteArray,readLines,lineIterator,openInputStream,openOutputStream,writeStringToFile,writeByteArrayToFile,writeLines,write,deleteQuietly,forceDelete,delete,deleteDirectory,cleanDirectory,forceMkdir,touch,copyFile,moveFile,copyDirectory,listFiles,sizeOf}
     FileSystemUtils.{deleteRecursively,copyRecursively} FileCopyUtils.{copyToByteArray} ResourceUtils.{getFile,getURL} ImageIO.read FileChannel.open AsynchronousFileChannel.open`,
    { ...PATH_SINK, ignoredValues: CONTENT },
  ],
  [
    'FileUtils.{copyFile,moveFile,copyInputStreamToFile,copyToFile,copyURLToFile,moveFileToDirectory,copyFileToDirectory} FileCopyUtils.copy StreamUtils.copy',
    { ...PATH_SINK, argument: 1, ignoredValues: CONTENT },
  ],
  ['ImageIO.write', { ...PATH_SINK, argument: 2 }],
  [
    '*.{exists,delete,deleteOnExit,createNewFile,mkdir,mkdirs,listFiles,renameTo,setWritable,setExecutable}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  ['Response.ok *.entity', { ...PATH_SINK, onlyValues: /(new:File|toFile)\(\)$/ }],
  ['*.transferTo', { ...PATH_SINK, ignoredValues: /OutputStream|Writer/ }],
  ['{part,filePart,Part,item,fileItem,FileItem,getPart()}.write', PATH_SINK],
  ['*.{getResourceAsStream,getResource,getResourceAsBytes,sendFile}', PATH_SINK],
  [
    '{fileSystem(),fileSystem,fs,FileSystem}.{readFile,readFileBlocking,writeFile,writeFileBlocking,open,openBlocking,delete,deleteBlocking,copy,move,createFile,mkdir,readDir}',
    PATH_SINK,
  ],
];

export const javaSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
