import type { Rules, Sink } from './rules.ts';
import { ALL, common, PATH, REMEDY, SQL } from './common.ts';

const sql = (how: string): Pick<Sink, 'kind' | 'arg' | 'remedy'> => ({
  kind: 'sql',
  arg: 0,
  remedy: REMEDY.placeholders(how),
});
const ADO = 'new SqlCommand("... WHERE Id = @id", connection) and Parameters.Add("@id", ...).';
const DAPPER = 'connection.Query("... WHERE Id = @id", new { id }).';
const PATH_REMEDY = REMEDY.path(
  'Path.GetFileName(name), or Path.GetFullPath(Path.Combine(root, name)) and StartsWith(root).',
);
const SHELL_REMEDY = REMEDY.shell('new ProcessStartInfo("ls") with ArgumentList.Add(name).');

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
      { ...sql(ADO), named: 'CommandText' },
    ],
    [
      '*.{FromSqlRaw,ExecuteSqlRaw,ExecuteSqlRawAsync,SqlQueryRaw,ExecuteSqlCommand,ExecuteSqlCommandAsync,SqlQuery,CreateSQLQuery,CreateSqlQuery}',
      sql('FromSqlInterpolated($"... {value}"), or FromSqlRaw("... {0}", value).'),
    ],
    [
      '*.{Query,QueryAsync,QueryFirst,QueryFirstAsync,QueryFirstOrDefault,QueryFirstOrDefaultAsync,QuerySingle,QuerySingleAsync,QuerySingleOrDefault,QuerySingleOrDefaultAsync,Execute,ExecuteAsync,ExecuteScalar,ExecuteScalarAsync,ExecuteReader,QueryMultiple,QueryMultipleAsync,ExecuteQuery,ExecuteCommand,CreateQuery}',
      { ...sql(DAPPER), unsure: true },
    ],
    [
      'SqlHelper.{ExecuteDataset,ExecuteNonQuery,ExecuteReader,ExecuteScalar}',
      { kind: 'sql', arg: 'all', remedy: REMEDY.placeholders(ADO) },
    ],
    [
      'Process.Start new ProcessStartInfo',
      {
        kind: 'command',
        arg: 'all',
        runs: 'program',
        fields: ['FileName', 'Arguments'],
        splits: true,
        remedy: SHELL_REMEDY,
      },
    ],
    [
      'File.{ReadAllText,ReadAllTextAsync,ReadAllBytes,ReadAllBytesAsync,ReadAllLines,ReadAllLinesAsync,ReadLines,OpenRead,Open,OpenText,OpenWrite,WriteAllText,WriteAllTextAsync,WriteAllBytes,WriteAllBytesAsync,AppendAllText,Delete,Create,Exists,Copy,Move,CreateText,AppendText} new FileStream new StreamReader new StreamWriter new FileInfo new DirectoryInfo Directory.{GetFiles,Delete,EnumerateFiles,CreateDirectory,GetDirectories} PhysicalFile new PhysicalFileResult Results.File ZipFile.OpenRead *.PhysicalFile Response.{WriteFile,TransmitFile} *.TransmitFile',
      { kind: 'path', arg: 0, remedy: PATH_REMEDY },
    ],
    ['File.{Copy,Move}', { kind: 'path', arg: 1, remedy: PATH_REMEDY }],
  ],
  assigned: [
    [
      '*.{CommandText,SelectCommandText}',
      { kind: 'sql', arg: 0, remedy: REMEDY.placeholders('command.Parameters.AddWithValue("@id", id).') },
    ],
    [
      '*.StartInfo.{FileName,Arguments} {psi,startInfo,info,processInfo,processStartInfo,si,ProcessStartInfo}.{FileName,Arguments}',
      { kind: 'command', arg: 0, runs: 'shell', remedy: SHELL_REMEDY },
    ],
  ],
  sanitizers: [
    [
      'int.Parse long.Parse Int32.Parse Int64.Parse decimal.Parse double.Parse Guid.{Parse,NewGuid} Convert.{ToInt32,ToInt64,ToDecimal,ToDouble,ToBoolean,ToDateTime,ToInt16} bool.Parse DateTime.{Parse,ParseExact} Enum.{Parse,TryParse} Math.{Max,Min,Abs} *.GetHashCode',
      ALL,
    ],
    ['Path.{GetFileName,GetFileNameWithoutExtension,GetExtension,GetRandomFileName}', PATH],
    ['*.{QuoteIdentifier}', SQL],
    ['{Uri,WebUtility,HttpUtility}.{EscapeDataString,UrlEncode}', ['path', 'command']],
  ],
  numbers: `${common.numbers} *.{Equals,Contains,StartsWith,EndsWith,IsMatch,IndexOf,CompareTo,Any,ContainsKey,TryGetValue} string.{IsNullOrEmpty,IsNullOrWhiteSpace,Compare,Equals} String.IsNullOrEmpty`,
  carriers: `*.{Trim,TrimStart,TrimEnd,ToString,ToLower,ToUpper,ToLowerInvariant,ToUpperInvariant,Substring,Split,First,FirstOrDefault,Last,Single,ToList,ToArray,Value,Normalize,PadLeft,PadRight,Reverse,Remove,Skip,Take,Distinct,GetValue,ReadToEnd,ReadToEndAsync,AsString,Get}
    Convert.{ToString,ToBase64String,FromBase64String} HttpUtility.{UrlDecode,HtmlDecode} WebUtility.{UrlDecode,HtmlDecode} Uri.UnescapeDataString Encoding.UTF8.{GetBytes,GetString} new {StringBuilder,Uri,String,StringReader,List} Path.GetDirectoryName Task.FromResult JsonSerializer.Serialize`,
  builders:
    'string.{Format,Concat,Join} String.{Format,Concat,Join} Path.{Combine,Join} Server.MapPath *.{Replace,Insert,Concat} FormattableString.Invariant',
  mutators: '*.{Append,AppendLine,AppendFormat,Add,AppendJoin}',
  lists: '',
  normalizers: 'Path.GetFullPath',
  relatives: 'Path.GetRelativePath',
  exits: 'Environment.Exit',
  handlers: '*.{MapGet,MapPost,MapPut,MapDelete,MapPatch,MapMethods}',
  members: '*.{Contains,ContainsKey,TryGetValue}',
  prefixes: '*.StartsWith',
  patternTests: 'Regex.IsMatch *.IsMatch Regex.Match',
  replacers: 'Regex.Replace',
  typeTests: '{int,long,short,decimal,double,Guid,DateTime,bool}.TryParse',
  requestParameter: /\[From(Query|Route|Body|Header|Form|Uri)/,
  requestRoutine: /\[(Http(Get|Post|Put|Delete|Patch)|Route|AcceptVerbs|WebMethod)\b/,
  freeNames: /^[a-z][A-Za-z0-9]*$/,
  services: new RegExp(
    `${common.services.source}|^(value|string|int|tableName|columns|placeholders|table|nameof|cancellationToken|ct|bool|object|var)$`,
    'i',
  ),
};
