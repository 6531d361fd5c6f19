import type { Given } from './call-argument.ts';
import type { Evaluator } from './evaluator.ts';
import type { Call } from '../ir/ir.ts';
import { calleeSpan } from './sinks.ts';
import { isTainted, mergeTaints, type Source, type Taint, taintOf, UNKNOWN, KINDS, type Value } from './value.ts';

/**
 * Names of what is called with data and runs none of it: output, logs, tests of a value, headers, hashes, comparisons, requests to
 * other hosts, values that are bound to a statement.
 */
const ENDS = new RegExp(
  `^(?:${[
    // Output and answers.
    'print\\w*|println?|f?printf|[SF]?[Pp]rint\\w*|echo|puts|pp?|write(?:ln|Line|Head|Async|Json)?|end|flash\\w*|json\\w*|render\\w*|text|html|plain',
    'send(?:Status|Error|Redirect|_data)?|[rR]edirect\\w*|[vV]iew|status\\w*|abort\\w*|forward|getRequestDispatcher|[hH]ead(?:er)?s?|[cC]ookie|mail',
    '[sS]et_?(?:[hH]eader|[sS]tatus|[cC]ookie|[cC]ontent|[lL]ocal|[tT]itle|[tT]imeout|[iI]nterval|Immediate)\\w*|add_?(?:[hH]eader|[cC]ookie|[fF]lash|Attribute|Object)\\w*',
    'Ok|ok|BadRequest|badRequest|NotFound|notFound|Created\\w*|Content|Json|Problem|Unauthorized|Forbid|make_response|send_from_directory|urlopen|url_for|path_for|reverse|route',
    // Logs.
    '(?:log|debug|info|warn|warning|error|fatal|trace|critical|exception|notice|verbose|capture(?:Exception|Message))(?:f|ln|w|_message|Information|Debug|Error|Warning)?|Log\\w*|error_log|syslog|Errorf?|New',
    // Tests of a value.
    '(?:is|has|have|can|are|was|should|check|valid|validate|verify|assert|ensure|expect|allow|match|compare|equal|equals|exist|exists|confirm|safeParse)(?:[A-Z_?!].*)?[?!]?',
    'len|length|count|size|sizeof|strlen|type(?:of)?|gettype|min|max|round|floor|ceil|abs|id|defined|range',
    // Values that are bound to a statement.
    'set(?:String|Int|Integer|Long|Object|Date|Timestamp|Boolean|Double|Float|Short|BigDecimal|Bytes|Parameter\\w*|FirstResult|MaxResults|Null|NString)',
    'bind\\w*|AddWithValue|addValue|add_?[pP]aram\\w*|mysqli_stmt_\\w+|pg_execute|exec_prepared|\\w*Interpolated(?:Async)?|FromSql|SqlQuery',
    // Hashes, other hosts, translations, the control of the program.
    '(?:hash|sha\\d|md5|hmac|digest|encrypt|sign)\\w*|createHash|pbkdf2\\w*|scrypt\\w*|bcrypt\\w*|generate_password_hash|password_(?:hash|verify)',
    'fetch|request|axios|NewRequest\\w*|getJSON|t|_|__|gettext|translate|pluralize|next|resolve|reject|done|cb|callback|setTimeout|sleep|raise|panic|die|exit',
    'on|once|then|catch|finally|use|listen|forEach|each|\\w+(?:Error|Exception)',
  ].join('|')})$`,
);
/** The same, of longer names. */
const ENDS_OF =
  /(?:^|\.)(?:assert|expect|console|logger|log|logging|createHash\(\)|createHmac\(\)|requests|axios|[rR]es(?:p(?:onse)?)?|reply|[hH]eaders?(?:\(\))?)\.\w+$/;
const MADE_ENDS =
  /^new:(\w*(Error|Exception|Result|Response|Cookie|Date|Time|Timestamp)|RegExp|Promise|Headers|FormData|Blob|Object|Integer|Long|Double|Thread|SqlParameter|\w+Parameter|InternetAddress|HttpEntity|Label|)$/;
