import { ALL, STMT_NAMES, commandSink, common, pathSink, possibleSqlSink, sqlSink, trustedNames } from './common.ts';
import type { Rules } from './rules.ts';

const PATH_SINK = pathSink('path.basename(name), or path.resolve(root, name) and startsWith(root + path.sep).');
const COMMAND_SINK = commandSink("execFile('ls', ['--', name]), without the option shell.");

export const javascriptRules: Rules = {
  ...common,
  preparedStatements: STMT_NAMES,
  sources: [
    [
      `{req,request}.{query,body,params,headers,cookies,signedCookies,url,originalUrl,path,files,rawBody,hostname,param,get,header,raw}
       {ctx,context,c}.{query,params,cookies} {ctx,context,c}.{req,request}.{query,body,param,params,queries,header,headers,parseBody,json,text,formData,rawBody,cookies,url}
       file.originalname {req,request}.nextUrl.searchParams {req,request}.{json,formData,text} searchParams.{get,getAll}
       event.{queryStringParameters,pathParameters,body,multiValueQueryStringParameters,headers,Records,arguments,rawPath,rawQueryString,detail}
       location.{search,hash,href} {request,req}.payload URLSearchParams`,
      'request',
    ],
    ['process.{argv,env} *.argv readline.question', 'local'],
  ],
  sinks: [
    ['*.{query,execute} *.{queryRaw,executeRaw}', possibleSqlSink("db.query('... WHERE id = $1', [id]).")],
    [
      '*.{raw,whereRaw,orWhereRaw,havingRaw,orderByRaw,groupByRaw,joinRaw,selectRaw,fromRaw}',
      possibleSqlSink("knex.raw('... = ?', [value])."),
    ],
    ['*.{whereRaw,orWhereRaw,havingRaw,orderByRaw,groupByRaw,joinRaw}', sqlSink("whereRaw('name = ?', [name]).")],
    [
      '*.{$queryRawUnsafe,$executeRawUnsafe} Prisma.raw',
      sqlSink('the tagged template prisma.$queryRaw`... ${value}`.'),
    ],
    ['Sequelize.literal sequelize.literal', sqlSink('replacements or a where object.')],
    [
      '*.{all,get,run,each,prepare,exec,any,one,none,many,oneOrNone,manyOrNone,unsafe}',
      possibleSqlSink("db.all('... = ?', [value])."),
    ],
    [
      '*.{where,andWhere,orWhere,having,orderBy,addSelect,createQueryBuilder}',
      possibleSqlSink("where('user.name = :name', { name })."),
    ],
    [
      'child_process.{exec,execSync} cp.{exec,execSync} childProcess.{exec,execSync} exec execSync shell.exec shelljs.exec execAsync execPromise execaCommand execa.{command,execaCommand,execaCommandSync} execaCommandSync',
      COMMAND_SINK,
    ],
    [
      'child_process.{spawn,spawnSync,execFile,execFileSync} cp.{spawn,spawnSync,execFile,execFileSync} childProcess.{spawn,spawnSync,execFile,execFileSync} spawn spawnSync execFile execFileSync execa execa.{execa,execaSync} Deno.run Bun.spawn',
      { ...COMMAND_SINK, execution: 'optional' },
    ],
    [
      'fs.{readFile,readFileSync,writeFile,writeFileSync,appendFile,appendFileSync,createReadStream,createWriteStream,unlink,unlinkSync,open,openSync,rm,rmSync,rmdir,readdir,readdirSync,stat,statSync,access,copyFile,rename,mkdir,mkdirSync,existsSync,readJson,readJsonSync,remove,outputFile} promises.{readFile,writeFile,appendFile,unlink,open,rm,readdir,stat,access,mkdir} fsp.{readFile,writeFile,unlink,open,rm,readdir,stat} readFile readFileSync writeFile writeFileSync createReadStream createWriteStream unlink unlinkSync readdirSync Bun.file Deno.{readFile,readTextFile}',
      PATH_SINK,
    ],
    [
      '*.{sendFile,sendfile}',
      {
        ...PATH_SINK,
        safeOption: 'root',
        remediation: 'Pass the option root: res.sendFile(name, { root }); a path cannot leave it.',
      },
    ],
    [
      '{res,response,reply}.download',
      {
        ...PATH_SINK,
        safeOption: 'root',
        remediation: 'Pass the option root: res.download(name, { root }); a path cannot leave it.',
      },
    ],
    ['{fs,promises,fsp}.{copyFile,rename,cp,copy,move}', { ...PATH_SINK, argument: 1 }],
    ['require', { ...PATH_SINK, remediation: 'Choose modules from a table of those that may be loaded.' }],
  ],
  sanitizers: [
    [
      'parseInt parseFloat Number BigInt Boolean Number.{parseInt,parseFloat} Math.{floor,round,max,min,abs,trunc,ceil} *.toFixed uuidv4 uuid randomUUID crypto.randomUUID Date Date.now new Date *.{digest,valueOf,getTime,toISOString}',
      ALL,
    ],
    ['encodeURIComponent slugify sanitizeFilename sanitize', ['path', 'command']],
    [
      '{mysql,mysql2,connection,conn,db,pool,sqlstring,SqlString,client,pg,pgFormat,format}.{escape,escapeId,escapeLiteral,escapeIdentifier,literal,ident} escapeLiteral escapeIdentifier',
      ['sql'],
    ],
    ['{mysql,mysql2,SqlString,sqlstring,connection,pool}.format', ['sql']],
    ['path.{basename,extname} basename extname path.posix.basename path.win32.basename', ['path']],
    [
      'shellQuote.quote shell-quote.quote shellescape shell-escape quote shescape.{quote,escape} shellEscape',
      ['command'],
    ],
    ['*.{hash,createHash}', ALL],
  ],
  scalarResults: `${common.scalarResults} *.{includes,startsWith,endsWith,test,has,some,every,charCodeAt,search,localeCompare,isArray} Array.isArray Object.keys`,
  propagators: `*.{trim,trimStart,trimEnd,toString,toLowerCase,toUpperCase,substring,substr,slice,split,at,charAt,normalize,padStart,padEnd,repeat,reverse,sort,flat,flatMap,map,filter,pop,shift,values,entries,find,toWellFormed,get,json,text}
    String Buffer.from decodeURIComponent decodeURI unescape atob btoa JSON.{stringify,parse} Object.{values,entries,assign,fromEntries} Array.from new {URL,String,URLSearchParams,TextEncoder,TextDecoder,Uint8Array} URL.parse *.{encode,decode} btoa atob he.{encode,decode} url.fileURLToPath path.{dirname} Promise.resolve structuredClone querystring.{parse,unescape} qs.parse url.parse lodash.{trim,toString,get} _.{trim,toString,get} fileURLToPath`,
  concatenators: '*.{concat,join} util.format format sprintf vsprintf String.raw',
  appenders: '*.{push,unshift,append}',
  listConstructors: 'Array.of new {Array,Set,Map}',
  pathNormalizers:
    'path.{join,resolve,normalize} path.posix.{join,resolve,normalize} join resolve normalize fs.{realpath,realpathSync} promises.realpath realpathSync',
  relativePaths: 'path.relative relative',
  terminators: 'process.exit',
  requestHandlers: '{ipcMain}.{handle,on} {socket,ws,client,wss,connection}.on',
  membershipMethods: '*.{includes,has,contains,hasOwnProperty}',
  membershipFunctions: 'Object.hasOwn _.includes',
  prefixTests: '*.startsWith',
  patternTests: '*.{test,match,exec}',
  fullMatchTests: 'validator.{matches,isAlphanumeric,isAlpha}',
  patternReplacers: '*.{replace,replaceAll}',
  typeTests:
    'Number.{isInteger,isSafeInteger,isFinite} isInteger validator.{isInt,isUUID,isNumeric,isMongoId,isAlphanumeric,isAlpha} isUUID uuidValidate isInt isValidUUID',
  pathTests: 'isPathInside pathIsInside isInside isSubPath',
  moduleAliases: {
    'fs-extra': 'fs',
    'graceful-fs': 'fs',
    'fs/promises': 'fs',
    shelljs: 'shell',
    'child-process-promise': 'child_process',
    execa: 'execa',
    'cross-spawn': 'spawn',
    'sanitize-filename': 'sanitizeFilename',
    'path/posix': 'path',
  },
  requestParameterAnnotation: /@(Query|Param|Body|Headers|Req|QueryParam|BodyParam|CookieParam|Cookies|HeaderParam)\b/,
  freeVariables: /^[a-z][A-Za-z0-9]*$|^[a-z]+(_[a-z0-9]+)+$/,
  trustedNames: trustedNames(
    'window|document|process|console|module|exports|global|globalThis|undefined|arguments|table|tableName|columns|placeholders|navigator|location|performance',
  ),
};
