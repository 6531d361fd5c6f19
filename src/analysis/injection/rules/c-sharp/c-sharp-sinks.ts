import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const ADO = 'new SqlCommand("... WHERE Id = @id", connection) and Parameters.Add("@id", ...).';
const DAPPER = 'connection.Query("... WHERE Id = @id", new { id }).';
const EF_DATABASE = /(?:^|\.)Database$/;
const EF = 'FromSqlInterpolated($"... {value}"), or FromSqlRaw("... {0}", value).';
const PATH_SINK = pathSink(
  'Path.GetFileName(name), or Path.GetFullPath(Path.Combine(root, name)) and StartsWith(root).',
);
const COMMAND_SINK = commandSink('new ProcessStartInfo("ls") with ArgumentList.Add(name).');
/** Values that are what is read or sent, not where it is. */
const CONTENT = /([sS]tream|\bms|Body|GetBytes|ToArray|[rR]eader|OpenRead|bytes|[cC]ontent|[dD]ata)(Async)?(\(\))?$/;

const SQL: Rules['sinks'] = [
  [
    'new {SqlCommand,MySqlCommand,NpgsqlCommand,SqliteCommand,SQLiteCommand,OracleCommand,OleDbCommand,OdbcCommand,DB2Command,FbCommand,AseCommand,SqlCeCommand,SqlDataAdapter,MySqlDataAdapter,NpgsqlDataAdapter,OleDbDataAdapter,OdbcDataAdapter,OracleDataAdapter,SQLiteDataAdapter,NpgsqlBatchCommand,DuckDBCommand,SnowflakeDbCommand,ClickHouseCommand,SpannerCommand,HanaCommand,SimpleStatement,CommandDefinition,QueryDefinition,SqlQuery,ObjectQuery}',
    sqlSink(ADO, { argumentName: 'CommandText', isHeld: true }),
  ],
  [
    '*.{ExecuteReader,ExecuteReaderAsync,ExecuteScalar,ExecuteScalarAsync,ExecuteNonQuery,ExecuteNonQueryAsync,ExecuteXmlReader,ExecuteDbDataReader}',
    sqlSink(ADO, { argument: 'receiver', members: ['CommandText'] }),
  ],
  ['*.Fill', sqlSink(ADO, { argument: 'receiver', members: ['SelectCommand.CommandText', 'SelectCommand'] })],
  ['*.CreateCommand', possibleSqlSink(ADO, { isHeld: true })],
  ['*.{GetSqlStringCommand,CreateSelectCommand,CreateDmlCommand,CreateDdlCommand}', sqlSink(ADO, { isHeld: true })],
  // Requests of services that hold a statement.
  [
    'new StartQueryExecutionRequest',
    sqlSink('ExecutionParameters.', { argument: 'named', argumentName: 'QueryString' }),
  ],
  ['new ExecuteStatementRequest', sqlSink('Parameters.', { argument: 'named', argumentName: 'Statement' })],
  ['new ExecuteStatementRequest', sqlSink('Parameters.', { argument: 'named', argumentName: 'Sql' })],
  [
    '*.{FromSqlRaw,ExecuteSqlRaw,ExecuteSqlRawAsync,SqlQueryRaw,ExecuteSqlCommand,ExecuteSqlCommandAsync,CreateSQLQuery,CreateSqlQuery,ExecuteStoreCommand,ExecuteStoreQuery}',
    sqlSink(EF),
  ],
  [
    '*.{Query,QueryAsync,QueryFirst,QueryFirstAsync,QueryFirstOrDefault,QueryFirstOrDefaultAsync,QuerySingle,QuerySingleAsync,QuerySingleOrDefault,QuerySingleOrDefaultAsync,QueryUnbufferedAsync,Execute,ExecuteAsync,ExecuteScalar,ExecuteScalarAsync,ExecuteReader,ExecuteReaderAsync,ExecuteNonQuery,QueryMultiple,QueryMultipleAsync,ExecuteQuery,ExecuteCommand,CreateQuery,Fetch,FetchAsync,First,FirstOrDefault,Single,SingleOrDefault,Page,SkipTake,Select,SelectAsync,ExecuteDataSet,SqlListAsync,GetItemQueryIterator,CreateDbCommand,Prepare,ExecuteDataset,GetList,GetListAsync,DeleteList,DeleteListAsync,RecordCount,RecordCountAsync,Statement,StatementAsync,SetCommand,FindWithQuery,FindWithQueryAsync,DeferredQuery,DeferredQueryAsync,QueryScalars,QueryScalarsAsync}',
    possibleSqlSink(DAPPER),
  ],
  ['*.SqlQuery', sqlSink(EF, { unlessReceiver: EF_DATABASE })],
  ['*.{ExecuteSql,ExecuteSqlAsync}', possibleSqlSink(DAPPER, { unlessReceiver: EF_DATABASE })],
  // Of Entity Framework, these take the text and its values apart.
  ['Database.{SqlQuery,ExecuteSql,ExecuteSqlAsync} *.FromSql', sqlSink(EF, { bindsTemplate: true })],
  ['FormattableStringFactory.Create', sqlSink(EF, { needsSqlEvidence: 'text' })],
  [
    '*.{SqlList,SqlColumn,SqlScalar,ExecuteNonQuerySql,UnsafeSelect,UnsafeWhere,UnsafeOrderBy,UnsafeGroupBy,SqlScalarAsync,CreateDynamicQuery}',
    sqlSink(DAPPER),
  ],
  [
    '*.{WhereRaw,OrWhereRaw,SelectRaw,OrderByRaw,HavingRaw,GroupByRaw,FromRaw} {Expression,Restrictions}.Sql Sql.Builder.Append',
    sqlSink('WhereRaw("Name = ?", name).'),
  ],
  [
    '{Sql,Sql.Builder,sql,builder}.{Append,Where,OrderBy} new Sql',
    sqlSink('Append("WHERE Name = @0", name).', { needsSqlEvidence: 'text' }),
  ],
  [
    '{SqlBuilder,sqlBuilder,new:SqlBuilder()}.{Where,OrWhere,OrderBy,GroupBy,Having,Select,Join,InnerJoin,LeftJoin,RightJoin,Set,AddTemplate} Ado.{GetDataTable,GetDataTableAsync,GetDataSetAll,GetDataReader,GetScalar,GetInt,GetString,SqlQuery,SqlQueryAsync,SqlQuerySingle,ExecuteCommand,ExecuteCommandAsync} Queryable().{Where,OrderBy,GroupBy,Having} *.{WithSql,RawQuery,AsyncRawQuery} {migrationBuilder,MigrationBuilder}.Sql Projections.{SqlProjection,SqlGroupProjection}',
    sqlSink('Where("Name = @name", new { name }).'),
  ],
  // After a connection or its text, the kind of the statement, a type, a page.
  [
    '*.{ExecuteDataset,ExecuteDataSet,ExecuteNonQuery,ExecuteReader,ExecuteScalar,SqlQuery,CreateFilter}',
    sqlSink(ADO, { argument: 1, needsSqlEvidence: 'text' }),
  ],
  [
    '*.{ExecuteDataset,ExecuteDataSet,ExecuteNonQuery,ExecuteReader,ExecuteScalar,Page,PageAsync,SkipTake}',
    sqlSink(ADO, { argument: 2, needsSqlEvidence: 'text' }),
  ],
];

