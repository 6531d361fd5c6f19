import { ALL, STMT_NAMES, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const STD = 'db.Query("... WHERE id = $1", id).';
const GORM = 'db.Where("name = ?", name).';
const PATH_SINK = pathSink('filepath.Base(name), filepath.IsLocal(name), or os.OpenInRoot(root, name).');
const COMMAND_SINK = commandSink('exec.Command("ls", "--", name), not "sh", "-c".');

export const goRules: Rules = {
  ...common,
  preparedStatements: STMT_NAMES,
  sources: [
    [
      `*.{QueryStringParameters,MultiValueQueryStringParameters,PathParameters} *.URL.{Query,Path,RawQuery,RawPath} {r,req,request}.{FormValue,PostFormValue,PathValue,Form,PostForm,Header,Cookie,Body,RequestURI,FormFile,Host,UserAgent,Referer,MultipartForm} *.{FormValue,PostFormValue}
       {c,ctx,context}.{Query,Param,PostForm,DefaultQuery,DefaultPostForm,GetHeader,QueryParam,FormValue,Params,Cookies,QueryArray,QueryMap,FormFile,Body,BodyRaw,Cookie,GetQuery,QueryString,Request.Header} mux.Vars chi.URLParam *.URLParam params.ByName ps.ByName ctx.QueryArgs`,
      'request',
    ],
    ['os.{Args,Getenv,LookupEnv} flag.{Arg,Args,String} {scanner,reader}.{Text,ReadString}', 'local'],
  ],
  sinks: [
    [
      '*.{Query,Exec,QueryRow,Prepare,Queryx,QueryRowx,MustExec,Raw,NamedExec,NamedQuery,Preparex,PrepareNamed,RawQuery}',
      possibleSqlSink(STD),
    ],
    [
      '*.{QueryContext,ExecContext,QueryRowContext,PrepareContext,PreparexContext,PrepareNamedContext,QueryxContext,QueryRowxContext,MustExecContext,NamedExecContext}',
      sqlSink('db.QueryContext(ctx, "... = $1", value).', { argument: 1 }),
    ],
    [
      '*.{Query,Exec,QueryRow,SendBatch}',
      sqlSink('conn.Query(ctx, "... = $1", value).', { argument: 1, afterContext: true }),
    ],
    ['*.Prepare', sqlSink('conn.Query(ctx, "... = $1", value).', { argument: 2, afterContext: true })],
    ['*.{Get,Select}', possibleSqlSink('db.Get(&row, "... = $1", value).', { argument: 1 })],
    ['*.{GetContext,SelectContext}', sqlSink('db.GetContext(ctx, &row, "... = $1", value).', { argument: 2 })],
    ['*.{Where,Or,Not,Having,Order,Joins,Group,Select}', possibleSqlSink(GORM)],
    ['exec.Command', { ...COMMAND_SINK, execution: 'program' }],
    ['exec.CommandContext', { ...COMMAND_SINK, argument: 1, execution: 'program' }],
    ['syscall.Exec os.StartProcess', { ...COMMAND_SINK, execution: 'program' }],
    [
      'os.{Open,ReadFile,Create,OpenFile,WriteFile,Remove,RemoveAll,Mkdir,MkdirAll,ReadDir,Stat,Rename,Lstat,Chmod} ioutil.{ReadFile,WriteFile,ReadDir}',
      PATH_SINK,
    ],
    [
      'http.ServeFile',
      {
        ...PATH_SINK,
        argument: 2,
        remediation: 'Serve a folder with http.FileServerFS(root.FS()), or check filepath.IsLocal(name).',
      },
    ],
    ['{c,ctx,context}.{File,SendFile,Attachment,Inline,FileAttachment}', PATH_SINK],
    ['{c,ctx,context}.SaveUploadedFile', { ...PATH_SINK, argument: 1 }],
    ['template.ParseFiles', PATH_SINK],
  ],
  sanitizers: [
    [
      'strconv.{Atoi,ParseInt,ParseUint,ParseFloat,ParseBool,Itoa,FormatInt} len int int64 int32 uint uint64 float64 uuid.{Parse,MustParse,New,NewString} time.Parse net.ParseIP netip.ParseAddr *.Unix hex.EncodeToString',
      ALL,
    ],
    ['filepath.Base path.Base filepath.Ext path.Ext securejoin.SecureJoin', ['path']],
    ['pq.{QuoteIdentifier,QuoteLiteral} pgx.Identifier *.Sanitize QuoteIdentifier', ['sql']],
    ['shellescape.{Quote,QuoteCommand} shellquote.Join', ['command']],
    ['url.{PathEscape,QueryEscape}', ['path', 'command']],
  ],
  scalarResults: `${common.scalarResults} strings.{HasPrefix,HasSuffix,Contains,Index,EqualFold,Count,Compare} *.{MatchString,Len}`,
  propagators: `*.{Get,Text,String,TrimSpace,Bytes,Clone,Values,FormValue,Value,Read,Data}
    strings.{TrimSpace,Trim,ToLower,ToUpper,Title,TrimPrefix,TrimSuffix,TrimLeft,TrimRight,Split,SplitN,Fields,ToValidUTF8,NewReader,Map} string append url.{QueryUnescape,PathUnescape,Parse} html.UnescapeString html.EscapeString bytes.{NewBufferString,NewReader} filepath.{FromSlash,ToSlash,Dir} path.Dir io.ReadAll ioutil.ReadAll *.{EncodeToString,DecodeString} json.Marshal json.NewDecoder xml.NewDecoder bufio.{NewReader,NewScanner}`,
  concatenators: 'fmt.{Sprintf,Sprint,Sprintln} strings.{Join,Replace,ReplaceAll,NewReplacer}',
  appenders: '*.{WriteString,Write,WriteByte}',
  pathNormalizers: 'filepath.{Join,Clean,Abs,EvalSymlinks} path.{Join,Clean}',
  relativePaths: 'filepath.Rel',
  outputArguments: [
    ['*.{Decode,DecodeElement} json.Unmarshal xml.Unmarshal yaml.Unmarshal fmt.Sscan fmt.Sscanf', 'arguments'],
    [
      '*.{BindJSON,ShouldBindJSON,ShouldBind,BindQuery,ShouldBindQuery,ShouldBindUri,BindUri,BodyParser,QueryParser} {c,ctx,context}.Bind',
      'request',
    ],
    ['fmt.{Scan,Scanln,Scanf}', 'local'],
  ],
  terminators: 'panic os.Exit log.{Fatal,Fatalf,Fatalln} t.{Fatal,Fatalf}',
  membershipFunctions: 'slices.Contains strings.Contains lo.Contains strings.ContainsAny contains',
  prefixTests: 'strings.HasPrefix',
  patternTests: '*.{MatchString,Match} regexp.MatchString',
  patternReplacers: '*.{ReplaceAllString,ReplaceAllLiteralString}',
  pathTests: 'filepath.IsLocal fs.ValidPath',
  freeVariables: /^[a-z][A-Za-z0-9]*$/,
  trustedNames: trustedNames('nil|true|false|iota|tableName|table|columns|placeholders|string|byte|int|error'),
};
