import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const STD = 'db.Query("... WHERE id = $1", id).';
const GORM = 'db.Where("name = ?", name).';
const PATH_SINK = pathSink('filepath.Base(name), filepath.IsLocal(name), or os.OpenInRoot(root, name).');
const COMMAND_SINK = commandSink('exec.Command("ls", "--", name), not "sh", "-c".');
/** Roots and file systems that keep paths inside. */
const CONFINED = /(^|\.)(root|Root|os\.OpenRoot\(\)|fsys|DirFS\(\))$/;

const SQL: Rules['sinks'] = [
  [
    '*.{Query,Exec,QueryRow,Queryx,QueryRowx,MustExec,Raw,NamedExec,NamedQuery,PrepareNamed,RawQuery,QueryOne,ExecOne,NewRaw,SQL,Sql,SelectInt,SelectStr,SelectFloat,SelectNullInt,SelectNullStr,Prep,PrepareTransient,ExecScript,QueryString,QueryInterface,SelectBySql,UpdateBySql,InsertBySql,DeleteBySql,Queue}',
    possibleSqlSink(STD),
  ],
  ['*.{Prepare,Preparex}', possibleSqlSink(STD, { isHeld: true })],
  [
    '{Prepare(),Preparex(),PrepareContext()}.{Query,QueryRow,Exec,QueryContext,QueryRowContext,ExecContext,Get,Select}',
    sqlSink(STD, { argument: 'receiver', members: [] }),
  ],
  [
    '*.{QueryContext,ExecContext,QueryRowContext,PrepareContext,PreparexContext,PrepareNamedContext,QueryxContext,QueryRowxContext,MustExecContext,NamedExecContext,NamedQueryContext,ExecParams,PrepareBatch} {sqlx}.{NamedExec,NamedQuery} sqlitex.{Exec,Execute,ExecuteTransient,ExecScript,ExecuteScript}',
    sqlSink('db.QueryContext(ctx, "... = $1", value).', { argument: 1 }),
  ],
  [
    '*.{Query,Exec,QueryRow,QueryFunc,SendBatch}',
    sqlSink('conn.Query(ctx, "... = $1", value).', { argument: 1, afterContext: true }),
  ],
  ['*.Prepare', sqlSink('conn.Query(ctx, "... = $1", value).', { argument: 2, afterContext: true })],
  ['sqlx.{Get,Select}', sqlSink('sqlx.Get(db, &row, "... = $1", value).', { argument: 2 })],
  [
    'sqlx.{GetContext,SelectContext} {pgxscan,sqlscan,scan}.{Get,Select}',
    sqlSink('pgxscan.Get(ctx, db, &row, "... = $1", value).', { argument: 3 }),
  ],
  [
    '*.Select',
    sqlSink('conn.Select(ctx, &rows, "... = $1", value).', {
      argument: 2,
      afterContext: true,
      needsSqlEvidence: 'text',
    }),
  ],
  // A statement in a struct: Athena, DynamoDB, the data API of RDS, Spanner.
  [
    '*.{StartQueryExecution,ExecuteStatement,ExecuteStatementWithContext}',
    sqlSink('ExecutionParameters, or Parameters, beside the statement.', { argument: 1 }),
  ],
  ['spanner.NewStatement', sqlSink('spanner.Statement{SQL: "... = @a", Params: values}.')],
  [
    '*.{Get,Select,Query,QueryOne,Raw,SelectOne,GetAll,GetOne,GetScan,GetArray,FilterRaw}',
    sqlSink('db.Get(&row, "... = $1", value).', { argument: 1, needsSqlEvidence: 'text' }),
  ],
  ['*.{GetContext,SelectContext}', sqlSink('db.GetContext(ctx, &row, "... = $1", value).', { argument: 2 })],
  // gorm, go-pg, bun, xorm, squirrel, goqu.
  [
    '*.{Where,WhereOr,Or,Not,Having,OrderBy,OrderByClause,OrderExpr,Joins,InnerJoins,Join,LeftJoin,InnerJoin,RightJoin,JoinClause,GroupBy,GroupExpr,Select,ColumnExpr,TableExpr,ModelTableExpr,From,Distinct,Pluck,Suffix,Prefix,And,Set,For,Returning,Cols}',
    possibleSqlSink(GORM, { unlessReceiver: /^(?:strings|path|filepath|bytes|errors)$/ }),
  ],
  // Bun quotes names.
  [
    '*.{Order,Group,Column,Columns,Table}',
    possibleSqlSink(GORM, { unlessReceiver: /\bNew(?:Select|Update|Delete|Insert)\(\)/ }),
  ],
  ['*.{Find,First,Last,Take,Delete,FirstOrCreate,FirstOrInit}', possibleSqlSink(GORM, { argument: 1 })],
  [
    'gorm.Expr {sq,squirrel}.{Expr,Where,Select,Update,Delete,Insert,Replace} {goqu}.{L,Literal} {pg,bun,orm}.{Safe,SafeQuery,Q} {sql,entsql}.{Raw,ExprP,Expr} {sqlbuilder,qm}.{Raw,Where,And,Or,OrderBy,SQL,InnerJoin,LeftOuterJoin,RightOuterJoin,GroupBy,Having,Select,From,With} clause.Expr queries.Raw',
    sqlSink('squirrel.Expr("name = ?", name).'),
  ],
];

