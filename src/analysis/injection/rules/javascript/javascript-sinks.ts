import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const QUERY = "db.query('... WHERE id = $1', [id]).";
const KNEX = "knex.raw('... = ?', [value]).";
const PATH_SINK = pathSink('path.basename(name), or path.resolve(root, name) and startsWith(root + path.sep).');
const COMMAND_SINK = commandSink("execFile('ls', ['--', name]), without the option shell.");
const CHILD_PROCESS = '{child_process,cp,childProcess,proc}';
const FS = '{fs,promises,fsp,fsPromises,fse}';

const SQL: Rules['sinks'] = [
  [
    '*.{query,execute,queryRaw,executeRaw,batch,queryStream,queryAsync,executeAsync,createQueryJob,simpleQuery}',
    possibleSqlSink(QUERY),
  ],
  [
    '*.{raw,selectRaw,fromRaw,whereRaw,orWhereRaw,havingRaw,orHavingRaw,orderByRaw,groupByRaw,joinRaw,andWhereRaw,distinctRaw}',
    possibleSqlSink(KNEX),
  ],
  [
    '*.{whereRaw,orWhereRaw,andWhereRaw,havingRaw,orHavingRaw,orderByRaw,groupByRaw,joinRaw,fromRaw,selectRaw} objection.raw core.raw knex.raw',
    sqlSink("whereRaw('name = ?', [name])."),
  ],
  [
    '*.{$queryRawUnsafe,$executeRawUnsafe,$queryRaw,$executeRaw} Prisma.raw',
    sqlSink('the tagged template prisma.$queryRaw`... ${value}`.'),
  ],
  [
    'Sequelize.literal sequelize.literal *.sequelize.literal literal sql.raw sql.unsafe',
    sqlSink('replacements or a where object.'),
  ],
  [
    '*.{all,get,run,each,any,one,none,many,oneOrNone,manyOrNone,unsafe,result,multi,iterate}',
    possibleSqlSink("db.all('... = ?', [value])."),
  ],
  ['*.exec', sqlSink('a prepared statement.', { needsSqlEvidence: 'text' })],
  ['*.prepare', possibleSqlSink("db.prepare('... = ?').all(value).", { isHeld: true })],
  [
    'prepare().{all,get,run,iterate,pluck}',
    sqlSink("db.prepare('... = ?').all(value).", { argument: 'receiver', members: [] }),
  ],
  [
    '*.{where,andWhere,orWhere,having,andHaving,orHaving,orderBy,addOrderBy,groupBy,addGroupBy,select,addSelect,createQueryBuilder,addFrom}',
    possibleSqlSink("where('user.name = :name', { name })."),
  ],
  [
    '*.{leftJoin,innerJoin,leftJoinAndSelect,innerJoinAndSelect,leftJoinAndMapOne,leftJoinAndMapMany}',
    possibleSqlSink("leftJoin('user.posts', 'post', 'post.title = :title', { title }).", { argument: 2 }),
  ],
  ['*.{executeSql,execute_sql} alasql', sqlSink("executeSql('... = ?', [value]).")],
  ['new Request', possibleSqlSink("request.addParameter('name', TYPES.NVarChar, name).")],
  [
    'new {ExecuteStatementCommand,StartQueryExecutionCommand,BatchExecuteStatementCommand} *.{executeStatement,startQueryExecution}',
    sqlSink('Parameters of the statement.'),
  ],
];

const COMMANDS: Rules['sinks'] = [
  [
    `${CHILD_PROCESS}.{exec,execSync} exec execSync shell.exec shelljs.exec execAsync execPromise execaCommand execaCommandSync execa.{command,commandSync,execaCommand,execaCommandSync}
     {conn,ssh,sshClient,ssh2,sshConnection}.exec *.execCommand cmd.{run,runSync} sudo.exec sudo-prompt.exec`,
    COMMAND_SINK,
  ],
  [
    `${CHILD_PROCESS}.{spawn,spawnSync,execFile,execFileSync,fork} spawn spawnSync execFile execFileSync fork execFileAsync execa execaSync execa.{execa,execaSync,sync,node} Deno.run new Command Bun.{spawn,spawnSync} pty.spawn cross-spawn.{spawn,sync} spawn.sync`,
    { ...COMMAND_SINK, execution: 'optional' },
  ],
];

const PATHS: Rules['sinks'] = [
  [
    `${FS}.{readFile,readFileSync,writeFile,writeFileSync,appendFile,appendFileSync,createReadStream,createWriteStream,unlink,unlinkSync,open,openSync,openAsBlob,opendir,opendirSync,rm,rmSync,rmdir,rmdirSync,readdir,readdirSync,stat,statSync,lstat,lstatSync,access,accessSync,exists,existsSync,copyFile,copyFileSync,rename,renameSync,cp,cpSync,mkdir,mkdirSync,chmod,chmodSync,truncate,truncateSync,symlink,readlink,readlinkSync,watch,readJson,readJsonSync,readJSON,writeJson,writeJsonSync,outputJson,remove,removeSync,outputFile,outputFileSync,ensureDir,ensureFile,emptyDir,move,moveSync,copy,copySync,pathExists}
     readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream unlink unlinkSync readdir readdirSync rm rmSync rmdir mkdir stat statSync access existsSync opendir readFileAsync unlinkAsync writeFileAsync
     Bun.{file,write} Deno.{readFile,readFileSync,readTextFile,readTextFileSync,writeFile,writeTextFile,remove,open,readDir,mkdir,copyFile,rename,stat}`,
    PATH_SINK,
  ],
  [
    '{res,resp,response,Response,rs,status(),type(),set(),header(),attachment()}.{sendFile,sendfile}',
    {
      ...PATH_SINK,
      safeOption: 'root',
      remediation: 'Pass the option root: res.sendFile(name, { root }); a path cannot leave it.',
    },
  ],
  [
    '{res,resp,response,Response,reply,status()}.download',
    {
      ...PATH_SINK,
      safeOption: 'root',
      remediation: 'Pass the option root: res.download(name, { root }); a path cannot leave it.',
    },
  ],
  [
    `${FS}.{copyFile,copyFileSync,rename,renameSync,cp,cpSync,copy,copySync,move,moveSync,symlink,link} copyFile rename`,
    { ...PATH_SINK, argument: 1 },
  ],
  ['*.{mv,toFile} {ejs,pug,nunjucks,hbs,eta,Eta,mustache}.{renderFile,compileFile} process.chdir', PATH_SINK],
  ['{archive,archiver()}.{file,directory,glob} new AdmZip {XLSX,xlsx}.readFile', PATH_SINK],
  ['require import', { ...PATH_SINK, remediation: 'Choose modules from a table of those that may be loaded.' }],
  [
    '{res,response}.render',
    { ...PATH_SINK, remediation: 'Choose the template from a table of those that may be shown.' },
  ],
];

export const javascriptSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
