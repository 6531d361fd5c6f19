import type { Evaluator } from './evaluator.ts';
import { accessPathOf } from '../ir/access-path.ts';
import { type IrCall, type IrNode, type IrNodeOf, isLiteral } from '../ir/ir.ts';
import { singleReturnValue, calleeFunction } from './callee.ts';
import type { Scope } from './scope.ts';
import { type CheckedPath, type Refinement, isUntrusted, isTainted, type Value } from './value.ts';
import { INJECTION_KINDS, type InjectionKind } from '../taint.ts';

const NOTHING: Refinement = { whenTrue: [], whenFalse: [] };
const PATH: readonly InjectionKind[] = ['path'];
const VALIDATOR =
  /(^|_|\.)(is|has|in|are)?_?(valid|allowed|safe|permitted|whitelisted|allowlisted|known|supported)|valid(ate)?[A-Z_?]|(Allowed|Valid|Safe|Permitted|Whitelisted|Supported)\b|_(valid|allowed|safe|permitted)\??$/;

/** What a condition says about names when it holds, and when it does not. */
export function refinementOf(evaluator: Evaluator, node: IrNode, scope: Scope): Refinement {
  switch (node.op) {
    case 'not':
      return swap(refinementOf(evaluator, node.value, scope));
    case 'logical': {
      const left = refinementOf(evaluator, node.left, scope);
      const right = refinementOf(evaluator, node.right, scope);
      const and = node.operator === 'and';
      return and
        ? { whenTrue: [...left.whenTrue, ...right.whenTrue], whenFalse: commonPaths(left.whenFalse, right.whenFalse) }
        : { whenTrue: commonPaths(left.whenTrue, right.whenTrue), whenFalse: [...left.whenFalse, ...right.whenFalse] };
    }
    case 'compare':
      return ofCompare(evaluator, node, scope);
    case 'call':
      return ofCall(evaluator, node, scope);
    case 'index': {
      // `allowed[name]` of a map that others do not fill.
      const table = evaluator.evaluate(node.object, scope);
      return isUntrusted(table)
        ? NOTHING
        : { whenTrue: checkedPaths(evaluator, node.index, scope, INJECTION_KINDS), whenFalse: [] };
    }
    case 'variable':
      return scope.get(node.name)?.refinement ?? NOTHING;
    case 'assign':
      return refinementOf(evaluator, node.value, scope);
    case 'block':
      return node.statements.length === 0 ? NOTHING : refinementOf(evaluator, node.statements.at(-1)!, scope);
    default:
      return NOTHING;
  }
}

function swap({ whenTrue, whenFalse }: Refinement): Refinement {
  return { whenTrue: whenFalse, whenFalse: whenTrue };
}

function commonPaths(one: readonly CheckedPath[], other: readonly CheckedPath[]): CheckedPath[] {
  return one.filter(({ path }) => other.some((checked) => checked.path === path));
}

/** The names that a test of this step is about. */
function checkedPaths(
  evaluator: Evaluator,
  node: IrNode,
  scope: Scope,
  kinds: readonly InjectionKind[],
): CheckedPath[] {
  const own = accessPathOf(node);
  const value = evaluator.evaluate(node, scope);
  return [...(own === null ? [] : [own]), ...value.refines].map((path) => ({ path, kinds }));
}

type Compare = IrNodeOf<'compare'>;

const NEGATIVE = new Set(['!=', '!==', '<>', 'not in', 'is not', 'isnt', '!~']);
const ABSENT = new Set(['false', 'False', 'null', 'nil', 'None', '-1', 'undefined', 'FALSE', 'NULL']);

function ofCompare(evaluator: Evaluator, node: Compare, scope: Scope): Refinement {
  const { operator, left, right } = node;
  if (operator === 'in' || operator === 'not in') {
    const refinement = ofMembership(evaluator, left, right, scope);
    return operator === 'in' ? refinement : swap(refinement);
  }
  if (operator === '=~' || operator === '!~') {
    const [subject, pattern] = left.op === 'string' ? [right, left] : [left, right];
    const refinement = ofPattern(evaluator, subject, evaluator.evaluate(pattern, scope), scope, false);
    return operator === '=~' ? refinement : swap(refinement);
  }
  const [subject, value] = isConstant(left) ? [right, left] : [left, right];
  if (isConstant(value)) {
    const refinement = subject.op === 'call' ? ofTestedCall(evaluator, subject, value, operator, scope) : null;
    if (refinement !== null) return refinement;
    if (!isLiteral(value) || (value.op === 'constant' && ABSENT.has(value.text))) return NOTHING;
    if (value.op === 'string' && value.text === '') return NOTHING;
    const equal: Refinement = { whenTrue: checkedPaths(evaluator, subject, scope, INJECTION_KINDS), whenFalse: [] };
    if (NEGATIVE.has(operator)) return swap(equal);
    return ['==', '===', 'is', 'eq'].includes(operator) ? equal : NOTHING;
  }
  if (operator === '==' || operator === '===' || operator === '!=' || operator === '!==') {
    // Equal to something that others do not choose: `os.path.commonpath([base, full]) == base`.
    const one = evaluator.evaluate(left, scope);
    const other = evaluator.evaluate(right, scope);
    const tested = isTainted(one) && !isUntrusted(other) ? left : isTainted(other) && !isUntrusted(one) ? right : null;
    if (tested === null) return NOTHING;
    const equal: Refinement = { whenTrue: checkedPaths(evaluator, tested, scope, INJECTION_KINDS), whenFalse: [] };
    return operator.startsWith('!') ? swap(equal) : equal;
  }
  return NOTHING;
}