const COMMANDS: Rules['sinks'] = [
  [
    '{exec,execabs,safeexec,sh}.Command sh.{Run,RunV,Output} cmd.NewCmd new Cmd new exec.Cmd',
    { ...COMMAND_SINK, execution: 'program' },
  ],
  [
    '{exec,execabs,safeexec}.CommandContext sh.{RunWith,RunWithV,OutputWith}',
    { ...COMMAND_SINK, argument: 1, execution: 'program' },
  ],
  ['syscall.{Exec,ForkExec,StartProcess} os.StartProcess unix.Exec', { ...COMMAND_SINK, execution: 'program' }],
  [
    '{session,sess,sshSession,Session,NewSession()}.{Run,Output,CombinedOutput,Start} {client,sshClient}.{Cmd,Script} {sshClient,goph.New(),goph.NewUnknown(),winrm.NewClient(),Client}.{RunScript,RunWithString,RunPSWithString} {sshClient,goph.New(),goph.NewUnknown(),winrm.NewClient()}.{Run,Command} MakeConfig.{Run,Stream}',
    COMMAND_SINK,
  ],
  ['script.Exec', COMMAND_SINK],
  [
    'new:Cmd().{Run,Start,Output,CombinedOutput}',
    {
      ...COMMAND_SINK,
      argument: 'receiver',
      members: [],
      commandMembers: { program: 'Path', list: 'Args' },
      onlyMembers: true,
    },
  ],
  // What runs in a container.
  ...(
    [
      ['*.{ContainerExecCreate,ExecCreate}', 2],
      ['*.ContainerCreate', 1],
    ] as const
  ).map(([patterns, argument]): Rules['sinks'][number] => [
    patterns,
    { ...COMMAND_SINK, argument, members: [], commandMembers: { program: 'Cmd', list: 'Cmd' }, onlyMembers: true },
  ]),
  [
    '*.{RunWithContext,RunCmdWithContext,RunPSWithContext} {sshClient,goph.New(),goph.NewUnknown()}.RunContext',
    { ...COMMAND_SINK, argument: 1 },
  ],
];

const PATHS: Rules['sinks'] = [
  [
    `os.{Open,ReadFile,Create,OpenFile,WriteFile,Remove,RemoveAll,Mkdir,MkdirAll,ReadDir,Stat,Rename,Lstat,Chmod,Chown,Truncate,Symlink,Link,Readlink,Chdir,MkdirTemp,CreateTemp,Chtimes,Lchown,CopyFS,DirFS} ioutil.{ReadFile,WriteFile,ReadDir,TempFile,TempDir} syscall.{Open,Unlink} zip.OpenReader filepath.{Walk,WalkDir,Glob}
     template.{ParseFiles,ParseGlob,Must.ParseFiles} *.ParseFiles excelize.OpenFile imaging.Open http.Dir gg.{LoadImage,LoadPNG,LoadJPG,SavePNG,SaveJPG} godotenv.{Load,Read,Overload} toml.DecodeFile ini.Load viper.SetConfigFile plugin.Open tls.LoadX509KeyPair {bolt,bbolt}.Open leveldb.OpenFile {renameio,atomic}.WriteFile {copy,cp,otiai10}.Copy archiver.{Unarchive,Extract} {ServerConn}.{Retr,Stor,Delete}
     {sftpClient,sftp.NewClient()}.{Open,Create,OpenFile,Remove,Rename,Mkdir,MkdirAll,ReadDir,Stat} NewOsFs().{Open,Create,OpenFile,Remove,RemoveAll,Mkdir,MkdirAll,Rename,Stat} Output.Download *.RenderFileName`,
    { ...PATH_SINK, unlessReceiver: CONFINED },
  ],
  [
    'os.{Rename,Symlink,Link} {copy,cp}.Copy archiver.Unarchive imaging.Save fasthttp.{ServeFile,SaveMultipartFile} *.SaveToFile',
    { ...PATH_SINK, argument: 1 },
  ],
  ['afero.{ReadFile,WriteFile} {afero}.{Exists,ReadDir}', { ...PATH_SINK, argument: 1 }],
  [
    'http.ServeFile',
    {
      ...PATH_SINK,
      argument: 2,
      remediation: 'Serve a folder with http.FileServerFS(root.FS()), or check filepath.IsLocal(name).',
    },
  ],
  [
    '{c,ctx,context,Context,Ctx}.{File,SendFile,Attachment,Inline,FileAttachment,Download,ServeFile,UploadFormFiles}',
    PATH_SINK,
  ],
  ['{c,ctx,context,Context,Ctx}.{SaveUploadedFile,SaveFile,SaveFormFile}', { ...PATH_SINK, argument: 1 }],
];

export const goSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
