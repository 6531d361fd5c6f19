import { ALL, STMT_NAMES, common, trustedNames, trustedTypes } from './common.ts';
import { goSinks } from './go/go-sinks.ts';
import { GO_REQUEST_BINDERS, goSources } from './go/go-sources.ts';
import type { Rules } from './rules.ts';

/** Types of frameworks that hold a request, and events of AWS Lambda. */
const GO_TRUSTED_TYPES =
  'Ctx|RequestCtx|[A-Z]\\w*Req|(?:S3|SQS|SNS|Kinesis|DynamoDB|Kafka|SimpleEmail|CloudWatch|EventBridge)Event|CognitoEventUserPools\\w+|AppSyncResolverTemplate|LambdaFunctionURLRequest';

export const goRules: Rules = {
  ...common,
  preparedStatements: STMT_NAMES,
  // Builders of statements: squirrel, goqu.
  databaseNames: new RegExp(`${common.databaseNames.source}|^(sq|squirrel|psql|goqu|dbmap|engine)$`, 'i'),
  sources: goSources,
  sinks: goSinks,
  bindings: [
    [
      '*.{Query,QueryRow,Exec,QueryContext,QueryRowContext,ExecContext}',
      { placeholder: 'driver', values: 'arguments' },
    ],
    ['*.{Where,Raw,Or,Not,Having}', { placeholder: '?', values: 'arguments' }],
  ],
  fixes: {
    baseName: [
      { before: 'filepath.Base(', after: ')', needs: 'filepath' },
      { before: 'path.Base(', after: ')', needs: 'path' },
    ],
    shellWord: [],
    drivers: [
      [/"github\.com\/(?:lib\/pq|jackc\/pgx[\w/]*)"/, '$1'],
      [/"(?:github\.com\/(?:go-sql-driver\/mysql|mattn\/go-sqlite3|glebarez\/sqlite)|modernc\.org\/sqlite)"/, '?'],
    ],
    list: ['', ''],
  },
  sanitizers: [
    [
      'strconv.{Atoi,ParseInt,ParseUint,ParseFloat,ParseBool,Itoa,FormatInt} len int int64 int32 uint uint64 float64 uuid.{Parse,MustParse,New,NewString} time.Parse net.ParseIP *.Unix hex.EncodeToString strconv.{FormatFloat,FormatBool,FormatUint,AppendInt} {uuid,xid,ulid,ksuid,decimal}.{FromString,NewFromString,Parse,ParseStrict,FromBytes} uuid.{Must,FromStringOrNil,NewSHA1,NewMD5} {primitive,bson}.ObjectIDFromHex cast.{ToInt,ToInt64,ToInt32,ToUint,ToFloat64,ToBool,ToTime,ToDuration} slug.{Make,MakeLang} *.SetString netip.ParsePrefix md5.Sum sha1.Sum sha512.Sum512 *.{GetInt,GetInt64,GetBool} xxhash.Sum64String crc32.ChecksumIEEE sha256.Sum256 md5.Sum *.{UnixNano,Sum} time.{ParseDuration,Unix} net.ParseCIDR',
      ALL,
    ],
    [
      'filepath.Base path.Base filepath.Ext path.Ext securejoin.SecureJoin filenamify.{Filenamify,FilenamifyV2} sanitize.{BaseName,Name} filepath.Localize',
      ['path'],
    ],
    [
      'pq.{QuoteIdentifier,QuoteLiteral} pgx.Identifier *.Sanitize QuoteIdentifier {goqu}.{I,C,T,V} {I(),C(),T()}.{Eq,Neq,Gt,Gte,Lt,Lte,In,NotIn,Like,ILike,Between,Is,Asc,Desc} {bun,pg}.{Ident,Name,In} sqlescape.EscapeString',
      ['sql'],
    ],
    ['{shellescape,shescape}.{Quote,QuoteCommand} shellquote.Join syntax.Quote', ['command']],
    ['url.{PathEscape,QueryEscape}', ['path', 'command']],
  ],
  scalarResults: `${common.scalarResults} strings.{HasPrefix,HasSuffix,Contains,Index,EqualFold,Count,Compare} *.{MatchString,Len}`,
  propagators: `*.{Get,Text,String,TrimSpace,Bytes,Clone,Values,FormValue,Value,Read,Data,Peek,PeekMulti,Path,Query,Host,Encode,ReadAll,GetString}
    strings.{TrimSpace,Trim,ToLower,ToUpper,Title,TrimPrefix,TrimSuffix,TrimLeft,TrimRight,Split,SplitN,Fields,ToValidUTF8,NewReader,Map} string append url.{QueryUnescape,PathUnescape,Parse} html.UnescapeString html.EscapeString cmp.Or bytes.{NewBufferString,NewReader} filepath.{FromSlash,ToSlash,Dir} path.Dir io.ReadAll ioutil.ReadAll *.{EncodeToString,DecodeString} json.{Marshal,MarshalIndent} json.RawMessage strings.{TrimFunc,FieldsFunc,Cut,CutPrefix,CutSuffix,Repeat,SplitAfter,NewReader} bytes.{TrimSpace,ToLower} strconv.Quote utils.CopyString utils.ImmutableString {shellwords,shellquote,shlex}.{Parse,Split} template.HTMLEscapeString cast.{ToString,ToStringE} netip.{ParseAddr,MustParseAddr} url.ParseQuery json.NewDecoder xml.NewDecoder bufio.{NewReader,NewScanner}`,
  concatenators: 'fmt.{Sprintf,Sprint,Sprintln} strings.{Join,Replace,ReplaceAll,NewReplacer}',
  appenders: '*.{WriteString,Write,WriteByte,WriteRune,ReadFrom}',
  pathNormalizers: 'filepath.{Join,Clean,Abs,EvalSymlinks} path.{Join,Clean}',
  relativePaths: 'filepath.Rel',
  statementBuilders: 'sqlx.{In,Named,BindNamed}',
  outputArguments: [
    [
      'errors.As *.{Execute,ExecuteTemplate,Decode,DecodeElement} json.Unmarshal xml.Unmarshal yaml.Unmarshal fmt.{Sscan,Sscanln,Sscanf,Fscan,Fscanln,Fscanf,Fprintf,Fprint,Fprintln} io.{WriteString,Copy}',
      'arguments',
    ],
    [GO_REQUEST_BINDERS, 'request'],
    [
      'fmt.{Scan,Scanln,Scanf} {flag,pflag,FlagSet,Flags(),PersistentFlags()}.{StringVar,StringVarP,StringSliceVar,StringSliceVarP}',
      'local',
    ],
  ],
  contextSetters: [
    ['context.WithValue', { key: 1, value: 2 }],
    ['{c,ctx,context,Context,Ctx}.{Set,Locals,SetUserValue} {Map,cache,Cache}.{Store,Set}', { key: 0, value: 1 }],
  ],
  contextGetters:
    '*.{Value,UserValue} {c,ctx,context,Context,Ctx}.{Get,MustGet,GetString,Locals} {Map,cache,Cache}.{Load,LoadAndDelete,Get}',
  terminators: 'panic os.Exit log.{Fatal,Fatalf,Fatalln,Panic,Panicf} t.{Fatal,Fatalf} runtime.Goexit',
  requestHandlers: 'huma.{Register,Get,Post,Put,Patch,Delete} *.{HandleMessage,HandleMessageBinary,OnEvent}',
  membershipFunctions:
    'slices.Contains strings.Contains lo.Contains slices.Index strings.{ContainsAny,ContainsRune,IndexByte,IndexRune,Index,IndexAny} contains',
  errorTests:
    'strconv.{Atoi,ParseInt,ParseUint,ParseFloat,ParseBool} uuid.{Parse,FromString,Validate} net.ParseCIDR netip.ParsePrefix time.{Parse,ParseDuration} {primitive,bson}.ObjectIDFromHex {ulid,xid,ksuid}.{Parse,ParseStrict,FromString} decimal.NewFromString hex.DecodeString',
  prefixTests: 'strings.HasPrefix',
  patternTests: '*.{MatchString,Match} regexp.MatchString',
  patternConstructors: 'regexp.{MustCompile,Compile}',
  patternReplacers: '*.{ReplaceAllString,ReplaceAllLiteralString}',
  typeTests:
    'net.ParseIP *.Is4 {bson,primitive}.{IsObjectIdHex,IsValidObjectID} {govalidator,valid,validator}.{IsInt,IsFloat,IsNumeric,IsAlpha,IsAlphanumeric,IsUTFDigit,IsUUID,IsUUIDv3,IsUUIDv4,IsUUIDv5,IsHexadecimal,IsHexcolor,IsMongoID,IsPort,IsIP,IsIPv4,IsMAC,IsISO4217,IsULID,IsSHA1,IsSHA256,IsMD5,IsSemver}',
  pathTests: 'filepath.IsLocal fs.ValidPath',
  freeVariables: /^[a-z][A-Za-z0-9]*$/,
  // A name with a small letter is of the program itself: `userRequest` is what it decodes.
  trustedTypes: new RegExp(`^(?![a-z]\\w*Request$).*?(?:${trustedTypes(GO_TRUSTED_TYPES).source})`),
  // A message of gRPC or a bound body: `CreateUserRequest`; `Request`, with a member that none of net/http has.
  requestMembers:
    /^(?:\w+\.)?(?:[A-Z]\w*(?:Request|Req|Params|Payload)\.[A-Z]\w*|Request\.(?!(?:Method|URL|Proto\w*|Header|Body|GetBody|ContentLength|TransferEncoding|Close|Host|Form|PostForm|MultipartForm|Trailer|RemoteAddr|RequestURI|TLS|Cancel|Response|Pattern)$)[A-Z]\w*)$/,
  requestGetters: /^(?:\w+\.)?[A-Z]\w*Req(?:uest)?\.Get[A-Z]\w*$/,
  trustedNames: trustedNames('nil|true|false|iota|tableName|table|columns|placeholders|string|byte|int|error'),
};
