import { NameTest } from './name-test.ts';
import {
  anySource,
  INJECTION_KINDS,
  isCertain,
  mapTaint,
  mergeTaints,
  NO_TAINT,
  type Taint,
  taintOf,
} from '../taint.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { calleeSpan } from './sinks.ts';
import { isMaking } from './unfollowed-values.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/**
 * Functions that receive data and run none of it: output, logs, tests, headers, hashes, comparisons, requests to other hosts, values
 * bound to a statement.
 */
const HARMLESS_CALL = new NameTest(
  new RegExp(
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
  ),
);
/** The same, with the receiver. */
const HARMLESS_QUALIFIED_CALL = new NameTest(
  /(?:^|\.)(?:assert|expect|console|logger|log|logging|createHash\(\)|createHmac\(\)|requests|axios|[rR]es(?:p(?:onse)?)?|reply|[hH]eaders?(?:\(\))?)\.\w+$/,
);
const HARMLESS_CONSTRUCTOR = new NameTest(
  /^new:(\w*(Error|Exception|Result|Response|Cookie|Date|Time|Timestamp)|RegExp|Promise|Headers|FormData|Blob|Object|Integer|Long|Double|Thread|SqlParameter|\w+Parameter|InternetAddress|HttpEntity|Label|)$/,
);
/** Methods of object-relational mappers, which bind values in a record or a named argument to the statement. */
const ORM_METHOD = new NameTest(
  /^(find\w*|get\w*|filter\w*|exclude|where\w*|create\w*|update\w*|delete\w*|destroy\w*|insert\w*|upsert\w*|save\w*|count\w*|exists\w*|build|new|merge|select\w*|add\w*|put\w*|query|scan|aggregate|first\w*|assign\w*|values|set|objects|replaceOne|distinct|not|Query\w*|Execute\w*)[?!]?$/,
);
const ORM_LOOKUP_BY_ID =
  /^(find|findById|findByPk|findByIdAnd\w+|find_by_id|get|find!|findOrFail|where|destroy|exists\??)$/;

/** Functions that make a value harmless: their result need not hold what was passed. */
const CHANGING_CALL = new NameTest(
  /(?:^|_|[a-z])(?:[eE]scape|[qQ]uote|[eE]ncode|[sS]anitize|[cC]lean|[sS]afe|[fF]ilter|[vV]alid|[hH]ash|[dD]igest|[cC]rypt|[sS]ign|[sS]lug|[bB]asename|[nN]ormali[sz]e|[wW]hitelist|[aA]llow|[hH]ex|[pP]arse(?:[A-Z_]\w*)?$|[tT]oken|[cC]heck)/,
);
/** Functions that find another value by what they are passed. */
const LOOKUP_CALL = new NameTest(
  /^(?:find|get|load|fetch|read|look|query|select|search|resolve|list|count|open|exec|execute|run|call|send|post|request|[A-Z]\w*Repository)(?:[A-Z_]|$)|(?:By|_by)(?:[A-Z_]|$)/,
);
/** A class that is called without `new`: an enumeration or a checked type in Python. */
const CLASS_NAME = /^[A-Z]\w*[a-z]\w*$/;
/** Escapes that are of no use for a statement, a command or a path. */
const OTHER_ESCAPE = /html|xml|csv|json|javascript|ecma|entities|markdown|latex/i;

/** The name or the type of an object that holds a whole request. */
const REQUEST_OBJECT = new NameTest(
  /^([$@]?(req|request|httpRequest|servletRequest|\w*HttpServletRequest|HttpRequest)|http\.Request|Request|ServerRequestInterface)$/,
);

/**
 * The result of a call whose function is not known. It may hold what was passed, so it gets the taint of the receiver and the
 * arguments, marked with `through`. A request value that enters the call is noted as not followed.
 */
