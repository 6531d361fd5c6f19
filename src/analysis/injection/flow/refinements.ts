import type { Evaluator } from './evaluator.ts';
import { keyOf } from '../ir/access-path.ts';
import { isLiteral } from '../lowering/lower-statement.ts';
import type { Call, Step } from '../ir/ir.ts';
import { onlyResult, routineOf } from './callee.ts';
import type { Scope } from './scope.ts';
import { type Fact, type Facts, isChosen, isTainted, KINDS, type Kind, type Value } from './value.ts';

const NOTHING: Facts = { yes: [], no: [] };
const PATH: readonly Kind[] = ['path'];
const VALIDATOR =
  /(^|_|\.)(is|has|in|are)?_?(valid|allowed|safe|permitted|whitelisted|allowlisted|known|supported)|valid(ate)?[A-Z_?]|(Allowed|Valid|Safe|Permitted|Whitelisted|Supported)\b|_(valid|allowed|safe|permitted)\??$/;

/** What a condition says about names when it holds, and when it does not. */
export function factsOf(flow: Evaluator, step: Step, scope: Scope): Facts {
  switch (step.op) {
    case 'not':
      return swap(factsOf(flow, step.value, scope));
    case 'logic': {
      const left = factsOf(flow, step.left, scope);
      const right = factsOf(flow, step.right, scope);
      const and = step.operator === 'and';
      return and
        ? { yes: [...left.yes, ...right.yes], no: commonPaths(left.no, right.no) }
        : { yes: commonPaths(left.yes, right.yes), no: [...left.no, ...right.no] };
    }
    case 'compare':
      return ofCompare(flow, step, scope);
    case 'call':
      return ofCall(flow, step, scope);
    case 'index': {
      // `allowed[name]` of a map that others do not fill.
      const table = flow.evaluate(step.object, scope);
      return isChosen(table) ? NOTHING : { yes: about(flow, step.index, scope, KINDS), no: [] };
    }
    case 'name':
      return scope.get(step.name)?.facts ?? NOTHING;
    case 'assign':
      return factsOf(flow, step.value, scope);
    case 'block':
      return step.steps.length === 0 ? NOTHING : factsOf(flow, step.steps.at(-1)!, scope);
    default:
      return NOTHING;
  }
}

function swap({ yes, no }: Facts): Facts {
  return { yes: no, no: yes };
}

function commonPaths(one: readonly Fact[], other: readonly Fact[]): Fact[] {
  return one.filter(({ key }) => other.some((fact) => fact.key === key));
}

/** The names that a test of this step is about. */
function about(flow: Evaluator, step: Step, scope: Scope, kinds: readonly Kind[]): Fact[] {
  const key = keyOf(step);
  const value = flow.evaluate(step, scope);
  return [...(key === null ? [] : [key]), ...value.about].map((name) => ({ key: name, kinds }));
}

type Compare = Step & { op: 'compare' };

const NEGATIVE = new Set(['!=', '!==', '<>', 'not in', 'is not', 'isnt', '!~']);
const ABSENT = new Set(['false', 'False', 'null', 'nil', 'None', '-1', 'undefined', 'FALSE', 'NULL']);

function ofCompare(flow: Evaluator, step: Compare, scope: Scope): Facts {
  const { operator, left, right } = step;
  if (operator === 'in' || operator === 'not in') {
    const facts = ofMembership(flow, left, right, scope);
    return operator === 'in' ? facts : swap(facts);
  }
  if (operator === '=~' || operator === '!~') {
    const [subject, pattern] = left.op === 'text' ? [right, left] : [left, right];
    const facts = ofPattern(flow, subject, flow.evaluate(pattern, scope), scope, false);
    return operator === '=~' ? facts : swap(facts);
  }
  const [subject, value] = isConstant(left) ? [right, left] : [left, right];
  if (isConstant(value)) {
    const facts = subject.op === 'call' ? ofTestedCall(flow, subject, value, operator, scope) : null;
    if (facts !== null) return facts;
    if (!isLiteral(value) || (value.op === 'constant' && ABSENT.has(value.text))) return NOTHING;
    if (value.op === 'text' && value.text === '') return NOTHING;
    const equal: Facts = { yes: about(flow, subject, scope, KINDS), no: [] };
    if (NEGATIVE.has(operator)) return swap(equal);
    return ['==', '===', 'is', 'eq'].includes(operator) ? equal : NOTHING;
  }
  if (operator === '==' || operator === '===' || operator === '!=' || operator === '!==') {
    // Equal to something that others do not choose: `os.path.commonpath([base, full]) == base`.
    const one = flow.evaluate(left, scope);
    const other = flow.evaluate(right, scope);
    const tested = isTainted(one) && !isChosen(other) ? left : isTainted(other) && !isChosen(one) ? right : null;
    if (tested === null) return NOTHING;
    const equal: Facts = { yes: about(flow, tested, scope, KINDS), no: [] };
    return operator.startsWith('!') ? swap(equal) : equal;
  }
  return NOTHING;
}

