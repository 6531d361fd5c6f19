import { ALL, common, trustedNames, trustedTypes } from './common.ts';
import { javaSinks } from './java/java-sinks.ts';
import {
  JAVA_FUNCTION_ANNOTATION,
  JAVA_PARAMETER_ANNOTATION,
  JAVA_REQUEST_BESIDE,
  JAVA_REQUEST_METHODS,
  javaSources,
} from './java/java-sources.ts';
import type { Rules } from './rules.ts';

export const javaRules: Rules = {
  ...common,
  sources: javaSources,
  sinks: javaSinks,
  bindings: [
    [
      '*.{queryForObject,queryForList,queryForMap,queryForRowSet} {jdbcTemplate,jdbc,template,JdbcTemplate}.{query,update}',
      { placeholder: '?', values: 'arguments' },
    ],
    [
      '{em,entityManager,session,EntityManager,Session,getCurrentSession(),openSession()}.{createQuery,createNativeQuery}',
      { placeholder: '?1', values: 'setParameter' },
    ],
    [
      '{dsl,ctx,create,DSLContext}.{fetch,resultQuery,execute} DSL.condition',
      { placeholder: '?', values: 'arguments' },
    ],
  ],
  fixes: {
    baseName: [{ before: 'new java.io.File(', after: ').getName()' }],
    shellWord: [],
    drivers: [],
    list: ['new String[] { ', ' }'],
  },
  sanitizers: [
    ['String.valueOf', []],
    [
      'Integer.{parseInt,valueOf} Long.{parseLong,valueOf} Double.{parseDouble,valueOf} Float.parseFloat Short.parseShort Boolean.{parseBoolean,valueOf} UUID.{fromString,randomUUID,nameUUIDFromBytes} new BigDecimal new BigInteger LocalDate.parse Instant.parse LocalDateTime.parse *.{intValue,longValue,getTime,ordinal} NumberUtils.{toInt,toLong} {Integer,Long}.{decode,parseUnsignedInt,parseUnsignedLong} {Year,YearMonth,OffsetDateTime,ZonedDateTime,Duration}.parse DigestUtils.{md5Hex,sha1Hex,sha256Hex,sha512Hex,md5DigestAsHex} Hex.encodeHexString *.formatHex DatatypeConverter.printHexBinary ObjectId new ObjectId InetAddress.getByName Direction.{fromString,fromOptionalString} ZoneId.of ZoneOffset.of Currency.getInstance {Ints,Longs,Doubles}.tryParse NumberUtils.{createInteger,createLong,toDouble,createBigDecimal} {LocalTime,OffsetTime,Period,MonthDay}.parse EnumUtils.{getEnum,getEnumIgnoreCase} Enums.getIfPresent Hashing.sha256',
      ALL,
    ],
    ['*.valueOf', ALL],
    ['URLEncoder.encode', ['path', 'command']],
    [
      'FilenameUtils.{getName,getBaseName,getExtension} {get(),of(),toPath(),resolve(),normalize(),toAbsolutePath(),toRealPath(),path,Path}.getFileName {new:File(),File,toFile()}.getName StringUtils.{getFilename,getFilenameExtension} {FileNameUtil,FileUtil}.{getName,mainName,extName}',
      ['path'],
    ],
    ['StringEscapeUtils.escapeSql', ['sql']],
    [
      '{ESAPI,Encode,encoder,codec}.{encodeForSQL,encodeForOS} ESAPI.encoder().encodeForSQL ESAPI.encoder().encodeForOS Utils.escapeString',
      ['sql', 'command'],
    ],
    ['DSL.{name,quotedName,val,value,inline,param}', ['sql']],
    [
      '*.{eq,ne,equal,notEqual,eqIgnoreCase,equalIgnoreCase,like,notLike,likeIgnoreCase,containsIgnoreCase,in,notIn,between,greaterThan,lessThan,greaterThanOrEqualTo,lessThanOrEqualTo}',
      ['sql'],
    ],
    ['*.{enquoteLiteral,enquoteIdentifier,quoteIdentifier}', ['sql']],
  ],
  quoteEscapers: 'StringEscapeUtils.escapeSql',
  scalarResults: `${common.scalarResults} *.{equals,equalsIgnoreCase,contains,startsWith,endsWith,matches,hasMoreElements,hasNext,isEmpty,isBlank,charAt,compareTo,containsKey,mapToInt,mapToLong,mapToDouble,asInt,asLong,asDouble,asBoolean,getInt,getLong,getDouble,getBoolean,getInteger,getAsInt,getAsLong,getAsDouble,getAsBoolean,optInt,optLong,getPort,getContentLength,getContentLengthLong,getSize,getIntHeader,nextInt,nextLong}`,
  propagators: `*.{trim,strip,toString,toLowerCase,toUpperCase,substring,split,getBytes,intern,toCharArray,orElse,orElseThrow,get,stripLeading,stripTrailing,toPath,toFile,getPath,getAbsolutePath,toAbsolutePath,repeat,chars,stream,collect,toList,toArray,build,reverse,readLine,getName,readValue,encodeBase64,encodeBase64String,decodeBase64,decodeBuffer,encodeToString,encodeForHTML,encodeForHTMLAttribute,encodeForJavaScript,forHtml,htmlEscape,htmlUnescape,escapeHtml,escapeHtml3,escapeHtml4,unescapeHtml4,escapeXml,escapeJava,getRealPath,readAllBytes,readNBytes,asString,asText,textValue,getString,getAsString,getFirst,stripIndent,translateEscapes,array,readUTF,lines,subSequence,replaceFirst}
    {getEncoder(),getDecoder(),getUrlEncoder(),getUrlDecoder(),getMimeEncoder(),getMimeDecoder()}.{encode,decode} Hex.decodeHex StringUtils.cleanPath Jsoup.{clean,parse} UriUtils.decode IOUtils.toString StreamUtils.copyToString
    String.valueOf Objects.{toString,requireNonNull,requireNonNullElse} Optional.{of,ofNullable} {Mono,Flux}.{just,justOrEmpty,fromFuture,fromIterable,fromArray,fromStream} CompletableFuture.completedFuture Uni.createFrom URLDecoder.decode StringUtils.{trim,strip,defaultString,defaultIfEmpty,upperCase,lowerCase} new {StringBuilder,StringBuffer,String,URL,URI,InputStreamReader,BufferedReader,BufferedInputStream,DataInputStream,ObjectInputStream,LineNumberReader,GZIPInputStream,ZipInputStream,InflaterInputStream,GzipCompressorInputStream,TarArchiveInputStream,ZipArchiveInputStream,PushbackInputStream,ByteArrayInputStream,Scanner,StringReader,StringTokenizer,StringJoiner} URI.create new {JSONObject,JSONArray,JSONTokener,JsonReader,StringEntity} {JSON,JSONObject,JsonParser,Json,JsonPath,DocumentContext}.{parse,parseObject,parseString,createReader,read} *.{readTree,fromJson,convertValue,readObject} Collections.{singletonList,unmodifiableList} new ArrayList new File Paths.get Path.of`,
  concatenators:
    '*.{concat,formatted,resolve,resolveSibling} String.{format,join} MessageFormat.format new File Paths.get Path.of *.replace *.collect Collectors.joining',
  appenders: '*.{append,insert,add,addAll,push}',
  listConstructors:
    'Arrays.asList List.of Set.of Stream.of ImmutableList.of Tuple.of Collections.singletonList new {ArrayList,LinkedList}',
  pathNormalizers: '*.{normalize,toRealPath,getCanonicalPath,getCanonicalFile} FilenameUtils.normalize',
  relativePaths: '*.relativize',
  outputArguments: [
    ['*.{read,readFully,readNBytes}', 'arguments'],
    [
      '{SocketChannel,socketChannel,clientChannel,DatagramChannel}.{read,receive} {DatagramSocket,datagramSocket,socket}.receive',
      'request',
    ],
  ],
  contextSetters: [
    [
      '*.{setAttribute,attribute,putValue,setProperty} {getAttributes(),getUserProperties(),MDC,rc,ctx,context,routingContext}.put',
      { key: 0, value: 1, isOpen: true },
    ],
  ],
  contextGetters:
    '*.{getAttribute,attribute,getValue,getProperty} {getAttributes(),getUserProperties(),MDC,rc,ctx,context,routingContext}.get',
  requestHandlers:
    '*.{textMessageHandler,binaryMessageHandler,onMessage,createDispatcher} {mqttClient,mqtt,MqttClient,IMqttClient,MqttAsyncClient}.subscribe {so,netSocket,NetSocket}.handler eventBus().{consumer,localConsumer}',
  terminators: 'System.exit',
  guards: [
    ['{Validate,Assert}.{isTrue,validState,state} Preconditions.{checkArgument,checkState} Verify.verify', 'true'],
    ['Assert.isFalse', 'false'],
    ['Validate.matchesPattern', 'itself'],
  ],
  membershipMethods: '*.{contains,containsKey,indexOf,lastIndexOf}',
  prefixTests: '*.startsWith',
  patternTests: '*.{find,lookingAt} asPredicate().test',
  fullMatchTests: '*.matches Pattern.matches Validate.matchesPattern asMatchPredicate().test',
  patternConstructors: 'Pattern.compile',
  patternReplacers: '*.{replaceAll,replaceFirst}',
  converters:
    '{Integer,Long,Short,Byte}.{parseInt,parseLong,parseShort,parseByte} {Double,Float}.{parseDouble,parseFloat} UUID.fromString {LocalDate,LocalDateTime,Instant}.parse',
  typeTests:
    'EnumUtils.{isValidEnum,isValidEnumIgnoreCase} StringUtils.{isNumeric,isAlphanumeric,isAlpha,isAsciiAlphanumeric} SourceVersion.{isIdentifier,isName} ObjectId.isValid *.isValidInet4Address NumberUtils.{isDigits,isCreatable,isParsable}',
  pathTests: 'FilenameUtils.directoryContains',
  requestParameterAnnotation: JAVA_PARAMETER_ANNOTATION,
  requestFunctionAnnotation: JAVA_FUNCTION_ANNOTATION,
  requestMethods: JAVA_REQUEST_METHODS,
  requestBesideType: JAVA_REQUEST_BESIDE,
  // `{id:\d+}`, which the whole part of the path matches.
  numericRouteParameter:
    /\{(\w+)\s*:\s*(?:(?:\\{1,2}[dw]|\[(?:a-z|A-Z|0-9|a-f|A-F|\\{1,2}[dw]|_|-)+\])(?:[+*?]|\{[\d,]+\})?)+\}/g,
  trustedTypes: trustedTypes(
    'CloudEvent|HttpEntity|Channel(?:Exec|Sftp)|\\w*Exchange|ConsumerRecords?|(?:SQS|SNS|S3|Kinesis|Dynamodb|Kafka|Scheduled)Event|S3EventNotification|APIGatewayProxyRequestEvent|APIGatewayV2(?:HTTP|WebSocket)Event|ApplicationLoadBalancerRequestEvent|Model|ModelMap|ModelAndView|Principal|Pageable|Authentication|Locale|BindingResult|RedirectAttributes|Errors|UriComponentsBuilder|TimeZone|Writer|PrintWriter|OutputStream|SessionStatus|Acknowledgment|Channel|SecurityContext|SseEmitter',
  ),
  freeVariables: /^[a-z][A-Za-z0-9]*$/,
  trustedNames: trustedNames('tableName|columns|placeholders|table|sb|args0'),
};