const COMMANDS: Rules['sinks'] = [
  [
    'Process.Start new ProcessStartInfo',
    {
      ...COMMAND_SINK,
      isHeld: true,
      argument: 'all',
      execution: 'program',
      splitsArguments: true,
      extraArguments: ['FileName', 'Arguments'],
    },
  ],
  [
    '*.{RunCommand,AddScript,InvokeScript,CreatePipeline} Interaction.Shell {ssh,client,sshClient,SshClient}.CreateCommand {ps,powershell,powerShell,PowerShell,PowerShell.Create()}.AddCommand {shellStream,ShellStream,CreateShellStream()}.{WriteLine,Write} ProcessX.StartAsync {shell,wshShell,WshShell}.{Run,Exec}',
    COMMAND_SINK,
  ],
  [
    'Process.Start',
    {
      ...COMMAND_SINK,
      members: ['Arguments', 'FileName'],
      commandMembers: { program: 'FileName', list: 'ArgumentList' },
    },
  ],
  [
    '{process,proc,p,Process,new:Process()}.Start',
    {
      ...COMMAND_SINK,
      argument: 'receiver',
      members: ['StartInfo.Arguments', 'StartInfo.FileName'],
      commandMembers: { program: 'StartInfo.FileName', list: 'StartInfo.ArgumentList' },
    },
  ],
  [
    'Command.{Run,RunAsync,Read,ReadAsync} ProcessEx.RunAsync',
    { ...COMMAND_SINK, argument: 'all', execution: 'program', splitsArguments: true },
  ],
  ['Cli.Wrap', { ...COMMAND_SINK, execution: 'program' }],
  ['*.WithArguments', { ...COMMAND_SINK, execution: 'program', programInReceiver: true }],
];