function isConstant(step: Step): boolean {
  return isLiteral(step) || (step.op === 'compare' && step.operator === '-' && step.left.op === 'constant');
}

/** A call whose number or truth value is compared: `strpos($real, $base) === 0`, `typeof x === 'number'`. */
function ofTestedCall(flow: Evaluator, call: Call, value: Step, operator: string, scope: Scope): Facts | null {
  const [argument] = call.args;
  if (call.callee.op === 'name' && call.callee.name === 'typeof' && argument !== undefined) {
    if (value.op !== 'text' || !/^(number|boolean|bigint)$/.test(value.text)) return NOTHING;
    const typed: Facts = { yes: about(flow, argument.value, scope, KINDS), no: [] };
    return NEGATIVE.has(operator) ? swap(typed) : typed;
  }
  const facts = ofCall(flow, call, scope);
  if (facts.yes.length + facts.no.length === 0) return null;
  const text = value.op === 'compare' ? '-1' : value.op === 'constant' || value.op === 'text' ? value.text : '';
  const says = saysYes(operator, text, isPosition(call));
  if (says === null) return null;
  return says ? facts : swap(facts);
}

/** Functions that give the position of a text in another: 0 is "at the beginning", -1 and false "not there". */
function isPosition({ callee }: Call): boolean {
  const name = callee.op === 'member' || callee.op === 'name' ? callee.name : '';
  return /^(str(i)?pos|mb_strpos|indexOf|IndexOf|Index|find|search|strncmp|strncasecmp|compare)$/.test(name);
}

function saysYes(operator: string, text: string, position: boolean): boolean | null {
  const negative = NEGATIVE.has(operator);
  if (ABSENT.has(text)) return operator === '>' ? true : negative;
  if (text === '0') {
    if (operator === '>=') return true;
    if (operator === '<') return false;
    if (operator === '>') return true;
    return position ? !negative : negative;
  }
  if (text === '1' || text === 'true' || text === 'True' || text === 'TRUE') return !negative;
  return null;
}

function ofMembership(flow: Evaluator, element: Step, container: Step, scope: Scope): Facts {
  const held = flow.evaluate(container, scope);
  if (element.op === 'text') return { yes: [], no: traversalFreePaths(element.text, flow, container, scope) };
  // One of several that others do not choose; a text within a text says nothing.
  if (isChosen(held) || (held.text !== null && held.items === null)) return NOTHING;
  return { yes: about(flow, element, scope, KINDS), no: [] };
}

/** A text that must not be in a path: without it nobody climbs. */
function traversalFreePaths(text: string, flow: Evaluator, container: Step, scope: Scope): Fact[] {
  return text.includes('..') || text === '/' ? about(flow, container, scope, PATH) : [];
}

function ofCall(flow: Evaluator, call: Call, scope: Scope): Facts {
  const { rules } = flow;
  const { callee } = call;
  const receiver = callee.op === 'member' ? callee.object : null;
  const args = call.args.map(({ value }) => value);
  const called = flow.evaluate(callee, scope);
  const { paths } = called;
  const own = ofOwnRoutine(flow, call, called, scope);
  if (own !== null) return own;
  const [first, second] = args;
  if (rules.members.has(paths) && receiver !== null && first !== undefined) {
    return ofMembership(flow, first, receiver, scope);
  }
  if (rules.prefixes.has(paths)) {
    const tested = receiver !== null && args.length === 1 ? receiver : first;
    const prefix = args.length === 1 ? first : second;
    return tested === undefined || prefix === undefined ? NOTHING : ofPrefix(flow, tested, prefix, scope);
  }
  if (rules.memberFunctions.has(paths)) return ofMemberFunction(flow, args, scope);
  const whole = rules.wholeTests.has(paths);
  if (whole || rules.patternTests.has(paths)) return ofPatternCall(flow, receiver, args, scope, whole);
  if (rules.typeTests.has(paths)) {
    const tested = [first, receiver].filter((step) => step !== null && step !== undefined);
    return { yes: tested.flatMap((step) => about(flow, step, scope, KINDS)), no: [] };
  }
  if (rules.pathTests.has(paths)) {
    const tested = [receiver, ...args].filter((step) => step !== null && step !== undefined);
    return { yes: tested.flatMap((step) => about(flow, step, scope, PATH)), no: [] };
  }
  if (paths.some((path) => VALIDATOR.test(path.slice(path.lastIndexOf('.') + 1)))) {
    return { yes: args.flatMap((step) => about(flow, step, scope, KINDS)), no: [] };
  }
  return NOTHING;
}

