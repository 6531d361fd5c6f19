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
    '*.{Query,Exec,QueryRow,Queryx,QueryRowx,MustExec,Raw,NamedExec,NamedQuery,PrepareNamed,RawQuery,QueryOne,ExecOne,NewRaw,SQL,QueryString,QueryInterface,SelectBySql,UpdateBySql,InsertBySql,DeleteBySql,Queue}',
    possibleSqlSink(STD),
  ],
  ['*.{Prepare,Preparex}', possibleSqlSink(STD, { isHeld: true })],
  [
    '{Prepare(),Preparex(),PrepareContext()}.{Query,QueryRow,Exec,QueryContext,QueryRowContext,ExecContext,Get,Select}',
    sqlSink(STD, { argument: 'receiver', members: [] }),
  ],
  [
    '*.{QueryContext,ExecContext,QueryRowContext,PrepareContext,PreparexContext,PrepareNamedContext,QueryxContext,QueryRowxContext,MustExecContext,NamedExecContext,NamedQueryContext}',
    sqlSink('db.QueryContext(ctx, "... = $1", value).', { argument: 1 }),
  ],
  [
    '*.{Query,Exec,QueryRow,QueryFunc,SendBatch}',
    sqlSink('conn.Query(ctx, "... = $1", value).', { argument: 1, afterContext: true }),
  ],
  ['*.Prepare', sqlSink('conn.Query(ctx, "... = $1", value).', { argument: 2, afterContext: true })],
  [
    '*.{Get,Select,Query,QueryOne,Raw}',
    sqlSink('db.Get(&row, "... = $1", value).', { argument: 1, needsSqlEvidence: 'text' }),
  ],
  ['*.{GetContext,SelectContext}', sqlSink('db.GetContext(ctx, &row, "... = $1", value).', { argument: 2 })],
  // gorm, go-pg, bun, xorm, squirrel, goqu.
  [
    '*.{Where,WhereOr,Or,Not,Having,Order,OrderBy,OrderByClause,OrderExpr,Joins,Join,LeftJoin,InnerJoin,RightJoin,JoinClause,Group,GroupBy,GroupExpr,Select,Column,Columns,ColumnExpr,TableExpr,ModelTableExpr,Table,From,Distinct,Pluck,Suffix,Prefix,And,Set,For,Returning,Cols}',
    possibleSqlSink(GORM, { unlessReceiver: /^(?:strings|path|filepath|bytes|errors)$/ }),
  ],
  ['*.{Find,First,Last,Take,Delete,FirstOrCreate,FirstOrInit}', possibleSqlSink(GORM, { argument: 1 })],
  [
    'gorm.Expr {sq,squirrel}.{Expr,Where,Select} {goqu}.{L,Literal} {pg,bun,orm}.{Safe,SafeQuery,Q} {sql,entsql}.{Raw,ExprP,Expr} {sqlbuilder,qm}.{Raw,Where,And,Or,OrderBy,SQL} clause.Expr queries.Raw',
    sqlSink('squirrel.Expr("name = ?", name).'),
  ],
];

const COMMANDS: Rules['sinks'] = [
  ['exec.Command new Cmd new exec.Cmd', { ...COMMAND_SINK, execution: 'program' }],
  ['exec.CommandContext', { ...COMMAND_SINK, argument: 1, execution: 'program' }],
  ['syscall.{Exec,ForkExec,StartProcess} os.StartProcess unix.Exec', { ...COMMAND_SINK, execution: 'program' }],
  [
    '{session,sess,sshSession,Session,NewSession()}.{Run,Output,CombinedOutput,Start} {client,sshClient}.{Cmd,Script}',
    COMMAND_SINK,
  ],
  ['script.Exec sh.Command', COMMAND_SINK],
];

const PATHS: Rules['sinks'] = [
  [
    `os.{Open,ReadFile,Create,OpenFile,WriteFile,Remove,RemoveAll,Mkdir,MkdirAll,ReadDir,Stat,Rename,Lstat,Chmod,Chown,Truncate,Symlink,Link,Readlink,Chdir} ioutil.{ReadFile,WriteFile,ReadDir} syscall.{Open,Unlink} zip.OpenReader filepath.{Walk,WalkDir,Glob}
     template.{ParseFiles,ParseGlob,Must.ParseFiles} *.ParseFiles excelize.OpenFile imaging.Open`,
    { ...PATH_SINK, unlessReceiver: CONFINED },
  ],
  ['os.{Rename,Symlink,Link}', { ...PATH_SINK, argument: 1 }],
  ['afero.{ReadFile,WriteFile} {afero}.{Exists,ReadDir}', { ...PATH_SINK, argument: 1 }],
  [
    'http.ServeFile',
    {
      ...PATH_SINK,
      argument: 2,
      remediation: 'Serve a folder with http.FileServerFS(root.FS()), or check filepath.IsLocal(name).',
    },
  ],
  ['{c,ctx,context,Context,Ctx}.{File,SendFile,Attachment,Inline,FileAttachment,Download,ServeFile}', PATH_SINK],
  ['{c,ctx,context,Context,Ctx}.{SaveUploadedFile,SaveFile,UploadFormFiles}', { ...PATH_SINK, argument: 1 }],
];

export const goSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
