import type { Rules } from './rules.ts';
import type { Kind } from '../flow/value.ts';

export const SQL: readonly Kind[] = ['sql'];
export const PATH: readonly Kind[] = ['path'];
export const ALL: readonly Kind[] = ['sql', 'command', 'path'];

/** What `prepare` and its kin give, and the types of that. */
const PREPARED =
  /\b(?:prepare(?:Statement|Call|Named)?x?(?:Context)?|preparedQuery)\(\)|^(\w*PreparedStatement|CallableStatement|PDOStatement|mysqli_stmt)$/i;
/** The same where a name with `stmt` in it means a prepared statement. */
export const PREPARED_OR_STMT = new RegExp(`${PREPARED.source}|(^|\\.)@?\\*?(\\w*stmt\\w*|prepared\\w*)$`, 'i');

/** What a language adds to goes before what it shares with the others. */
export const common: Omit<Rules, 'sources' | 'sinks' | 'sanitizers'> = {
  assigned: [],
  escapes: '',
  numbers: '*.{length,size,count,Length,Count,Size,indexOf,lastIndexOf,hashCode,compareTo}',
  carriers: '*.{trim,concat,toString,substring,substr,slice,split,replace,join,format}',
  builders: '',
  mutators: '',
  lists: '',
  normalizers: '',
  relatives: '',
  fills: [],
  numericOption: null,
  exits: '',
  handlers: '',
  definers: '',
  members: '',
  memberFunctions: '',
  prefixes: '',
  patternTests: '',
  wholeTests: '',
  replacers: '',
  typeTests: '',
  pathTests: '',
  modules: {},
  databases:
    /^[$@_]*(\w*(db|database|conn|connection|pool|pdo|mysqli?|pgsql|postgres|sqlite|sql|knex|sequelize|jdbc(template)?|entitymanager|cursor|dbh|dbconn|datasource|querier|queryrunner|querybuilder|wpdb)|qb|em|cur|tx|trx|stmt|statement|session)(\(\))?$/i,
  prepared: PREPARED,
  requestParameter: null,
  requestMembers: null,
  requestRoutine: null,
  requestBeside: null,
  numericInRoute: null,
  services:
    /^[$@_]*(re[qs]|request|response|resp|ctx|context|next|cb|callback|done|resolve|reject|err|error|e|ex|this|self|cls|db|database|conn|connection|client|pool|knex|sequelize|prisma|orm|em|entitymanager|session|tx|trx|logger|log|app|router|server|cursor|cur|stmt|statement|pdo|mysqli|repo|repository|service|settings|config|cfg|model|manager|fs|path|os|w|r|t|writer|reader|event|kwargs|options|opts)$/i,
  serviceTypes:
    /(Connection|Conn|Template|Manager|Logger|Client|Pool|Context|Response|Request|ResponseWriter|Session|Config|Configuration|Options|Service|Repository|Database|DB|Tx|Statement|Cursor|Engine|Model|Router|Factory|Provider|Knex|PDO|mysqli)$/,
  freeNames: null,
  anchors: [/^\(?\^|^\\A/, /\$\)?$|\\[zZ]$/],
};

export const REMEDY = {
  placeholders: (how: string): string => `Keep the statement constant and pass the values apart from it: ${how}`,
  shell: (how: string): string => `Run the program without a shell and pass its arguments as a list: ${how}`,
  path: (how: string): string =>
    `Reduce the name to its last part, or resolve it and check that it stays inside its folder: ${how}`,
};
