import type { Rules, Sink } from './rules.ts';
import { ALL, common, PATH, PREPARED_OR_STMT, REMEDY, SQL } from './common.ts';

const sql = (arg: number, how: string): Pick<Sink, 'kind' | 'arg' | 'remedy'> => ({
  kind: 'sql',
  arg,
  remedy: REMEDY.placeholders(how),
});
const STD = 'db.Query("... WHERE id = $1", id).';
const GORM = 'db.Where("name = ?", name).';
const PATH_REMEDY = REMEDY.path('filepath.Base(name), filepath.IsLocal(name), or os.OpenInRoot(root, name).');
const SHELL_REMEDY = REMEDY.shell('exec.Command("ls", "--", name), not "sh", "-c".');

export const goRules: Rules = {
  ...common,
  prepared: PREPARED_OR_STMT,
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
      { ...sql(0, STD), unsure: true },
    ],
    [
      '*.{QueryContext,ExecContext,QueryRowContext,PrepareContext,PreparexContext,PrepareNamedContext,QueryxContext,QueryRowxContext,MustExecContext,NamedExecContext}',
      sql(1, 'db.QueryContext(ctx, "... = $1", value).'),
    ],
    ['*.{Query,Exec,QueryRow,SendBatch}', { ...sql(1, 'conn.Query(ctx, "... = $1", value).'), afterContext: true }],
    ['*.Prepare', { ...sql(2, 'conn.Query(ctx, "... = $1", value).'), afterContext: true }],
    ['*.{Get,Select}', { ...sql(1, 'db.Get(&row, "... = $1", value).'), unsure: true }],
    ['*.{GetContext,SelectContext}', sql(2, 'db.GetContext(ctx, &row, "... = $1", value).')],
    ['*.{Where,Or,Not,Having,Order,Joins,Group,Select}', { ...sql(0, GORM), unsure: true }],
    ['exec.Command', { kind: 'command', arg: 0, runs: 'program', remedy: SHELL_REMEDY }],
    ['exec.CommandContext', { kind: 'command', arg: 1, runs: 'program', remedy: SHELL_REMEDY }],
    ['syscall.Exec os.StartProcess', { kind: 'command', arg: 0, runs: 'program', remedy: SHELL_REMEDY }],
    [
      'os.{Open,ReadFile,Create,OpenFile,WriteFile,Remove,RemoveAll,Mkdir,MkdirAll,ReadDir,Stat,Rename,Lstat,Chmod} ioutil.{ReadFile,WriteFile,ReadDir}',
      { kind: 'path', arg: 0, remedy: PATH_REMEDY },
    ],
    [
      'http.ServeFile',
      {
        kind: 'path',
        arg: 2,
        remedy: 'Serve a folder with http.FileServerFS(root.FS()), or check filepath.IsLocal(name).',
      },
    ],
    ['{c,ctx,context}.{File,SendFile,Attachment,Inline,FileAttachment}', { kind: 'path', arg: 0, remedy: PATH_REMEDY }],
    ['{c,ctx,context}.SaveUploadedFile', { kind: 'path', arg: 1, remedy: PATH_REMEDY }],
    ['template.ParseFiles', { kind: 'path', arg: 0, remedy: PATH_REMEDY }],
  ],
  sanitizers: [
    [
      'strconv.{Atoi,ParseInt,ParseUint,ParseFloat,ParseBool,Itoa,FormatInt} len int int64 int32 uint uint64 float64 uuid.{Parse,MustParse,New,NewString} time.Parse net.ParseIP netip.ParseAddr *.Unix hex.EncodeToString',
      ALL,
    ],
    ['filepath.Base path.Base filepath.Ext path.Ext securejoin.SecureJoin', PATH],
    ['pq.{QuoteIdentifier,QuoteLiteral} pgx.Identifier *.Sanitize QuoteIdentifier', SQL],
    ['shellescape.{Quote,QuoteCommand} shellquote.Join', ['command']],
    ['url.{PathEscape,QueryEscape}', ['path', 'command']],
  ],
  numbers: `${common.numbers} strings.{HasPrefix,HasSuffix,Contains,Index,EqualFold,Count,Compare} *.{MatchString,Len}`,
  carriers: `*.{Get,Text,String,TrimSpace,Bytes,Clone,Values,FormValue,Value,Read,Data}
    strings.{TrimSpace,Trim,ToLower,ToUpper,Title,TrimPrefix,TrimSuffix,TrimLeft,TrimRight,Split,SplitN,Fields,ToValidUTF8,NewReader,Map} string append url.{QueryUnescape,PathUnescape,Parse} html.UnescapeString html.EscapeString bytes.{NewBufferString,NewReader} filepath.{FromSlash,ToSlash,Dir} path.Dir io.ReadAll ioutil.ReadAll *.{EncodeToString,DecodeString} json.Marshal json.NewDecoder xml.NewDecoder bufio.{NewReader,NewScanner}`,
  builders: 'fmt.{Sprintf,Sprint,Sprintln} strings.{Join,Replace,ReplaceAll,NewReplacer}',
  mutators: '*.{WriteString,Write,WriteByte}',
  normalizers: 'filepath.{Join,Clean,Abs,EvalSymlinks} path.{Join,Clean}',
  relatives: 'filepath.Rel',
  fills: [
    ['*.{Decode,DecodeElement} json.Unmarshal xml.Unmarshal yaml.Unmarshal fmt.Sscan fmt.Sscanf', null],
    [
      '*.{BindJSON,ShouldBindJSON,ShouldBind,BindQuery,ShouldBindQuery,ShouldBindUri,BindUri,BodyParser,QueryParser} {c,ctx,context}.Bind',
      'request',
    ],
    ['fmt.{Scan,Scanln,Scanf}', 'local'],
  ],
  exits: 'panic os.Exit log.{Fatal,Fatalf,Fatalln} t.{Fatal,Fatalf}',
  memberFunctions: 'slices.Contains strings.Contains lo.Contains strings.ContainsAny contains',
  prefixes: 'strings.HasPrefix',
  patternTests: '*.{MatchString,Match} regexp.MatchString',
  replacers: '*.{ReplaceAllString,ReplaceAllLiteralString}',
  pathTests: 'filepath.IsLocal fs.ValidPath',
  freeNames: /^[a-z][A-Za-z0-9]*$/,
  services: new RegExp(
    `${common.services.source}|^(nil|true|false|iota|tableName|table|columns|placeholders|string|byte|int|error)$`,
    'i',
  ),
};