function isConstant(node: IrNode): boolean {
  return isLiteral(node) || (node.op === 'compare' && node.operator === '-' && node.left.op === 'constant');
}

/** A call whose number or truth value is compared: `strpos($real, $base) === 0`, `typeof x === 'number'`. */
function ofTestedCall(
  evaluator: Evaluator,
  call: IrCall,
  value: IrNode,
  operator: string,
  scope: Scope,
): Refinement | null {
  const [argument] = call.args;
  if (call.callee.op === 'variable' && call.callee.name === 'typeof' && argument !== undefined) {
    if (value.op !== 'string' || !/^(number|boolean|bigint)$/.test(value.text)) return NOTHING;
    const typed: Refinement = {
      whenTrue: checkedPaths(evaluator, argument.value, scope, INJECTION_KINDS),
      whenFalse: [],
    };
    return NEGATIVE.has(operator) ? swap(typed) : typed;
  }
  const refinement = ofCall(evaluator, call, scope);
  if (refinement.whenTrue.length + refinement.whenFalse.length === 0) return null;
  const text = value.op === 'compare' ? '-1' : value.op === 'constant' || value.op === 'string' ? value.text : '';
  const description = saysYes(operator, text, isPosition(call));
  if (description === null) return null;
  return description ? refinement : swap(refinement);
}