const FILE_METHODS =
  '{ReadAllText,ReadAllTextAsync,ReadAllBytes,ReadAllBytesAsync,ReadAllLines,ReadAllLinesAsync,ReadLines,ReadLinesAsync,OpenRead,Open,OpenText,OpenWrite,OpenHandle,WriteAllText,WriteAllTextAsync,WriteAllBytes,WriteAllBytesAsync,WriteAllLines,WriteAllLinesAsync,AppendAllText,AppendAllTextAsync,AppendAllLines,AppendAllLinesAsync,AppendAllBytes,AppendAllBytesAsync,Encrypt,Decrypt,SetLastWriteTime,SetLastWriteTimeUtc,SetCreationTime,GetAttributes,SetUnixFileMode,ResolveLinkTarget,Delete,Create,Exists,Copy,Move,Replace,CreateText,AppendText,SetAttributes,GetLastWriteTime,CreateSymbolicLink}';

const PATHS: Rules['sinks'] = [
  [
    `File.${FILE_METHODS} new {FileStream,StreamReader,StreamWriter,BinaryReader,PhysicalFileResult,FilePathResult,PhysicalFileProvider,XmlTextReader,Bitmap,XPathDocument,ExcelPackage,XLWorkbook,PdfReader,PdfWriter,Attachment,AudioFileReader} Directory.{GetFiles,Delete,EnumerateFiles,CreateDirectory,GetDirectories,EnumerateDirectories,EnumerateFileSystemEntries,GetFileSystemEntries,Move,Exists,SetCurrentDirectory,EnumerateFileSystemInfos}
     PhysicalFile Results.{File,PhysicalFile} TypedResults.{PhysicalFile} ZipFile.{OpenRead,Open,ExtractToDirectory,CreateFromDirectory} *.{PhysicalFile,TransmitFile,SaveAs,SaveAsAsync,ExtractToFile,SendFileAsync} Response.{WriteFile,TransmitFile,SendFile,SendFileAsync} Image.{FromFile,Load,LoadAsync} {XmlDocument,XDocument,XElement}.Load XmlReader.Create Assembly.{LoadFrom,LoadFile,UnsafeLoadFrom} NativeLibrary.Load File
     {doc,xmlDoc,new:XmlDocument()}.Load {SpreadsheetDocument,WordprocessingDocument,PresentationDocument,PdfReader}.Open SKBitmap.Decode MemoryMappedFile.CreateFromFile Path.Exists {image,img,bitmap,Image,Bitmap,Image.Load(),Image.LoadAsync()}.{Save,SaveAsync,SaveAsPng,SaveAsPngAsync,SaveAsJpeg,SaveAsJpegAsync} *.{WriteEntryToFile,WriteEntryToDirectory} {entry,Entry,IArchiveEntry,IArchive,archive}.{WriteToFile,WriteToDirectory} {FastZip,new:FastZip(),fastZip}.ExtractZip
     {sftp,_sftp,sftpClient,SftpClient}.{DownloadFile,DeleteFile,OpenRead,OpenWrite,ReadAllText,ReadAllBytes,WriteAllText,RenameFile,ListDirectory,CreateDirectory,DeleteDirectory} {ftp,ftpClient,FtpClient}.{DownloadFile,UploadFile,DeleteFile,DownloadBytes}`,
    { ...PATH_SINK, ignoredValues: CONTENT },
  ],
  [
    'File.{Copy,Move,Replace} Directory.Move ZipFile.ExtractToDirectory *.{DownloadFile,DownloadFileAsync,DownloadFileTaskAsync} {sftp,_sftp,sftpClient,SftpClient}.UploadFile {FastZip,new:FastZip(),fastZip}.ExtractZip',
    { ...PATH_SINK, argument: 1 },
  ],
  [
    '{new:FileInfo(),FileInfo,new:DirectoryInfo(),DirectoryInfo}.{OpenRead,OpenText,Open,OpenWrite,Delete,CopyTo,MoveTo,Create,CreateText,AppendText,GetFiles,EnumerateFiles,GetDirectories,GetFileSystemInfos}',
    { ...PATH_SINK, argument: 'receiver' },
  ],
  ['{new:FileInfo(),FileInfo,new:DirectoryInfo(),DirectoryInfo}.{CopyTo,MoveTo,Replace}', PATH_SINK],
];

export const cSharpSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];

/** Members whose assignment runs or prepares: `command.CommandText = sql`. */
export const cSharpAssignmentSinks: Rules['assignmentSinks'] = [
  [
    '*.{CommandText,SelectCommandText,SelectCommand,InsertCommand,UpdateCommand,DeleteCommand}',
    sqlSink('command.Parameters.AddWithValue("@id", id).'),
  ],
  [
    '*.StartInfo.{FileName,Arguments} {psi,startInfo,info,processInfo,processStartInfo,si,start,ProcessStartInfo,new:ProcessStartInfo()}.{FileName,Arguments}',
    COMMAND_SINK,
  ],
];