export function unknownCallResult(evaluator: Evaluator, call: EvaluatedCall): Value {
  const { receiver, args } = call;
  const receiverTaint = receiver === null || receiver.fromSource ? NO_TAINT : receiver.taint;
  const entering = mergeTaints(args.map(({ value }) => value.taint));
  const request = args.find(({ value }) => isWholeRequest(value));
  const isTaintFree = anySource(entering) === undefined && anySource(receiverTaint) === undefined;
  if (request === undefined && isTaintFree) {
    const isKnown = isMaking(call.callee.names[0] ?? '') || isHarmlessCall(evaluator, call, false);
    return isKnown ? hiddenResult(call) : { ...hiddenResult(call), unfollowed: calleeSpan(call.node) };
  }
  if (isHarmlessCall(evaluator, call)) return hiddenResult(call);
  const through = calleeSpan(call.node);
  const worst = anySource(entering);
  if (worst?.level === 'request' && isCertain(worst)) evaluator.findings.addUnfollowed({ source: worst, through });
  const source = { level: 'request', through, isWholeRequest: true } as const;
  const requestTaint: Taint =
    request === undefined ? NO_TAINT : taintOf({ ...source, span: request.node.syntax }, INJECTION_KINDS);
  const all = mergeTaints([entering, receiverTaint, requestTaint]);
  const holds = holdsArguments(call, anySource(receiverTaint) !== undefined);
  const taint = mapTaint(all, (source) => {
    if (source === undefined || source.level === 'free') return undefined;
    return holds && source.level === 'request' ? source : { ...source, through: source.through ?? through };
  });
  return { ...UNKNOWN, taint };
}

/** What is encoded stays so. */
function hiddenResult({ receiver }: EvaluatedCall): Value {
  return receiver === null || receiver.hidden === NO_TAINT ? UNKNOWN : { ...UNKNOWN, hidden: receiver.hidden };
}

/** Whether the result certainly is made of what was passed: by its name, the function neither makes it harmless nor looks something up. */
function holdsArguments({ node, callee }: EvaluatedCall, isMethodOfTainted: boolean): boolean {
  const qualifiedName = callee.names[0] ?? '';
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  if (node.callee.op === 'variable' && CLASS_NAME.test(name)) return false;
  if (!isMethodOfTainted && LOOKUP_CALL.test(name)) return false;
  return !CHANGING_CALL.test(name) || OTHER_ESCAPE.test(name);
}

function isWholeRequest({ names, typeName: type }: Value): boolean {
  return (
    (type !== null && REQUEST_OBJECT.test(type.replace(/^\*/, ''))) || names.some((path) => REQUEST_OBJECT.test(path))
  );
}

function isHarmlessCall(
  { rules }: Evaluator,
  { node, callee, receiver, args }: EvaluatedCall,
  isLookup = true,
): boolean {
  const { names, fn } = callee;
  if (fn !== null) return false;
  const qualifiedName = names[0] ?? '';
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  if (
    HARMLESS_CALL.test(name) ||
    HARMLESS_CALL.test(name.charAt(0).toLowerCase() + name.slice(1)) ||
    HARMLESS_QUALIFIED_CALL.test(qualifiedName) ||
    HARMLESS_CONSTRUCTOR.test(name) ||
    receiver?.names.some((one) => rules.preparedStatements.test(one)) === true
  ) {
    return true;
  }
  const knownCalls = [
    rules.sinks,
    rules.sources,
    rules.outputArguments,
    rules.terminators,
    rules.requestHandlers,
    rules.functionDefiners,
    rules.membershipMethods,
    rules.membershipFunctions,
    rules.prefixTests,
    rules.patternTests,
    rules.fullMatchTests,
    rules.typeTests,
    rules.pathTests,
  ];
  if (knownCalls.some((table) => table.has(names))) return true;
  if (!isLookup) return false;
  const tainted = args.filter(({ value }) => isTainted(value));
  if (
    ORM_METHOD.test(name) &&
    tainted.length > 0 &&
    tainted.every((one) => one.name !== null || one.value.fields !== null)
  )
    return true;
  const object = node.callee.op === 'member' ? node.callee.object : null;
  return ORM_LOOKUP_BY_ID.test(name) && object?.op === 'variable' && /^[A-Z]/.test(object.name);
}
