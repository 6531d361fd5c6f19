import { ALL, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const ADO = 'new SqlCommand("... WHERE Id = @id", connection) and Parameters.Add("@id", ...).';
const DAPPER = 'connection.Query("... WHERE Id = @id", new { id }).';
const PATH_SINK = pathSink(
  'Path.GetFileName(name), or Path.GetFullPath(Path.Combine(root, name)) and StartsWith(root).',
);
const COMMAND_SINK = commandSink('new ProcessStartInfo("ls") with ArgumentList.Add(name).');

export const cSharpRules: Rules = {
  ...common,
  sources: [
    [
      `{Request,request,req}.{Query,Form,QueryString,Params,Headers,Cookies,RouteValues,Path,Body,Files,RawUrl,Url,InputStream,ReadFormAsync} Request
       {HttpContext,context,ctx}.Request.{Query,Form,Headers,Cookies,RouteValues,Path,Body,QueryString} RouteData.Values *.{QueryStringParameters,PathParameters}`,
      'request',
    ],
    ['Console.{ReadLine,Read} Environment.{GetEnvironmentVariable,GetCommandLineArgs}', 'local'],
  ],
  sinks: [
    [
      'new {SqlCommand,MySqlCommand,NpgsqlCommand,SqliteCommand,SQLiteCommand,OracleCommand,OleDbCommand,OdbcCommand,SqlDataAdapter,MySqlDataAdapter,NpgsqlDataAdapter,OleDbDataAdapter,SQLiteDataAdapter}',
      sqlSink(ADO, { argumentName: 'CommandText' }),
    ],
    [
      '*.{FromSqlRaw,ExecuteSqlRaw,ExecuteSqlRawAsync,SqlQueryRaw,ExecuteSqlCommand,ExecuteSqlCommandAsync,SqlQuery,CreateSQLQuery,CreateSqlQuery}',
      sqlSink('FromSqlInterpolated($"... {value}"), or FromSqlRaw("... {0}", value).'),
    ],
    [
      '*.{Query,QueryAsync,QueryFirst,QueryFirstAsync,QueryFirstOrDefault,QueryFirstOrDefaultAsync,QuerySingle,QuerySingleAsync,QuerySingleOrDefault,QuerySingleOrDefaultAsync,Execute,ExecuteAsync,ExecuteScalar,ExecuteScalarAsync,ExecuteReader,QueryMultiple,QueryMultipleAsync,ExecuteQuery,ExecuteCommand,CreateQuery}',
      possibleSqlSink(DAPPER),
    ],
    ['SqlHelper.{ExecuteDataset,ExecuteNonQuery,ExecuteReader,ExecuteScalar}', sqlSink(ADO, { argument: 'all' })],
    [
      'Process.Start new ProcessStartInfo',
      {
        ...COMMAND_SINK,
        argument: 'all',
        execution: 'program',
        splitsArguments: true,
        extraArguments: ['FileName', 'Arguments'],
      },
    ],
    [
      'File.{ReadAllText,ReadAllTextAsync,ReadAllBytes,ReadAllBytesAsync,ReadAllLines,ReadAllLinesAsync,ReadLines,OpenRead,Open,OpenText,OpenWrite,WriteAllText,WriteAllTextAsync,WriteAllBytes,WriteAllBytesAsync,AppendAllText,Delete,Create,Exists,Copy,Move,CreateText,AppendText} new FileStream new StreamReader new StreamWriter new FileInfo new DirectoryInfo Directory.{GetFiles,Delete,EnumerateFiles,CreateDirectory,GetDirectories} PhysicalFile new PhysicalFileResult Results.File ZipFile.OpenRead *.PhysicalFile Response.{WriteFile,TransmitFile} *.TransmitFile',
      PATH_SINK,
    ],
    ['File.{Copy,Move}', { ...PATH_SINK, argument: 1 }],
  ],
  assignmentSinks: [
    ['*.{CommandText,SelectCommandText}', sqlSink('command.Parameters.AddWithValue("@id", id).')],
    [
      '*.StartInfo.{FileName,Arguments} {psi,startInfo,info,processInfo,processStartInfo,si,ProcessStartInfo}.{FileName,Arguments}',
      COMMAND_SINK,
    ],
  ],
  sanitizers: [
    [
      'int.Parse long.Parse Int32.Parse Int64.Parse decimal.Parse double.Parse Guid.{Parse,NewGuid} Convert.{ToInt32,ToInt64,ToDecimal,ToDouble,ToBoolean,ToDateTime,ToInt16} bool.Parse DateTime.{Parse,ParseExact} Enum.{Parse,TryParse} Math.{Max,Min,Abs} *.GetHashCode',
      ALL,
    ],
    ['Path.{GetFileName,GetFileNameWithoutExtension,GetExtension,GetRandomFileName}', ['path']],
    ['*.{QuoteIdentifier}', ['sql']],
    ['{Uri,WebUtility,HttpUtility}.{EscapeDataString,UrlEncode}', ['path', 'command']],
  ],
  scalarResults: `${common.scalarResults} *.{Equals,Contains,StartsWith,EndsWith,IsMatch,IndexOf,CompareTo,Any,ContainsKey,TryGetValue} string.{IsNullOrEmpty,IsNullOrWhiteSpace,Compare,Equals} String.IsNullOrEmpty`,
  propagators: `*.{Trim,TrimStart,TrimEnd,ToString,ToLower,ToUpper,ToLowerInvariant,ToUpperInvariant,Substring,Split,First,FirstOrDefault,Last,Single,ToList,ToArray,Value,Normalize,PadLeft,PadRight,Reverse,Remove,Skip,Take,Distinct,GetValue,ReadToEnd,ReadToEndAsync,AsString,Get}
    Convert.{ToString,ToBase64String,FromBase64String} HttpUtility.{UrlDecode,HtmlDecode} WebUtility.{UrlDecode,HtmlDecode} Uri.UnescapeDataString Encoding.UTF8.{GetBytes,GetString} new {StringBuilder,Uri,String,StringReader,List} Path.GetDirectoryName Task.FromResult JsonSerializer.Serialize`,
  concatenators:
    'string.{Format,Concat,Join} String.{Format,Concat,Join} Path.{Combine,Join} Server.MapPath *.{Replace,Insert,Concat} FormattableString.Invariant',
  appenders: '*.{Append,AppendLine,AppendFormat,Add,AppendJoin}',
  pathNormalizers: 'Path.GetFullPath',
  relativePaths: 'Path.GetRelativePath',
  terminators: 'Environment.Exit',
  requestHandlers: '*.{MapGet,MapPost,MapPut,MapDelete,MapPatch,MapMethods}',
  membershipMethods: '*.{Contains,ContainsKey,TryGetValue}',
  prefixTests: '*.StartsWith',
  patternTests: 'Regex.IsMatch *.IsMatch Regex.Match',
  patternReplacers: 'Regex.Replace',
  typeTests: '{int,long,short,decimal,double,Guid,DateTime,bool}.TryParse',
  requestParameterAnnotation: /\[From(Query|Route|Body|Header|Form|Uri)/,
  requestFunctionAnnotation: /\[(Http(Get|Post|Put|Delete|Patch)|Route|AcceptVerbs|WebMethod)\b/,
  freeVariables: /^[a-z][A-Za-z0-9]*$/,
  trustedNames: trustedNames(
    'value|string|int|tableName|columns|placeholders|table|nameof|cancellationToken|ct|bool|object|var',
  ),
};
