import { commandSink, pathSink, possibleSqlSink, sqlSink } from '../common.ts';
import type { Rules } from '../rules.ts';

const QUERY = "db.query('... WHERE id = $1', [id]).";
const KNEX = "knex.raw('... = ?', [value]).";
const PATH_SINK = pathSink('path.basename(name), or path.resolve(root, name) and startsWith(root + path.sep).');
const COMMAND_SINK = commandSink("execFile('ls', ['--', name]), without the option shell.");
const CHILD_PROCESS = '{child_process,cp,childProcess,proc}';
const FS = '{fs,promises,fsp,fsPromises,fse}';

/** Query builders of Knex and Kysely, which take names of columns and quote them. */
const QUOTES_NAMES = /(?:^|\.)(?:knex|db|trx|selectFrom|updateTable|deleteFrom)\(\)/;

const SQL: Rules['sinks'] = [
  [
    '*.{query,execute,queryRaw,executeRaw,batch,queryStream,queryAsync,executeAsync,executeMany,executeMultiple,createQueryJob,simpleQuery,rawQuery,runAndRead,runAndReadAll,streamAndRead,eachRow,oneFirst,manyFirst,maybeOne,execAsync,runAsync,getAllAsync,getFirstAsync,getEachAsync,pragma}',
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
  [
    '*.{exec,stream,command,sql} raw new {Cursor,QueryStream,Query,pg.Query} copyTo copyFrom pg-copy-streams.{to,from}',
    sqlSink('a prepared statement.', { needsSqlEvidence: 'text' }),
  ],
  ['*.prepare', possibleSqlSink("db.prepare('... = ?').all(value).", { isHeld: true })],
  [
    'prepare().{all,get,run,iterate,pluck}',
    sqlSink("db.prepare('... = ?').all(value).", { argument: 'receiver', members: [] }),
  ],
  [
    '*.{where,andWhere,orWhere,having,andHaving,orHaving,orderBy,addOrderBy,groupBy,addGroupBy,select,addSelect,createQueryBuilder,addFrom}',
    possibleSqlSink("where('user.name = :name', { name }).", { unlessReceiver: QUOTES_NAMES }),
  ],
  [
    '*.{leftJoin,innerJoin,leftJoinAndSelect,innerJoinAndSelect,leftJoinAndMapOne,leftJoinAndMapMany}',
    possibleSqlSink("leftJoin('user.posts', 'post', 'post.title = :title', { title }).", { argument: 2 }),
  ],
  ['*.{executeSql,execute_sql,sendNativeQuery} alasql squel.{str,rstr}', sqlSink("executeSql('... = ?', [value]).")],
  ['new Request', possibleSqlSink("request.addParameter('name', TYPES.NVarChar, name).")],
  [
    'new {ExecuteStatementCommand,StartQueryExecutionCommand,BatchExecuteStatementCommand} *.{executeStatement,startQueryExecution}',
    sqlSink('Parameters of the statement.'),
  ],
];

const COMMANDS: Rules['sinks'] = [
  [
    `${CHILD_PROCESS}.{exec,execSync} exec execSync shell.exec shelljs.exec execAsync execPromise execaCommand execaCommandSync execa.{command,commandSync,execaCommand,execaCommandSync}
     {conn,ssh,sshClient,ssh2,sshConnection}.exec *.execCommand cmd.{run,runSync,get} sudo.exec sudo-prompt.exec execSh exec-sh exec-sh.promise {npmRun,npm-run}.{exec,execSync} concurrently concurrently.default {ps,powershell}.{addCommand,invoke} {new:SSH2Promise(),new:NodeSSH()}.exec`,
    COMMAND_SINK,
  ],
  [
    `${CHILD_PROCESS}.{spawn,spawnSync,execFile,execFileSync,fork} spawn spawnSync execFile execFileSync fork execFileAsync execa execaSync execa.{execa,execaSync,sync,node} Deno.run new Command Bun.{spawn,spawnSync} pty.spawn {cross-spawn,crossSpawn}.{spawn,sync} crossSpawn spawn.sync tinyexec.{x,exec}`,
    { ...COMMAND_SINK, execution: 'optional' },
  ],
  ['process.execve', { ...COMMAND_SINK, execution: 'program' }],
  ['docker.run', { ...COMMAND_SINK, argument: 1, execution: 'program' }],
  ['{exec,k8sExec,new:Exec()}.exec', { ...COMMAND_SINK, argument: 3, execution: 'program' }],
  // The list begins with the program.
  ...(
    [
      ['Deno.run Bun.{spawn,spawnSync}', 'cmd'],
      ['{container,docker}.{exec,createContainer}', 'Cmd'],
    ] as const
  ).map(([patterns, list]): Rules['sinks'][number] => [
    patterns,
    { ...COMMAND_SINK, members: [], commandMembers: { program: list, list } },
  ]),
];

/** What is in memory, instead of a path. */
const CONTENT_VALUES = /\.(?:data|body|content|file|stream)$|buffer|Readable|\bBlob\b|\.blob\(\)$/i;

const PATHS: Rules['sinks'] = [
  [
    `${FS}.{readFile,readFileSync,writeFile,writeFileSync,appendFile,appendFileSync,createReadStream,createWriteStream,unlink,unlinkSync,open,openSync,openAsBlob,opendir,opendirSync,rm,rmSync,rmdir,rmdirSync,readdir,readdirSync,stat,statSync,lstat,lstatSync,access,accessSync,exists,existsSync,copyFile,copyFileSync,rename,renameSync,cp,cpSync,mkdir,mkdirSync,chmod,chmodSync,truncate,truncateSync,symlink,readlink,readlinkSync,watch,readJson,readJsonSync,readJSON,writeJson,writeJsonSync,outputJson,remove,removeSync,outputFile,outputFileSync,ensureDir,ensureFile,emptyDir,move,moveSync,copy,copySync,pathExists,pathExistsSync,watchFile,utimes,utimesSync,chown,chownSync,link,linkSync,symlinkSync,glob,globSync,mkdtemp,mkdtempSync,mkdirp,mkdirpSync,mkdirs,mkdirsSync,ensureDirSync,ensureFileSync,emptyDirSync,outputJsonSync,outputJSON,writeJSON,writeJSONSync,readJSONSync}
     readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream unlink unlinkSync readdir readdirSync rm rmSync rmdir mkdir stat statSync access existsSync opendir readFileAsync unlinkAsync writeFileAsync
     Bun.{file,write} Deno.{readFile,readFileSync,readTextFile,readTextFileSync,writeFile,writeFileSync,writeTextFile,writeTextFileSync,remove,removeSync,open,openSync,create,createSync,readDir,readDirSync,mkdir,mkdirSync,copyFile,copyFileSync,rename,renameSync,stat,statSync,lstat,lstatSync,chmod,truncate}
     glob globSync glob.{glob,globSync,globStream,sync} fg fast-glob {fg,fast-glob}.{sync,glob,async,stream} globby globby.{globby,globbySync} tinyglobby.{glob,globSync} rimraf rimraf.{rimraf,rimrafSync,sync} del del.{sync,deleteAsync,deleteSync} mkdirp mkdirp.{mkdirp,mkdirpSync,sync} trash
     writeFileAtomic write-file-atomic write-file-atomic.sync loadJsonFile load-json-file.{loadJsonFile,loadJsonFileSync} jsonfile.{readFile,readFileSync,writeFile,writeFileSync} {jetpack,fs-jetpack}.{read,write,append,remove,list,inspect,createReadStream,createWriteStream,copy,move}`,
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
    `${FS}.{copyFile,copyFileSync,rename,renameSync,cp,cpSync,copy,copySync,move,moveSync,symlink,symlinkSync,link,linkSync} Deno.{copyFile,copyFileSync,rename,renameSync} copyFile rename`,
    { ...PATH_SINK, argument: 1 },
  ],
  ['*.{mv,toFile} {ejs,pug,nunjucks,hbs,eta,Eta,mustache}.{renderFile,compileFile} process.chdir', PATH_SINK],
  [
    '{archive,archiver()}.{file,directory,glob} {XLSX,xlsx}.readFile *.xlsx.writeFile Open.file yauzl.{open,openPromise} *.{extractAllTo,extractAllToAsync,addLocalFile,addLocalFolder,writeZip,fromFile} download.saveAs bucket.upload shell.openPath',
    PATH_SINK,
  ],
  [
    'new AdmZip sharp Jimp.read loadImage canvas.loadImage ffmpeg fluent-ffmpeg ffmpeg().{save,output,input} new {Database,DatabaseSync,sqlite3.Database} *.downloadTo',
    { ...PATH_SINK, ignoredValues: CONTENT_VALUES },
  ],
  [
    '{XLSX,xlsx}.{writeFile,writeFileSync,writeFileXLSX} *.extractEntryTo decompress extract-zip extract-zip.default file.move',
    { ...PATH_SINK, argument: 1 },
  ],
  ['shell.{rm,cat,cp,mv,ln,mkdir,ls,touch,cd,find,chmod}', { ...PATH_SINK, argument: 'all' }],
  // Files of another host, and what is read of or written to it.
  [
    'sftp.{get,delete,unlink,rename,readdir,list,mkdir,rmdir,readFile,writeFile,createReadStream,createWriteStream} *.{fastGet,fastPut}',
    PATH_SINK,
  ],
  ['sftp.{get,put,rename} *.{fastGet,fastPut}', { ...PATH_SINK, argument: 1 }],
  ...(
    [
      ['page.{screenshot,pdf} {unzipper,unzip}.Extract', ['path']],
      ['tar.{x,extract,t,list,c,create,r,replace,u,update}', ['file', 'f', 'cwd', 'C']],
      ['{file,file()}.download', ['destination']],
    ] as const
  ).map(([patterns, members]): Rules['sinks'][number] => [patterns, { ...PATH_SINK, members }]),
  ['*.sendMail', { ...PATH_SINK, members: ['attachments.path', 'attachments.href'], onlyMembers: true }],
  ['require import', { ...PATH_SINK, remediation: 'Choose modules from a table of those that may be loaded.' }],
  [
    '{res,response,ctx}.render reply.view',
    { ...PATH_SINK, remediation: 'Choose the template from a table of those that may be shown.' },
  ],
];

export const javascriptSinks: Rules['sinks'] = [...SQL, ...COMMANDS, ...PATHS];
