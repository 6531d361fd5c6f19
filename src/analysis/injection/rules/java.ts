import type { Rules, Sink } from './rules.ts';
import { ALL, common, PATH, REMEDY, SQL } from './common.ts';

const sql = (how: string): Pick<Sink, 'kind' | 'arg' | 'remedy'> => ({
  kind: 'sql',
  arg: 0,
  remedy: REMEDY.placeholders(how),
});
const JDBC = 'prepareStatement("... WHERE id = ?") and setString(1, id).';
const JPA = 'createQuery("... WHERE u.name = :name").setParameter("name", name).';
const SPRING = 'jdbcTemplate.query("... WHERE id = ?", mapper, id).';
const PATH_REMEDY = REMEDY.path('root.resolve(name).normalize() and startsWith(root).');
const SHELL_REMEDY = REMEDY.shell('new ProcessBuilder("ls", "--", name), not "sh", "-c".');

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
    ['*.{executeQuery,executeUpdate,executeLargeUpdate,addBatch,prepareStatement,prepareCall,nativeSQL}', sql(JDBC)],
    ['*.execute', { ...sql(JDBC), unsure: true }],
    ['*.{createQuery,createNativeQuery,createSQLQuery,createStoredProcedureQuery}', sql(JPA)],
    [
      '*.{queryForObject,queryForList,queryForMap,queryForRowSet,queryForStream,queryForInt,queryForLong,batchUpdate}',
      sql(SPRING),
    ],
    ['*.{query,update,sql}', { ...sql(SPRING), unsure: true }],
    ['*.{rawQuery,execSQL,compileStatement}', sql('db.rawQuery("... = ?", new String[] { value }).')],
    ['*.{fetch,resultQuery}', { ...sql('dsl.fetch("... = ?", value).'), unsure: true }],
    [
      'getRuntime().exec Runtime.exec runtime.exec rt.exec',
      { kind: 'command', arg: 0, runs: 'shell', remedy: SHELL_REMEDY },
    ],
    ['new ProcessBuilder', { kind: 'command', arg: 0, runs: 'program', remedy: SHELL_REMEDY }],
    [
      '{pb,builder,processBuilder,ProcessBuilder}.command',
      { kind: 'command', arg: 0, runs: 'program', remedy: SHELL_REMEDY },
    ],
    ['CommandLine.parse', { kind: 'command', arg: 0, runs: 'shell', remedy: SHELL_REMEDY }],
    [
      'new FileInputStream new FileReader new FileOutputStream new FileWriter new RandomAccessFile new FileSystemResource new PrintWriter new ZipFile new UrlResource new Scanner',
      { kind: 'path', arg: 0, remedy: PATH_REMEDY },
    ],
    [
      'Files.{readAllBytes,readString,readAllLines,lines,newInputStream,newBufferedReader,newOutputStream,newBufferedWriter,write,writeString,delete,deleteIfExists,createFile,createDirectories,list,walk,newByteChannel,size,exists}',
      { kind: 'path', arg: 0, remedy: PATH_REMEDY },
    ],
    ['Files.{copy,move}', { kind: 'path', arg: 'all', remedy: PATH_REMEDY }],
    [
      'FileUtils.{readFileToString,readFileToByteArray,readLines,openInputStream,writeStringToFile,deleteQuietly,forceDelete}',
      { kind: 'path', arg: 0, remedy: PATH_REMEDY },
    ],
    [
      '*.{exists,delete,deleteOnExit,createNewFile,mkdir,mkdirs,listFiles,renameTo}',
      { kind: 'path', arg: 'receiver', remedy: PATH_REMEDY },
    ],
    ['*.transferTo', { kind: 'path', arg: 0, remedy: PATH_REMEDY }],
    ['*.{getResourceAsStream,getResource}', { kind: 'path', arg: 0, remedy: PATH_REMEDY }],
  ],
  sanitizers: [
    [
      'Integer.{parseInt,valueOf} Long.{parseLong,valueOf} Double.{parseDouble,valueOf} Float.parseFloat Short.parseShort Boolean.{parseBoolean,valueOf} UUID.{fromString,randomUUID,nameUUIDFromBytes} new BigDecimal new BigInteger LocalDate.parse Instant.parse LocalDateTime.parse *.{intValue,longValue,getTime,ordinal} NumberUtils.{toInt,toLong}',
      ALL,
    ],
    ['*.valueOf', ALL],
    ['URLEncoder.encode', ['path', 'command']],
    ['FilenameUtils.{getName,getBaseName,getExtension} *.getFileName StringUtils.{getFilename,cleanPath}', PATH],
    [
      '{ESAPI,Encode,encoder,codec}.{encodeForSQL,encodeForOS} ESAPI.encoder().encodeForSQL ESAPI.encoder().encodeForOS Utils.escapeString',
      ['sql', 'command'],
    ],
    ['*.{enquoteLiteral,enquoteIdentifier,quoteIdentifier}', SQL],
  ],
  numbers: `${common.numbers} *.{equals,equalsIgnoreCase,contains,startsWith,endsWith,matches,hasMoreElements,hasNext,isEmpty,isBlank,charAt,compareTo,containsKey}`,
  carriers: `*.{trim,strip,toString,toLowerCase,toUpperCase,substring,split,getBytes,intern,toCharArray,orElse,orElseThrow,get,stripLeading,stripTrailing,toPath,toFile,getPath,getAbsolutePath,toAbsolutePath,repeat,chars,stream,collect,toList,toArray,build,reverse,readLine,getName,readValue,encodeBase64,encodeBase64String,decodeBase64,decodeBuffer,encodeToString,encodeForHTML,encodeForHTMLAttribute,encodeForJavaScript,forHtml,htmlEscape,htmlUnescape,escapeHtml,escapeHtml3,escapeHtml4,unescapeHtml4,escapeXml}
    {getEncoder(),getDecoder(),getUrlEncoder(),getUrlDecoder(),getMimeEncoder(),getMimeDecoder()}.{encode,decode} Map.{of,entry} Hex.{encodeHexString,decodeHex}
    String.valueOf Objects.{toString,requireNonNull,requireNonNullElse} Optional.{of,ofNullable} URLDecoder.decode StringUtils.{trim,strip,defaultString,defaultIfEmpty,upperCase,lowerCase} new {StringBuilder,StringBuffer,String,URL,URI,InputStreamReader,BufferedReader,StringJoiner} URI.create Collections.{singletonList,unmodifiableList} new ArrayList new File Paths.get Path.of`,
  builders:
    '*.{concat,formatted,resolve,resolveSibling} String.{format,join} MessageFormat.format new File Paths.get Path.of *.replace *.collect Collectors.joining',
  mutators: '*.{append,insert,add,addAll,push}',
  lists:
    'Arrays.asList List.of Set.of Stream.of ImmutableList.of Tuple.of Collections.singletonList new {ArrayList,LinkedList}',
  normalizers: '*.{normalize,toRealPath,getCanonicalPath,getCanonicalFile} FilenameUtils.normalize',
  relatives: '*.relativize',
  exits: 'System.exit',
  members: '*.{contains,containsKey,contains}',
  prefixes: '*.startsWith',
  patternTests: '*.{find,lookingAt}',
  wholeTests: '*.matches Pattern.matches',
  replacers: '*.{replaceAll,replaceFirst}',
  typeTests: 'StringUtils.{isNumeric,isAlphanumeric,isAlpha} NumberUtils.{isDigits,isCreatable,isParsable}',
  pathTests: 'FilenameUtils.directoryContains',
  requestParameter:
    /@(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|QueryParam|PathParam|FormParam|HeaderParam|ModelAttribute|QueryValue|Header|RequestPart|MatrixVariable)\b/,
  freeNames: /^[a-z][A-Za-z0-9]*$/,
  services: new RegExp(`${common.services.source}|^(tableName|columns|placeholders|table|sb|args0)$`, 'i'),
};
