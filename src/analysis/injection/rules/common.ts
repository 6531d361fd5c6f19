import { INJECTION_KINDS, type InjectionKind } from '../taint.ts';
import type { Rules, Sink } from './rules.ts';

export const ALL: readonly InjectionKind[] = INJECTION_KINDS;

/** What `prepare` and its kin give, and the types of that. */
const PREPARED =
  /\b(?:prepare(?:Statement|Call|Named)?x?(?:Context)?|preparedQuery)\(\)|^(\w*PreparedStatement|CallableStatement|PDOStatement|mysqli_stmt)$/i;
/** The same where a name with `stmt` in it means a prepared statement. */
export const STMT_NAMES = new RegExp(`${PREPARED.source}|(^|\\.)@?\\*?(\\w*stmt\\w*|prepared\\w*)$`, 'i');

/** What a language adds to goes before what it shares with the others. */
export const common: Omit<Rules, 'sources' | 'sinks' | 'sanitizers'> = {
  assignmentSinks: [],
  indexSinks: [],
  bindings: [],
  fixes: { baseName: [], shellWord: [], drivers: [], list: ['[', ']'] },
  quoteEscapers: '',
  wordEscapers: [],
  scalarResults: '*.{length,size,count,Length,Count,Size,indexOf,lastIndexOf,hashCode,compareTo}',
  scalarElements: '',
  chosenPaths: '',
  recordResults: '',
  propagators: '*.{trim,concat,toString,substring,substr,slice,split,replace,join,format}',
  concatenators: '',
  sqlFormats: '',
  appenders: '',
  listConstructors: '',
  pathNormalizers: '',
  relativePaths: '',
  constructorFields: [],
  outputArguments: [],
  contextSetters: [],
  contextGetters: '',
  contextObjects: null,
  numericOption: null,
  terminators: '',
  guards: [],
  requestHandlers: '',
  functionDefiners: '',
  deferredCalls: [],
  membershipMethods: '',
  membershipFunctions: '',
  prefixTests: '',
  patternTests: '',
  fullMatchTests: '',
  patternReplacers: '',
  statementBuilders: '',
  patternConstructors: '',
  converters: '',
  requestTexts: null,
  headerGetters: '',
  errorTests: '',
  typeTests: '',
  pathTests: '',
  moduleAliases: {},
  databaseNames:
    /^[$@_]*(\w*(db|database|conn|connection|pool|pdo|mysqli?|pgsql|postgres|sqlite|sql|knex|sequelize|jdbc(template)?|entitymanager|cursor|dbh|dbconn|datasource|querier|queryrunner|querybuilder|wpdb)|qb|em|cur|tx|trx|stmt|statement|session)(\(\))?$/i,
  preparedStatements: PREPARED,
  requestParameterAnnotation: null,
  requestMembers: null,
  requestGetters: null,
  requestFunctionAnnotation: null,
  validatedMembers: null,
  narrowFields: null,
  requestMethods: null,
  requestBesideType: null,
  requestParameterName: null,
  numericRouteParameter: null,
  trustedNames:
    /^[$@_]*(re[qs]|request|response|resp|ctx|context|next|cb|callback|done|resolve|reject|err|error|e|ex|this|self|cls|db|database|conn|connection|client|pool|knex|sequelize|prisma|orm|em|entitymanager|session|tx|trx|logger|log|app|router|server|cursor|cur|stmt|statement|pdo|mysqli|repo|repository|service|settings|config|cfg|model|manager|fs|path|os|w|r|t|writer|reader|event|kwargs|options|opts)$/i,
  trustedTypes:
    /(Connection|Conn|Template|Manager|Logger|Client|Pool|Context|Response|Request|ResponseWriter|Session|Config|Configuration|Options|Service|Repository|Database|DB|Tx|Statement|Cursor|Engine|Model|Router|Factory|Provider|Knex|PDO|mysqli)$/,
  freeVariables: null,
  patternAnchors: { start: /^\(?\^|^\\A/, end: /\$\)?$|\\[zZ]$/ },
};

/** The names that every language trusts, and those of this one: alternatives of a regular expression. */
export function trustedNames(alternatives: string): RegExp {
  return new RegExp(`${common.trustedNames.source}|^(${alternatives})$`, 'i');
}

/** The types that every language trusts, and those of this one: alternatives of a regular expression. */
export function trustedTypes(alternatives: string): RegExp {
  return new RegExp(`${common.trustedTypes.source}|^(${alternatives})$`);
}

/** A sink that runs its first argument as SQL. `example` shows a call that is safe. */
export function sqlSink(example: string, options: Partial<Sink> = {}): Sink {
  return { kind: 'sql', argument: 0, remediation: REMEDIATION.sql(example), ...options };
}

/** An SQL sink with a name that methods without SQL have too. */
export function possibleSqlSink(example: string, options: Partial<Sink> = {}): Sink {
  return sqlSink(example, { needsSqlEvidence: true, ...options });
}

/** A sink that runs its first argument as a shell command. */
export function commandSink(example: string): Sink {
  return { kind: 'command', argument: 0, execution: 'shell', remediation: REMEDIATION.command(example) };
}

/** A sink that opens the file that its first argument names. */
export function pathSink(example: string): Sink {
  return { kind: 'path', argument: 0, remediation: REMEDIATION.path(example) };
}

/** The advice for each kind of injection, completed by an example. */
export const REMEDIATION: Record<InjectionKind, (example: string) => string> = {
  sql: (example) => `Keep the statement constant and pass the values apart from it: ${example}`,
  command: (example) => `Run the program without a shell and pass its arguments as a list: ${example}`,
  path: (example) =>
    `Reduce the name to its last part, or resolve it and check that it stays inside its folder: ${example}`,
  option: (example) => `Refuse a value that begins with "-", or write before it what makes it no option: ${example}`,
};