/** Functions that give the position of a text in another: 0 is "at the beginning", -1 and false "not there". */
function isPosition({ callee }: IrCall): boolean {
  const name = callee.op === 'member' || callee.op === 'variable' ? callee.name : '';
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

function ofMembership(evaluator: Evaluator, element: IrNode, container: IrNode, scope: Scope): Refinement {
  const held = evaluator.evaluate(container, scope);
  if (element.op === 'string')
    return { whenTrue: [], whenFalse: traversalFreePaths(element.text, evaluator, container, scope) };
  // One of several that others do not choose; a text within a text says nothing.
  if (isUntrusted(held) || (held.text !== null && held.elements === null)) return NOTHING;
  return { whenTrue: checkedPaths(evaluator, element, scope, INJECTION_KINDS), whenFalse: [] };
}

/** A text that must not be in a path: without it nobody climbs. */
function traversalFreePaths(text: string, evaluator: Evaluator, container: IrNode, scope: Scope): CheckedPath[] {
  return text.includes('..') || text === '/' ? checkedPaths(evaluator, container, scope, PATH) : [];
}

function ofCall(evaluator: Evaluator, call: IrCall, scope: Scope): Refinement {
  const { rules } = evaluator;
  const { callee } = call;
  const receiver = callee.op === 'member' ? callee.object : null;
  const args = call.args.map(({ value }) => value);
  const called = evaluator.evaluate(callee, scope);
  const { names } = called;
  const own = ofOwnRoutine(evaluator, call, called, scope);
  if (own !== null) return own;
  const [first, second] = args;
  if (rules.membershipMethods.has(names) && receiver !== null && first !== undefined) {
    return ofMembership(evaluator, first, receiver, scope);
  }
  if (rules.prefixTests.has(names)) {
    const tested = receiver !== null && args.length === 1 ? receiver : first;
    const prefix = args.length === 1 ? first : second;
    return tested === undefined || prefix === undefined ? NOTHING : ofPrefix(evaluator, tested, prefix, scope);
  }
  if (rules.membershipFunctions.has(names)) return ofMemberFunction(evaluator, args, scope);
  const whole = rules.fullMatchTests.has(names);
  if (whole || rules.patternTests.has(names)) return ofPatternCall(evaluator, receiver, args, scope, whole);
  if (rules.typeTests.has(names)) {
    const tested = [first, receiver].filter((node) => node !== null && node !== undefined);
    return { whenTrue: tested.flatMap((node) => checkedPaths(evaluator, node, scope, INJECTION_KINDS)), whenFalse: [] };
  }
  if (rules.pathTests.has(names)) {
    const tested = [receiver, ...args].filter((node) => node !== null && node !== undefined);
    return { whenTrue: tested.flatMap((node) => checkedPaths(evaluator, node, scope, PATH)), whenFalse: [] };
  }
  if (names.some((path) => VALIDATOR.test(path.slice(path.lastIndexOf('.') + 1)))) {
    return { whenTrue: args.flatMap((node) => checkedPaths(evaluator, node, scope, INJECTION_KINDS)), whenFalse: [] };
  }
  return NOTHING;
}

/** What a test that the text itself defines in one step says of its arguments. */
function ofOwnRoutine(evaluator: Evaluator, call: IrCall, called: Value, scope: Scope): Refinement | null {
  const fn = calleeFunction(evaluator, call, called, null);
  const result = fn === null ? null : singleReturnValue(fn);
  if (fn === null || result === null) return null;
  const inner = scope.branch();
  const callArguments = new Map<string, IrNode>();
  for (const [at, { target }] of fn.parameters.entries()) {
    const argument = call.args[at]?.value;
    if (target.op !== 'variable' || argument === undefined) continue;
    inner.set(target.name, evaluator.evaluate(argument, scope));
    callArguments.set(target.name, argument);
  }
  const refinement = evaluator.guardRecursion(fn, () => refinementOf(evaluator, result, inner)) ?? NOTHING;
  const outside = (found: readonly CheckedPath[]): CheckedPath[] =>
    found.flatMap(({ path, kinds }) => {
      const argument = callArguments.get(path);
      return argument === undefined ? [] : checkedPaths(evaluator, argument, scope, kinds);
    });
  return { whenTrue: outside(refinement.whenTrue), whenFalse: outside(refinement.whenFalse) };
}

/** `in_array(x, list)`, `slices.Contains(list, x)`, `isset(table[x])`, `strpos(path, '..')`. */
function ofMemberFunction(evaluator: Evaluator, args: readonly IrNode[], scope: Scope): Refinement {
  const [first, second] = args;
  if (first === undefined) return NOTHING;
  if (second === undefined) return refinementOf(evaluator, first, scope);
  if (second.op === 'string')
    return { whenTrue: [], whenFalse: traversalFreePaths(second.text, evaluator, first, scope) };
  const one = evaluator.evaluate(first, scope);
  return isUntrusted(one)
    ? ofMembership(evaluator, first, second, scope)
    : ofMembership(evaluator, second, first, scope);
}

/** Within a folder, where the path has no `..` left; `relative(...)` that climbs begins with `..`. */
function ofPrefix(evaluator: Evaluator, tested: IrNode, prefix: IrNode, scope: Scope): Refinement {
  if (prefix.op === 'string' && prefix.text.startsWith('..'))
    return { whenTrue: [], whenFalse: checkedPaths(evaluator, tested, scope, PATH) };
  const value = evaluator.evaluate(tested, scope);
  const inside = evaluator.evaluate(prefix, scope);
  if (!value.isNormalizedPath || isUntrusted(inside)) return NOTHING;
  return { whenTrue: checkedPaths(evaluator, tested, scope, PATH), whenFalse: [] };
}

function ofPatternCall(
  evaluator: Evaluator,
  receiver: IrNode | null,
  args: readonly IrNode[],
  scope: Scope,
  whole: boolean,
): Refinement {
  const callArguments = [...(receiver === null ? [] : [receiver]), ...args];
  const values = callArguments.map((node) => evaluator.evaluate(node, scope));
  const subject = values.findIndex(isTainted);
  if (subject === -1) return NOTHING;
  const pattern = values.find((value, at) => at !== subject && value.text !== null && value.text.length > 1);
  return ofPattern(evaluator, callArguments[subject]!, pattern ?? null, scope, whole);
}

/** A pattern says something where it matches from end to end and leaves out what could climb or break out. */
function ofPattern(
  evaluator: Evaluator,
  subject: IrNode,
  pattern: Value | null,
  scope: Scope,
  whole: boolean,
): Refinement {
  const refinement: Refinement = { whenTrue: checkedPaths(evaluator, subject, scope, INJECTION_KINDS), whenFalse: [] };
  if (pattern === null || pattern.text === null) return refinement;
  const text = pattern.text.replace(/^r?['"]|['"]$/g, '');
  const stripped = /^([/#~@|])(.*)\1[a-z]*$/s.exec(text)?.[2] ?? text;
  const { start, end } = evaluator.rules.patternAnchors;
  const anchored = whole || (start.test(stripped) && end.test(stripped));
  const narrow = !/(^|[^\\])\.[*+]|\[\^|\\S|\\D|\\W/.test(stripped);
  return anchored && narrow ? refinement : NOTHING;
}
