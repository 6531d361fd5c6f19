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
  ['*.{execute,executeAsync,executeSql,executeSqlAsync,prepare,prepareAsync}', possibleSqlSink(JDBC)],
  [
    `*.{createQuery,createNativeQuery,createSQLQuery,createStoredProcedureQuery,createMutationQuery,createSelectionQuery,createNativeMutationQuery,createFilter}
     {Restrictions,Expression}.sqlRestriction sqlRestriction Projections.{sqlProjection,sqlGroupProjection} JpaSort.{unsafe,andUnsafe} Expressions.{stringTemplate,booleanTemplate,numberTemplate}`,
    sqlSink(JPA),
  ],
  [
    'Expressions.{template,simpleTemplate,dslTemplate,comparableTemplate,dateTemplate,dateTimeTemplate,timeTemplate,enumTemplate}',
    sqlSink('Expressions.template(String.class, "upper({0})", path).', { argument: 1 }),
  ],
  // Statements of JPA, jOOQ and ActiveJDBC, which also take values and conditions.
  ['*.{where,and,or,having,andWhere,orWhere}', possibleSqlSink('where("name = ?", name).')],
  ['{select(),selectDistinct(),selectCount()}.from {where(),having(),find()}.raw find().orderBy', sqlSink(JOOQ)],
  ['Base.{exec,find,findAll,firstCell,firstColumn} *.findBySQL', sqlSink('findBySQL("... = ?", value).')],
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
  // DbUtils: after a connection.
  [
    '{queryRunner,QueryRunner,runner,qr,run,new:QueryRunner()}.{query,update,execute,batch,insert,insertBatch}',
    sqlSink(SPRING, { argument: 1, needsSqlEvidence: 'text' }),
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
  ['*.{rawQuery,execSQL,compileStatement,appendWhere} new SimpleSQLiteQuery', sqlSink(ANDROID)],
  ['*.rawQueryWithFactory', sqlSink(ANDROID, { argument: 1 })],
  ['{db,database,SQLiteDatabase,getReadableDatabase(),getWritableDatabase()}.query', sqlSink(ANDROID, { argument: 6 })],
  [
    '{db,database,SQLiteDatabase,getReadableDatabase(),getWritableDatabase(),getContentResolver()}.delete',
    sqlSink(ANDROID, { argument: 1 }),
  ],
  [
    '{db,database,SQLiteDatabase,getReadableDatabase(),getWritableDatabase(),getContentResolver()}.{query,update}',
    sqlSink(ANDROID, { argument: 2 }),
  ],
  ['*.{fetch,fetchOne,fetchAny,fetchMany,fetchSingle,resultQuery,fetchValue,fetchLazy}', possibleSqlSink(JOOQ)],
  ['DSL.{condition,field,table,sql,raw,queries,query,resultQuery,rowField}', sqlSink(JOOQ)],
  // Imported by their names.
  ['condition field table', sqlSink(JOOQ, { needsSqlEvidence: true })],
  // JDBI puts what is defined into the text.
  [
    '{createQuery(),createUpdate(),createCall(),createBatch(),prepareBatch()}.define',
    sqlSink('bind("name", name).', { argument: 1 }),
  ],
  // Statements for services: Cassandra, BigQuery, Spanner, Athena, Redshift.
  [
    'SimpleStatement.{newInstance,builder} new SimpleStatement QueryJobConfiguration.{newBuilder,of}',
    sqlSink('SimpleStatement.newInstance("... = ?", value).'),
  ],
  [
    'Statement.{of,newBuilder} *.{queryString,withQueryString,statement,withStatement,withSql}',
    sqlSink('Statement.newBuilder("... = @a").bind("a").to(value).', { needsSqlEvidence: 'text' }),
  ],
  ['{rowSet,jdbcRowSet,JdbcRowSet,CachedRowSet,JoinRowSet}.setCommand', sqlSink(JDBC)],
  // MyBatis and MyBatis-Plus.
  [
    '*.{SELECT,SELECT_DISTINCT,UPDATE,VALUES,INTO_COLUMNS,INTO_VALUES,OUTER_JOIN,RIGHT_OUTER_JOIN,LIMIT,OFFSET,WHERE,ORDER_BY,GROUP_BY,HAVING,JOIN,INNER_JOIN,LEFT_OUTER_JOIN,FROM,SET,DELETE_FROM,INSERT_INTO,AND_WHERE} SELECT WHERE ORDER_BY GROUP_BY HAVING FROM SET',
    sqlSink('WHERE("name = #{name}").'),
  ],
  [
    '{wrapper,queryWrapper,updateWrapper,qw,QueryWrapper,LambdaQueryWrapper,UpdateWrapper}.{apply,last,having,exists,notExists,setSql,first,comment,orderByAsc,orderByDesc,groupBy,select}',
    sqlSink('apply("name = {0}", name).'),
  ],
  ['{wrapper,queryWrapper,qw,QueryWrapper}.{inSql,notInSql,eqSql}', sqlSink('in(column, values).', { argument: 1 })],
  ['{wrapper,queryWrapper,qw,QueryWrapper}.orderBy', sqlSink('a fixed list of columns.', { argument: 2 })],
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
    'CommandLine.parse *.commandSplit *.execCommand {channel,channelExec,execChannel,ch,exec,ChannelExec,openChannel()}.setCommand PtyProcess.exec RuntimeUtil.{exec,execForStr,execForLines} Shell.{cmd,su,sh} *.{executeRemoteCommand,createExecChannel}',
    COMMAND_SINK,
  ],
  ['{session,sshSession,sshClient,sess,Session,startSession()}.exec', COMMAND_SINK],
  [
    'new {CommandLine,PtyProcessBuilder} *.withCmd {PtyProcessBuilder,new:PtyProcessBuilder()}.setCommand',
    { ...COMMAND_SINK, execution: 'program' },
  ],
];

