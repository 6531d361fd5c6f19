import { ALL, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const JDBC = 'prepareStatement("... WHERE id = ?") and setString(1, id).';
const JPA = 'createQuery("... WHERE u.name = :name").setParameter("name", name).';
const SPRING = 'jdbcTemplate.query("... WHERE id = ?", mapper, id).';
const PATH_SINK = pathSink('root.resolve(name).normalize() and startsWith(root).');
const COMMAND_SINK = commandSink('new ProcessBuilder("ls", "--", name), not "sh", "-c".');

export const javaRules: Rules = {
  ...common,
  sources: [
    [
      `*.{getParameter,getParameterValues,getParameterMap,getParameterNames,getHeader,getHeaders,getHeaderNames,getQueryString,getCookies,getPathInfo,getRequestURI,getRequestURL,getServletPath,getInputStream,getReader,getPart,getParts,getSubmittedFileName,getOriginalFilename,pathVariable,queryParam,queryParams,getQueryParameters,getPathParameters,getQueryStringParameters,getMultiValueQueryStringParameters,bodyAsString}
       {event,input,apiEvent,requestEvent}.{getBody,getHeaders} {request,req,ctx}.{queryParam,pathParam,formParam,body,header,cookie,params} exchange.getRequest`,
      'request',
    ],
    ['System.{getenv,getProperty} {scanner,sc,in,input}.{nextLine,next} *.readLine', 'local'],
  ],
  sinks: [
    [
      '*.{executeQuery,executeUpdate,executeLargeUpdate,addBatch,prepareStatement,prepareCall,nativeSQL}',
      sqlSink(JDBC),
    ],
    ['*.execute', possibleSqlSink(JDBC)],
    ['*.{createQuery,createNativeQuery,createSQLQuery,createStoredProcedureQuery}', sqlSink(JPA)],
    [
      '*.{queryForObject,queryForList,queryForMap,queryForRowSet,queryForStream,queryForInt,queryForLong,batchUpdate}',
      sqlSink(SPRING),
    ],
    ['*.{query,update,sql}', possibleSqlSink(SPRING)],
    ['*.{rawQuery,execSQL,compileStatement}', sqlSink('db.rawQuery("... = ?", new String[] { value }).')],
    ['*.{fetch,resultQuery}', possibleSqlSink('dsl.fetch("... = ?", value).')],
    ['getRuntime().exec Runtime.exec runtime.exec rt.exec', COMMAND_SINK],
    ['new ProcessBuilder', { ...COMMAND_SINK, execution: 'program' }],
    ['{pb,builder,processBuilder,ProcessBuilder}.command', { ...COMMAND_SINK, execution: 'program' }],
    ['CommandLine.parse', COMMAND_SINK],
    [
      'new FileInputStream new FileReader new FileOutputStream new FileWriter new RandomAccessFile new FileSystemResource new PrintWriter new ZipFile new UrlResource new Scanner',
      PATH_SINK,
    ],
    [
      'Files.{readAllBytes,readString,readAllLines,lines,newInputStream,newBufferedReader,newOutputStream,newBufferedWriter,write,writeString,delete,deleteIfExists,createFile,createDirectories,list,walk,newByteChannel,size,exists}',
      PATH_SINK,
    ],
    ['Files.{copy,move}', { ...PATH_SINK, argument: 'all' }],
    [
      'FileUtils.{readFileToString,readFileToByteArray,readLines,openInputStream,writeStringToFile,deleteQuietly,forceDelete}',
      PATH_SINK,
    ],
    [
      '*.{exists,delete,deleteOnExit,createNewFile,mkdir,mkdirs,listFiles,renameTo}',
      { ...PATH_SINK, argument: 'receiver' },
    ],
    ['*.transferTo', PATH_SINK],
    ['*.{getResourceAsStream,getResource}', PATH_SINK],
  ],
  sanitizers: [
    [
      'Integer.{parseInt,valueOf} Long.{parseLong,valueOf} Double.{parseDouble,valueOf} Float.parseFloat Short.parseShort Boolean.{parseBoolean,valueOf} UUID.{fromString,randomUUID,nameUUIDFromBytes} new BigDecimal new BigInteger LocalDate.parse Instant.parse LocalDateTime.parse *.{intValue,longValue,getTime,ordinal} NumberUtils.{toInt,toLong}',
      ALL,
    ],
    ['*.valueOf', ALL],
    ['URLEncoder.encode', ['path', 'command']],
    ['FilenameUtils.{getName,getBaseName,getExtension} *.getFileName StringUtils.{getFilename,cleanPath}', ['path']],
    [
      '{ESAPI,Encode,encoder,codec}.{encodeForSQL,encodeForOS} ESAPI.encoder().encodeForSQL ESAPI.encoder().encodeForOS Utils.escapeString',
      ['sql', 'command'],
    ],
    ['*.{enquoteLiteral,enquoteIdentifier,quoteIdentifier}', ['sql']],
  ],
  scalarResults: `${common.scalarResults} *.{equals,equalsIgnoreCase,contains,startsWith,endsWith,matches,hasMoreElements,hasNext,isEmpty,isBlank,charAt,compareTo,containsKey}`,
  propagators: `*.{trim,strip,toString,toLowerCase,toUpperCase,substring,split,getBytes,intern,toCharArray,orElse,orElseThrow,get,stripLeading,stripTrailing,toPath,toFile,getPath,getAbsolutePath,toAbsolutePath,repeat,chars,stream,collect,toList,toArray,build,reverse,readLine,getName,readValue,encodeBase64,encodeBase64String,decodeBase64,decodeBuffer,encodeToString,encodeForHTML,encodeForHTMLAttribute,encodeForJavaScript,forHtml,htmlEscape,htmlUnescape,escapeHtml,escapeHtml3,escapeHtml4,unescapeHtml4,escapeXml}
    {getEncoder(),getDecoder(),getUrlEncoder(),getUrlDecoder(),getMimeEncoder(),getMimeDecoder()}.{encode,decode} Map.{of,entry} Hex.{encodeHexString,decodeHex}
    String.valueOf Objects.{toString,requireNonNull,requireNonNullElse} Optional.{of,ofNullable} URLDecoder.decode StringUtils.{trim,strip,defaultString,defaultIfEmpty,upperCase,lowerCase} new {StringBuilder,StringBuffer,String,URL,URI,InputStreamReader,BufferedReader,StringJoiner} URI.create Collections.{singletonList,unmodifiableList} new ArrayList new File Paths.get Path.of`,
  concatenators:
    '*.{concat,formatted,resolve,resolveSibling} String.{format,join} MessageFormat.format new File Paths.get Path.of *.replace *.collect Collectors.joining',
  appenders: '*.{append,insert,add,addAll,push}',
  listConstructors:
    'Arrays.asList List.of Set.of Stream.of ImmutableList.of Tuple.of Collections.singletonList new {ArrayList,LinkedList}',
  pathNormalizers: '*.{normalize,toRealPath,getCanonicalPath,getCanonicalFile} FilenameUtils.normalize',
  relativePaths: '*.relativize',
  terminators: 'System.exit',
  membershipMethods: '*.{contains,containsKey,contains}',
  prefixTests: '*.startsWith',
  patternTests: '*.{find,lookingAt}',
  fullMatchTests: '*.matches Pattern.matches',
  patternReplacers: '*.{replaceAll,replaceFirst}',
  typeTests: 'StringUtils.{isNumeric,isAlphanumeric,isAlpha} NumberUtils.{isDigits,isCreatable,isParsable}',
  pathTests: 'FilenameUtils.directoryContains',
  requestParameterAnnotation:
    /@(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|QueryParam|PathParam|FormParam|HeaderParam|ModelAttribute|QueryValue|Header|RequestPart|MatrixVariable)\b/,
  freeVariables: /^[a-z][A-Za-z0-9]*$/,
  trustedNames: trustedNames('tableName|columns|placeholders|table|sb|args0'),
};