/** Of a mapper of objects: values in a record, or by name, are bound to the statement. */
const BINDS =
  /^(find\w*|get\w*|filter\w*|exclude|where\w*|create\w*|update\w*|delete\w*|destroy\w*|insert\w*|upsert\w*|save\w*|count\w*|exists\w*|build|new|merge|select\w*|add\w*|put\w*|query|scan|aggregate|first\w*|assign\w*|values|set|objects|replaceOne|distinct|not|Query\w*|Execute\w*)[?!]?$/;
const BY_ID = /^(find|findById|findByPk|findByIdAnd\w+|find_by_id|get|find!|findOrFail|where|destroy|exists\??)$/;

/** The object that holds a whole request, by name or type. */
const REQUEST =
  /^([$@]?(req|request|httpRequest|servletRequest|\w*HttpServletRequest|HttpRequest)|http\.Request|Request|ServerRequestInterface)$/;

/**
 * What a call gives of which the body is not known, and a note where a value of a request enters it. Its result may hold what it was
 * given: that it is not known to is kept in `through`.
 */
export function resultOfUnknown(
  flow: Evaluator,
  call: Call,
  called: Value,
  receiver: Value | null,
  given: readonly Given[],
): Value {
  const values = given.map(({ value }) => value);
  const held = receiver === null || receiver.direct ? {} : receiver.taint;
  const entering = mergeTaints(values.map(({ taint }) => taint));
  const whole = given.find(({ value }) => isRequest(value));
  if (whole === undefined && worstOf(entering) === undefined && worstOf(held) === undefined) return UNKNOWN;
  if (isKnown(flow, call, called, receiver, given)) return UNKNOWN;
  const through = calleeSpan(call);
  const worst = worstOf(entering);
  if (worst?.level === 'request' && worst.through === undefined)
    flow.findings.addUnfollowed({ source: worst, through });
  const request: Taint = whole === undefined ? {} : taintOf({ level: 'request', at: whole.step.at, through }, KINDS);
  const all = mergeTaints([entering, held, request]);
  const taint = Object.fromEntries(
    Object.entries(all)
      .filter(([, { level }]) => level !== 'free')
      .map(([kind, source]) => [kind, { ...source, through: source.through ?? through }]),
  );
  return { ...UNKNOWN, taint };
}

function worstOf({ sql, command, path }: Taint): Source | undefined {
  return sql ?? command ?? path;
}

function isRequest({ paths, typeName: type }: Value): boolean {
  return (type !== null && REQUEST.test(type.replace(/^\*/, ''))) || paths.some((path) => REQUEST.test(path));
}

function isKnown(
  { rules }: Evaluator,
  { callee }: Call,
  { paths, routine }: Value,
  receiver: Value | null,
  given: readonly Given[],
): boolean {
  if (routine !== null) return false;
  const path = paths[0] ?? '';
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (
    ENDS.test(name) ||
    ENDS.test(name.charAt(0).toLowerCase() + name.slice(1)) ||
    ENDS_OF.test(path) ||
    MADE_ENDS.test(name) ||
    rules.prepared.test(receiver?.paths[0] ?? '')
  )
    return true;
  if (receiver?.paths.some((one) => rules.prepared.test(one)) === true) return true;
  const tables = [rules.sinks, rules.sources, rules.fills, rules.exits, rules.handlers, rules.definers, rules.members];
  if (tables.some((table) => table.has(paths))) return true;
  const tests = [rules.memberFunctions, rules.prefixes, rules.patternTests, rules.wholeTests, rules.typeTests];
  if (rules.pathTests.has(paths) || tests.some((table) => table.has(paths))) return true;
  const chosen = given.filter(({ value }) => isTainted(value));
  if (BINDS.test(name) && chosen.every((one) => one.name !== null || one.value.fields !== null)) return true;
  return BY_ID.test(name) && callee.op === 'member' && callee.object.op === 'name' && /^[A-Z]/.test(callee.object.name);
}