const PATHS: Rules['sinks'] = [
  [
    'new {FileInputStream,FileReader,FileOutputStream,FileWriter,RandomAccessFile,FileSystemResource,PathResource,ZipFile,JarFile,UrlResource,FileDataSource,FileBody,FileRequestEntity,XSSFWorkbook,FileImageInputStream,ClassPathResource,SystemFile,PdfReader,PdfWriter,FileSystemXmlApplicationContext}',
    PATH_SINK,
  ],
  ['new {PrintWriter,Scanner,PrintStream,Formatter}', { ...PATH_SINK, ignoredValues: CONTENT }],
  [
    'Files.{readAllBytes,readString,readAllLines,lines,newInputStream,newBufferedReader,newOutputStream,newBufferedWriter,write,writeString,delete,deleteIfExists,createFile,createDirectory,createDirectories,list,walk,walkFileTree,find,newByteChannel,newDirectoryStream,size,exists,createSymbolicLink,createLink,setPosixFilePermissions,getLastModifiedTime,setLastModifiedTime,readAttributes,readSymbolicLink,probeContentType,mismatch,notExists,asByteSource,asCharSource,toByteArray,readLines}',
    PATH_SINK,
  ],
  // A prefix of the name is no path.
  [
    'Files.{createTempFile,createTempDirectory}',
    { ...PATH_SINK, onlyValues: /(?:get|of|resolve|normalize|toPath)\(\)$/ },
  ],
  ['File.createTempFile', { ...PATH_SINK, argument: 2 }],
  ['Files.{copy,move}', { ...PATH_SINK, ignoredValues: CONTENT }],
  ['Files.{copy,move,createSymbolicLink}', { ...PATH_SINK, argument: 1, ignoredValues: CONTENT }],
  [
    `FileUtils.{readFileToString,readFileToByteArray,readLines,lineIterator,openInputStream,openOutputStream,writeStringToFile,writeByteArrayToFile,writeLines,write,deleteQuietly,forceDelete,delete,deleteDirectory,cleanDirectory,forceMkdir,touch,copyFile,moveFile,copyDirectory,listFiles,sizeOf}
     FileSystemUtils.{deleteRecursively,copyRecursively} FileCopyUtils.{copyToByteArray} ResourceUtils.{getFile,getURL} ImageIO.read FileChannel.open AsynchronousFileChannel.open System.load *.{extractAll,renameTo} FileUtil.{readUtf8String,readString,readBytes,readLines,readUtf8Lines,getInputStream,getOutputStream,del,mkdir,touch,copy,move}
     {sftp,sftpChannel,channelSftp,ChannelSftp}.{get,rm,rmdir,mkdir,ls,rename} {ftp,ftpClient,FTPClient}.{retrieveFile,retrieveFileStream,storeFile,deleteFile,makeDirectory}`,
    { ...PATH_SINK, ignoredValues: CONTENT },
  ],
  [
    'FileUtil.{streamToFile,writeString,writeUtf8String,writeBytes,writeFromStream,copy,move} {sftp,sftpChannel,channelSftp,ChannelSftp}.put FileUtils.{copyFile,moveFile,copyInputStreamToFile,copyToFile,copyURLToFile,moveFileToDirectory,copyFileToDirectory} FileCopyUtils.copy StreamUtils.copy',
    { ...PATH_SINK, argument: 1, ignoredValues: CONTENT },
  ],
  ['ImageIO.write', { ...PATH_SINK, argument: 2 }],
  [
    '*.{exists,delete,deleteOnExit,createNewFile,mkdir,mkdirs,listFiles,renameTo,setWritable,setExecutable}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  ['{new:File(),File}.{list,length,lastModified}', { ...PATH_SINK, argument: 'receiver' }],
  [
    '*.{ok,entity,parse,readTree,readValue,writeValue,unmarshal,source,sink,load,loadPDF,create,attach} ok',
    { ...PATH_SINK, onlyValues: /(new:File|toFile|Paths\.get|Path\.of)\(\)$/ },
  ],
  ['*.transferTo', { ...PATH_SINK, ignoredValues: /OutputStream|Writer/ }],
  [
    '{part,filePart,Part,item,fileItem,FileItem,getPart()}.write {part,bodyPart,mimeBodyPart,attachment,BodyPart,MimeBodyPart,getBodyPart()}.saveFile',
    PATH_SINK,
  ],
  ['*.{getResourceAsStream,getResource,getResourceAsBytes,sendFile}', PATH_SINK],
  [
    '{fileSystem(),fileSystem,fs,FileSystem}.{readFile,readFileBlocking,writeFile,writeFileBlocking,open,openBlocking,delete,deleteBlocking,copy,move,createFile,mkdir,readDir}',
    PATH_SINK,
  ],
];

export const javaSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
