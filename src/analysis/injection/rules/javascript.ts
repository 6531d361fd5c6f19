import { ALL, STMT_NAMES, common, trustedNames, trustedTypes } from './common.ts';
import { javascriptSinks } from './javascript/javascript-sinks.ts';
import {
  JAVASCRIPT_HANDLERS,
  JAVASCRIPT_FUNCTION_ANNOTATION,
  JAVASCRIPT_PARAMETER_ANNOTATION,
  JAVASCRIPT_RESOLVER_PARAMETER,
  javascriptSources,
} from './javascript/javascript-sources.ts';
import type { Rules } from './rules.ts';

export const javascriptRules: Rules = {
  ...common,
  preparedStatements: STMT_NAMES,
  sources: javascriptSources,
  sinks: javascriptSinks,
  bindings: [
    [
      '*.{query,execute,all,get,each,any,one,none,many,oneOrNone,manyOrNone}',
      { placeholder: 'driver', values: 'array' },
    ],
    ['*.{whereRaw,orWhereRaw,andWhereRaw,havingRaw,joinRaw} knex.raw', { placeholder: '?', values: 'array' }],
  ],
  fixes: {
    baseName: [
      { before: 'path.basename(', after: ')', needs: 'path' },
      { before: 'basename(', after: ')', needs: 'basename' },
    ],
    shellWord: [],
    drivers: [
      [/['"](?:pg|pg-pool|pg-promise|postgres)['"]/, '$1'],
      [/['"](?:mysql2?(?:\/promise)?|mariadb|better-sqlite3|sqlite3?|node:sqlite)['"]/, '?'],
    ],
    list: ['[', ']'],
  },
  sanitizers: [
    [
      'parseInt parseFloat Number BigInt Boolean Number.{parseInt,parseFloat} Math.{floor,round,max,min,abs,trunc,ceil} *.toFixed uuidv4 uuid randomUUID crypto.randomUUID Date Date.now new Date *.{digest,getTime,toISOString,toInt,toFloat} validator.{toInt,toFloat} toInt nanoid v4 uuid.{v1,v3,v4,v5,v7} uuidv1 uuidv3 uuidv5 uuidv7 new {ObjectId,ObjectID,mongoose.Types.ObjectId,Types.ObjectId} ObjectId.createFromHexString dayjs dayjs.{utc,tz,unix} moment moment.{utc,tz,unix} DateTime.{fromISO,fromFormat,fromMillis,fromSeconds,fromSQL,fromRFC2822} parseISO date-fns.{parseISO,parse,format,formatISO} {_,lodash}.{toInteger,toNumber,toFinite,toSafeInteger,clamp} {_,lodash,change-case}.{kebabCase,camelCase,snakeCase,startCase} kebabCase camelCase snakeCase',
      ALL,
    ],
    ['encodeURIComponent slugify sanitizeFilename sanitize filenamify', ['path', 'command']],
    [
      '{mysql,mysql2,connection,conn,db,pool,sqlstring,SqlString,client,pg,pgFormat,format}.{escape,escapeId,escapeLiteral,escapeIdentifier,literal,ident} escapeLiteral escapeIdentifier *.{escapeId,escapeIdentifier,escapeLiteral} as.{format,name,alias,text,json,array,csv} sql.{ref,id,table,identifier} drizzle-orm.{eq,ne,gt,gte,lt,lte,like,notLike,ilike,notIlike,inArray,notInArray,between,notBetween,arrayContains,arrayContained,arrayOverlaps,and,or,not} eq ne gte lte ilike notLike notIlike inArray notInArray',
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
  // A field of a request may be called `size` or `count`.
  scalarResults: `*.{length,byteLength,indexOf,lastIndexOf} {Map,Set,new:Map(),new:Set(),file,files,stat,stats}.size file.path {req,request}.file.filename {files,files.*}.{path,filename} *.{filepath,tempFilePath,newFilename} *.{includes,startsWith,endsWith,test,has,some,every,charCodeAt,search,localeCompare,isArray} Array.isArray`,
  propagators: `*.{trim,trimStart,trimEnd,toString,toLowerCase,toUpperCase,substring,substr,slice,split,at,charAt,normalize,padStart,padEnd,repeat,reverse,sort,flat,flatMap,map,filter,pop,shift,values,entries,find,toWellFormed,get,json,text}
    String Buffer.from decodeURIComponent decodeURI encodeURI escape unescape atob btoa JSON.{stringify,parse} {yaml,YAML,JSON5,superjson,qs,querystring}.{parse,load,safeLoad} parseQuery cookie.parse cookieParser.signedCookie Object.{values,entries,keys,getOwnPropertyNames,assign,fromEntries} Reflect.ownKeys Array.from new {URL,String,URLSearchParams,TextEncoder,TextDecoder,Uint8Array} URL.parse *.{encode,decode} btoa atob he.{encode,decode} url.fileURLToPath path.{dirname} Promise.resolve structuredClone querystring.{parse,unescape} qs.parse url.parse {lodash,_}.{trim,toString,get,pick,omit,pickBy,omitBy,merge,defaults,cloneDeep,clone,mapValues,compact,uniq,flatten,flattenDeep,values,toPairs,first,head,last,join,map,filter} Reflect.get Promise.{race,any} fileURLToPath {Papa,papaparse,csv-parse.sync,new:XMLParser()}.parse cheerio.load *.parseStringPromise`,
  concatenators: '*.{concat,join} util.format format sprintf vsprintf String.raw',
  sqlFormats: 'pg-format pgFormat pgformat {pg-format,pgFormat,pgformat}.format',
  appenders: '*.{push,unshift,append}',
  listConstructors: 'Array.of Promise.{all,allSettled} new {Array,Set,Map}',
  pathNormalizers:
    'path.{join,resolve,normalize} path.posix.{join,resolve,normalize} join resolve normalize fs.{realpath,realpathSync} promises.realpath realpathSync',
  relativePaths: 'path.relative relative',
  terminators:
    'process.exit {ctx,context,c}.throw notFound redirect permanentRedirect forbidden unauthorized {next.navigation,navigation}.{notFound,redirect,permanentRedirect,forbidden,unauthorized} kit.{error,redirect}',
  headerGetters: '{ctx,context,c}.get',
  guards: [
    ['assert invariant assert.{ok,default} {ctx,context}.assert tiny-invariant.invariant', 'true'],
    ['assert.match', 'itself'],
    ['assert.{equal,strictEqual,deepStrictEqual}', 'equal'],
  ],
  requestHandlers: JAVASCRIPT_HANDLERS,
  functionDefiners:
    '{program,command(),argument(),option(),requiredOption(),description()}.action {yargs,yargs(),usage()}.command',
  membershipMethods: '*.{includes,has,contains,hasOwnProperty,indexOf}',
  membershipFunctions: 'Object.hasOwn hasOwnProperty.call {_,lodash}.includes validator.isIn',
  prefixTests: '*.startsWith',
  patternTests: '*.{test,match,exec}',
  fullMatchTests: 'validator.{matches,isAlphanumeric,isAlpha}',
  patternConstructors: 'RegExp new RegExp',
  patternReplacers: '*.{replace,replaceAll}',
  typeTests:
    'Number.{isInteger,isSafeInteger,isFinite} isInteger isFinite {_,lodash}.{isFinite,isInteger,isSafeInteger,isNumber} validator.{isInt,isUUID,isNumeric,isMongoId,isAlphanumeric,isAlpha,isIP,isIPRange,isFQDN,isHexadecimal,isHash,isMD5,isPort,isSlug,isISO8601,isRFC3339,isDate,isTime,isMACAddress,isDecimal,isFloat,isBoolean,isULID,isISO31661Alpha2,isISO4217,isHexColor,isSemVer,isMobilePhone} isUUID uuidValidate uuid.validate isInt isValidUUID net.{isIP,isIPv4,isIPv6} isIP isIPv4 isIPv6 isFQDN ipaddr.{isValid,IPv4.isValid}',
  pathTests: 'isPathInside pathIsInside isInside isSubPath',
  moduleAliases: {
    'fs-extra': 'fs',
    'graceful-fs': 'fs',
    'fs/promises': 'fs',
    shelljs: 'shell',
    'child-process-promise': 'child_process',
    execa: 'execa',
    'cross-spawn': 'spawn',
    'node-cmd': 'cmd',
    'nano-spawn': 'spawn',
    '@expo/spawn-async': 'spawn',
    'node-pty': 'pty',
    '@lydell/node-pty': 'pty',
    'mz/fs': 'fs',
    'mz/child_process': 'child_process',
    filenamify: 'filenamify',
    'sanitize-filename': 'sanitizeFilename',
    'path/posix': 'path',
  },
  requestParameterAnnotation: JAVASCRIPT_PARAMETER_ANNOTATION,
  requestFunctionAnnotation: JAVASCRIPT_FUNCTION_ANNOTATION,
  requestParameterName: JAVASCRIPT_RESOLVER_PARAMETER,
  freeVariables: /^[a-z][A-Za-z0-9]*$|^[a-z]+(_[a-z0-9]+)+$/,
  trustedTypes: trustedTypes(
    'Socket|\\w*Interaction|APIGateway(?:Proxy)?Event(?:V2)?|(?:SQS|S3|SNS|KinesisStream|DynamoDBStream)Event',
  ),
  trustedNames: trustedNames(
    'window|document|process|console|module|exports|global|globalThis|undefined|arguments|table|tableName|columns|placeholders|info|navigator|location|performance',
  ),
};