/** What a test that the text itself defines in one step says of its arguments. */
function ofOwnRoutine(flow: Evaluator, call: Call, called: Value, scope: Scope): Facts | null {
  const routine = routineOf(flow, call, called, null);
  const result = routine === null ? null : onlyResult(routine);
  if (routine === null || result === null) return null;
  const inner = scope.branch();
  const given = new Map<string, Step>();
  for (const [at, { target }] of routine.parameters.entries()) {
    const argument = call.args[at]?.value;
    if (target.op !== 'name' || argument === undefined) continue;
    inner.set(target.name, flow.evaluate(argument, scope));
    given.set(target.name, argument);
  }
  const facts = flow.guardRecursion(routine, () => factsOf(flow, result, inner)) ?? NOTHING;
  const outside = (found: readonly Fact[]): Fact[] =>
    found.flatMap(({ key, kinds }) => {
      const argument = given.get(key);
      return argument === undefined ? [] : about(flow, argument, scope, kinds);
    });
  return { yes: outside(facts.yes), no: outside(facts.no) };
}

/** `in_array(x, list)`, `slices.Contains(list, x)`, `isset(table[x])`, `strpos(path, '..')`. */
function ofMemberFunction(flow: Evaluator, args: readonly Step[], scope: Scope): Facts {
  const [first, second] = args;
  if (first === undefined) return NOTHING;
  if (second === undefined) return factsOf(flow, first, scope);
  if (second.op === 'text') return { yes: [], no: traversalFreePaths(second.text, flow, first, scope) };
  const one = flow.evaluate(first, scope);
  return isChosen(one) ? ofMembership(flow, first, second, scope) : ofMembership(flow, second, first, scope);
}

/** Within a folder, where the path has no `..` left; `relative(...)` that climbs begins with `..`. */
function ofPrefix(flow: Evaluator, tested: Step, prefix: Step, scope: Scope): Facts {
  if (prefix.op === 'text' && prefix.text.startsWith('..')) return { yes: [], no: about(flow, tested, scope, PATH) };
  const value = flow.evaluate(tested, scope);
  const inside = flow.evaluate(prefix, scope);
  if (!value.normal || isChosen(inside)) return NOTHING;
  return { yes: about(flow, tested, scope, PATH), no: [] };
}

function ofPatternCall(
  flow: Evaluator,
  receiver: Step | null,
  args: readonly Step[],
  scope: Scope,
  whole: boolean,
): Facts {
  const given = [...(receiver === null ? [] : [receiver]), ...args];
  const values = given.map((step) => flow.evaluate(step, scope));
  const subject = values.findIndex(isTainted);
  if (subject === -1) return NOTHING;
  const pattern = values.find((value, at) => at !== subject && value.text !== null && value.text.length > 1);
  return ofPattern(flow, given[subject]!, pattern ?? null, scope, whole);
}

/** A pattern says something where it matches from end to end and leaves out what could climb or break out. */
function ofPattern(flow: Evaluator, subject: Step, pattern: Value | null, scope: Scope, whole: boolean): Facts {
  const facts: Facts = { yes: about(flow, subject, scope, KINDS), no: [] };
  if (pattern === null || pattern.text === null) return facts;
  const text = pattern.text.replace(/^r?['"]|['"]$/g, '');
  const stripped = /^([/#~@|])(.*)\1[a-z]*$/s.exec(text)?.[2] ?? text;
  const [begin, end] = flow.rules.anchors;
  const anchored = whole || (begin.test(stripped) && end.test(stripped));
  const narrow = !/(^|[^\\])\.[*+]|\[\^|\\S|\\D|\\W/.test(stripped);
  return anchored && narrow ? facts : NOTHING;
}
