import { ALL, common, trustedNames, trustedTypes } from './common.ts';
import { cSharpAssignmentSinks, cSharpSinks } from './c-sharp/c-sharp-sinks.ts';
import {
  C_SHARP_FUNCTION_ANNOTATION,
  C_SHARP_PARAMETER_ANNOTATION,
  C_SHARP_REQUEST_BESIDE,
  C_SHARP_REQUEST_METHODS,
  C_SHARP_REQUEST_MEMBERS,
  cSharpSources,
} from './c-sharp/c-sharp-sources.ts';
import type { Rules } from './rules.ts';

export const cSharpRules: Rules = {
  ...common,
  databaseNames: new RegExp(`${common.databaseNames.source}|^_?(?:cn|cnn|con|fsql|freeSql)$`, 'i'),
  sources: cSharpSources,
  sinks: cSharpSinks,
  assignmentSinks: cSharpAssignmentSinks,
  bindings: [
    [
      '*.{Query,QueryAsync,QueryFirst,QueryFirstAsync,QueryFirstOrDefault,QueryFirstOrDefaultAsync,QuerySingle,QuerySingleAsync,QuerySingleOrDefault,QuerySingleOrDefaultAsync,Execute,ExecuteAsync,ExecuteScalar,ExecuteScalarAsync}',
      { placeholder: '@p0', values: 'object' },
    ],
    ['*.{FromSqlRaw,ExecuteSqlRaw,ExecuteSqlRawAsync,SqlQueryRaw}', { placeholder: '{0}', values: 'arguments' }],
  ],
  fixes: {
    baseName: [{ before: 'System.IO.Path.GetFileName(', after: ')' }],
    shellWord: [],
    drivers: [],
    list: ['new[] { ', ' }'],
  },
  constructorFields: [['new ProcessStartInfo', { names: ['FileName', 'Arguments'], lists: ['ArgumentList'] }]],
  sanitizers: [
    [
      'int.Parse long.Parse Int32.Parse Int64.Parse decimal.Parse double.Parse Guid.{Parse,NewGuid} Convert.{ToInt32,ToInt64,ToDecimal,ToDouble,ToBoolean,ToDateTime,ToInt16} bool.Parse DateTime.{Parse,ParseExact} Enum.{Parse,TryParse} Math.{Max,Min,Abs} *.{GetHashCode,ComputeHash,HashData,TotalSeconds} {uint,ulong,short,ushort,byte,float,Int16,UInt32,Single,Double,Decimal,TimeSpan,DateTimeOffset,DateOnly,TimeOnly}.{Parse,ParseExact} Convert.{ToByte,ToUInt32,ToInt64,ToSingle,ToHexString,ToChar} BitConverter.ToString Version.Parse IPAddress.Parse new Guid new Version new ObjectId {ObjectId,Ulid,BigInteger,Half,Int128,nint}.Parse',
      ALL,
    ],
    [
      'Path.{GetFileName,GetFileNameWithoutExtension,GetExtension,GetRandomFileName} {FileInfo,DirectoryInfo,new:FileInfo(),new:DirectoryInfo()}.{Name,Extension}',
      ['path'],
    ],
    // The last part of the name of an entry.
    ['{Entries,GetEntry(),ZipArchiveEntry}.Name', ['path']],
    ['*.QuoteIdentifier MySqlHelper.{EscapeString,DoubleQuoteString}', ['sql']],
    ['{Uri,WebUtility,HttpUtility}.{EscapeDataString,UrlEncode}', ['path', 'command']],
  ],
  quoteEscapers: 'MySqlHelper.{EscapeString,DoubleQuoteString}',
  scalarResults: `${common.scalarResults} Request.{PhysicalApplicationPath,ApplicationPath,ContentLength,HttpMethod,Method,IsLocal,Scheme,IsHttps,ContentType,IsAuthenticated} *.{Equals,Contains,StartsWith,EndsWith,IsMatch,IndexOf,CompareTo,Any,GetInt16,GetInt32,GetInt64,GetDouble,GetDecimal,GetBoolean,GetGuid,GetDateTime,Ticks,ContainsKey,TryGetValue} string.{IsNullOrEmpty,IsNullOrWhiteSpace,Compare,Equals} String.IsNullOrEmpty`,
  propagators: `*.{Trim,TrimStart,TrimEnd,ToString,ToLower,ToUpper,ToLowerInvariant,ToUpperInvariant,Substring,Split,First,FirstOrDefault,Last,Single,ToList,ToArray,Value,Normalize,PadLeft,PadRight,Reverse,Remove,Skip,Take,Distinct,GetValue,ReadToEnd,ReadToEndAsync,AsString,Get}
    Convert.{ToString,ToBase64String,FromBase64String} HttpUtility.{UrlDecode,HtmlDecode,ParseQueryString} QueryHelpers.ParseQuery WebUtility.{UrlDecode,HtmlDecode} Uri.UnescapeDataString Encoding.UTF8.{GetBytes,GetString} new {StringBuilder,Uri,String,StringReader,List,FileInfo,DirectoryInfo,StreamReader,MemoryStream,UriBuilder} *.{AsSpan,ToCharArray,FullName,Name,GetString,GetRawText,Deserialize,GetProperty,ReadLine,ReadLineAsync,Result,ConfigureAwait,Values,Keys,ElementAt,Where,OrderBy,ToUpperInvariant,LocalPath} XmlReader.Create *.{GetAttribute,ReadElementContentAsString,ReadInnerXml,ReadOuterXml} Encoding.*.{GetString,GetBytes} Path.GetDirectoryName Task.FromResult {JsonSerializer,JsonConvert,JObject,JArray,JToken,JsonDocument,JsonNode,XDocument,XElement,JavaScriptSerializer}.{Serialize,Deserialize,DeserializeAsync,DeserializeObject,SerializeObject,Parse,ParseAsync}`,
  concatenators:
    'string.{Format,Concat,Join} String.{Format,Concat,Join} Path.{Combine,Join} Server.MapPath *.{Replace,Insert,Concat} FormattableString.Invariant',
  appenders: '*.{LoadXml,LoadHtml,Append,AppendLine,AppendFormat,Add,AppendJoin}',
  listConstructors: 'new {List,HashSet,SortedSet,LinkedList,ArrayList,Collection}',
  pathNormalizers: 'Path.GetFullPath',
  outputArguments: [
    [
      '{GetStream(),NetworkStream,networkStream,WebSocket,webSocket,Socket,socket}.{Read,ReadAsync,Receive,ReceiveAsync}',
      'request',
    ],
  ],
  contextSetters: [
    ['*.SetString {Items,Session,TempData,Properties}.{Add,TryAdd,Set}', { key: 0, value: 1, isOpen: true }],
  ],
  contextGetters: '*.GetString {Items,Session,TempData,Properties}.{Get,Peek,GetValueOrDefault}',
  contextObjects: /(?:^|\.)(?:Items|Session|TempData|Application|Properties|Cache|ViewState)$/,
  relativePaths: 'Path.GetRelativePath',
  terminators: 'Environment.{Exit,FailFast} Response.End',
  // Minimal APIs; the modules of Nancy; subscribers of Redis.
  requestHandlers:
    '*.{MapGet,MapPost,MapPut,MapDelete,MapPatch,MapMethods} {Get,Post,Put,Delete,Patch} {sub,subscriber,_subscriber,ISubscriber,GetSubscriber()}.{Subscribe,SubscribeAsync}',
  guards: [
    ['Contract.Requires Guard.IsTrue', 'true'],
    ['Guard.IsFalse', 'false'],
  ],
  membershipMethods: '*.{Contains,ContainsKey,TryGetValue,IndexOf,IndexOfAny}',
  prefixTests: '*.StartsWith',
  patternTests: 'Regex.IsMatch *.IsMatch Regex.Match',
  patternConstructors: 'new Regex',
  patternReplacers: 'Regex.Replace *.Replace',

  typeTests: 'Enum.IsDefined {int,long,short,decimal,double,Guid,DateTime,bool}.TryParse',
  requestMembers: C_SHARP_REQUEST_MEMBERS,
  requestParameterAnnotation: C_SHARP_PARAMETER_ANNOTATION,
  requestFunctionAnnotation: C_SHARP_FUNCTION_ANNOTATION,
  requestMethods: C_SHARP_REQUEST_METHODS,
  requestBesideType: C_SHARP_REQUEST_BESIDE,
  // Constraints of a route that allow no free text: `{id:guid}`.
  numericRouteParameter: /\{(\w+):(?:int|long|guid|bool|datetime|decimal|double|float|alpha|min|max|range)\b/g,
  trustedTypes: trustedTypes(
    'I(?!FormFile|FormCollection|Enumerable|List|Collection|Dictionary|QueryCollection)[A-Z]\\w*|CancellationToken|MimeMessage|MimePart|MimeEntity|ConsumeResult|TcpClient|Socket|TimerInfo|InputFileChangeEventArgs|ShellStream|SftpClient|FtpClient|ClaimsPrincipal|\\w*DbContext|UserManager|SignInManager',
  ),
  freeVariables: /^[a-z][A-Za-z0-9]*$/,
  trustedNames: trustedNames(
    'value|string|int|tableName|columns|placeholders|table|nameof|cancellationToken|ct|bool|object|var',
  ),
};
