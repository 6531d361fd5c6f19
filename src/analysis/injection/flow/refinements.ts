import { type IrCall, type IrNode, type IrNodeOf, isLiteral } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import {
  evaluateIn,
  checkedPaths,
  NO_REFINEMENT,
  refineByMembership,
  refineByPattern,
  refineByPatternCall,
  refineByPrefix,
  OPTION_KIND,
  pathsOfEquals,
  PATH_KIND,
  safeWhenFalse,
  searchedText,
  safeWhenTrue,
  type TestContext,
  traversalFreePaths,
} from './argument-tests.ts';
import { ofElementTest, ofSubset } from './element-tests.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { commonPaths, ofOwnFunction } from './own-tests.ts';
import { isCharacterTest } from './propagation.ts';
import type { Scope } from './scope.ts';
import { modelPaths } from './validation-rules.ts';
import { isTainted, isUntrusted, type Refinement } from './value.ts';

const VALIDATOR =
  /(^|_|\.)(is|has|in|are)?_?(valid|allowed|safe|permitted|whitelisted|allowlisted|known|supported)|valid(ate)?[A-Z_?]|(Allowed|Valid|Safe|Permitted|Whitelisted|Supported)\b|_(valid|allowed|safe|permitted)\??$/;

/** What the outcome of a test implies for access paths: which are harmless if it is true, and if it is false. */
export function refinementOf(evaluator: Evaluator, test: IrNode, scope: Scope): Refinement {
  return refine({ evaluator, scope }, test);
}

/** After a call that returns only for one outcome of a test, that outcome holds: `abort_unless(test, 404)`. */
export function markGuarded(evaluator: Evaluator, { node, callee, scope }: EvaluatedCall): void {
  const [goesOn] = evaluator.rules.guards.find(callee.names);
  const [test, other] = node.args;
  if (goesOn === undefined || test === undefined) return;
  const left = test.value;
  let tested: IrNode = goesOn === 'itself' ? node : left;
  if (goesOn === 'equal') {
    if (other === undefined) return;
    tested = { op: 'compare', operator: '==', left, right: other.value, syntax: node.syntax };
  }
  const { whenTrue, whenFalse } = refinementOf(evaluator, tested, scope);
  scope.markChecked(goesOn === 'false' ? whenFalse : whenTrue);
}

function refine(context: TestContext, node: IrNode): Refinement {
  switch (node.op) {
    case 'not':
      return swap(refine(context, node.value));
    case 'logical': {
      const left = refine(context, node.left);
      const right = refine(context, node.right);
      const and = node.operator === 'and';
      return and
        ? { whenTrue: [...left.whenTrue, ...right.whenTrue], whenFalse: commonPaths(left.whenFalse, right.whenFalse) }
        : { whenTrue: commonPaths(left.whenTrue, right.whenTrue), whenFalse: [...left.whenFalse, ...right.whenFalse] };
    }
    case 'compare':
      return ofCompare(context, node);
    case 'call':
      return ofEquals(context, node) ?? ofCall(context, node);
    case 'index': {
      // `allowed[name]`, where the map is not itself untrusted.
      const table = evaluateIn(context, node.object);
      return isUntrusted(table) ? NO_REFINEMENT : safeWhenTrue(checkedPaths(context, node.index, INJECTION_KINDS));
    }
    case 'variable':
      return context.scope.get(node.name)?.refinement ?? NO_REFINEMENT;
    case 'assign':
      return refine(context, node.value);
    case 'block':
      return node.statements.length === 0 ? NO_REFINEMENT : refine(context, node.statements.at(-1)!);
    default:
      return NO_REFINEMENT;
  }
}

function swap({ whenTrue, whenFalse }: Refinement): Refinement {
  return { whenTrue: whenFalse, whenFalse: whenTrue };
}

type Compare = IrNodeOf<'compare'>;

const NEGATIVE = new Set(['!=', '!==', '<>', 'not in', 'is not', 'isnt', '!~']);
const NOTHING = new Set(['null', 'nil', 'None', 'undefined', 'NULL']);
const ABSENT = new Set(['false', 'False', 'null', 'nil', 'None', '-1', 'undefined', 'FALSE', 'NULL']);

function ofCompare(context: TestContext, node: Compare): Refinement {
  const { operator, left, right } = node;
  if (operator === 'in' || operator === 'not in') {
    const refinement = refineByMembership(context, left, right);
    return operator === 'in' ? refinement : swap(refinement);
  }
  if (operator === '=~' || operator === '!~') {
    const [subject, pattern] = left.op === 'string' ? [right, left] : [left, right];
    const refinement = refineByPattern(context, subject, evaluateIn(context, pattern), false);
    return operator === '=~' ? refinement : swap(refinement);
  }
  const subset = ofSubset(context, node);
  if (subset !== null) return subset;
  const [subject, value] = isConstant(left) ? [right, left] : [left, right];
  if (isConstant(value)) {
    const refinement = subject.op === 'call' ? ofTestedCall(context, subject, value, operator) : null;
    if (refinement !== null) return refinement;
    // `err != nil`: what is known of a variable that is set.
    if (subject.op === 'variable' && value.op === 'constant' && NOTHING.has(value.text)) {
      const known = refine(context, subject);
      return NEGATIVE.has(operator) ? known : swap(known);
    }
    if (!isLiteral(value) || (value.op === 'constant' && ABSENT.has(value.text))) return NO_REFINEMENT;
    if (value.op === 'string' && value.text === '') return NO_REFINEMENT;
    const first = searchedText(context, value) === '-' ? firstLetterOf(subject) : null;
    if (first !== null) {
      const noOption = safeWhenFalse(checkedPaths(context, first, OPTION_KIND));
      return NEGATIVE.has(operator) ? swap(noOption) : noOption;
    }
    const equal: Refinement = safeWhenTrue(checkedPaths(context, subject, INJECTION_KINDS));
    if (NEGATIVE.has(operator)) return swap(equal);
    return ['==', '===', 'is', 'eq'].includes(operator) ? equal : NO_REFINEMENT;
  }
  if (operator === '==' || operator === '===' || operator === '!=' || operator === '!==') {
    const equal = safeWhenTrue(pathsOfEquals(context, left, right));
    return operator.startsWith('!') ? swap(equal) : equal;
  }
  return NO_REFINEMENT;
}

/** `one.equals(other)`; null: another call. */
function ofEquals(context: TestContext, { callee, args, syntax }: IrCall): Refinement | null {
  const [right] = args;
  if (callee.op !== 'member' || args.length !== 1 || right === undefined) return null;
  if (!/^(?:equals|Equals|eql\?|contentEquals)$/.test(callee.name)) return null;
  return ofCompare(context, { op: 'compare', operator: '==', left: callee.object, right: right.value, syntax });
}

/** The text whose first letter the node is: `text[0]`, `text.charAt(0)`; null: another expression. */
function firstLetterOf(node: IrNode): IrNode | null {
  if (node.op === 'index') return isZero(node.index) ? node.object : null;
  if (node.op !== 'call' || node.callee.op !== 'member') return null;
  const [position] = node.args;
  if (!/^(charAt|at|codePointAt|elementAt|ElementAt)$/.test(node.callee.name)) return null;
  return position !== undefined && isZero(position.value) ? node.callee.object : null;
}

function isZero(node: IrNode): boolean {
  return node.op === 'constant' && node.text === '0';
}

function isConstant(node: IrNode): boolean {
  return isLiteral(node) || (node.op === 'compare' && node.operator === '-' && node.left.op === 'constant');
}

/** A call whose result is compared: `strpos($real, $base) === 0`, `typeof x === 'number'`. */
function ofTestedCall(context: TestContext, call: IrCall, value: IrNode, operator: string): Refinement | null {
  const [argument] = call.args;
  if (call.callee.op === 'variable' && call.callee.name === 'typeof' && argument !== undefined) {
    if (value.op !== 'string' || !/^(number|boolean|bigint)$/.test(value.text)) return NO_REFINEMENT;
    const typed: Refinement = {
      whenTrue: checkedPaths(context, argument.value, INJECTION_KINDS),
      whenFalse: [],
    };
    return NEGATIVE.has(operator) ? swap(typed) : typed;
  }
  const isStart = isPosition(call) && !/[<>]/.test(operator) && value.op === 'constant' && value.text === '0';
  const refinement = ofCall(context, call, isStart);
  if (refinement.whenTrue.length + refinement.whenFalse.length === 0) return null;
  const text = value.op === 'compare' ? '-1' : value.op === 'constant' || value.op === 'string' ? value.text : '';
  const description = outcomeOf(operator, text, isPosition(call));
  if (description === null) return null;
  return description ? refinement : swap(refinement);
}

/** Functions that return the position of a text in another one: 0 is the beginning, -1 and false mean that it is missing. */
function isPosition({ callee }: IrCall): boolean {
  const name = callee.op === 'member' || callee.op === 'variable' ? callee.name : '';
  return /^(str(i)?pos|mb_strpos|(?:last)?[iI]ndexOf|IndexOfAny|Index\w*|find|search|strncmp|strncasecmp|compare)$/.test(
    name,
  );
}

function outcomeOf(operator: string, text: string, position: boolean): boolean | null {
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

/** `isStart`: the result is compared with the position of the beginning. */
function ofCall(context: TestContext, call: IrCall, isStart = false): Refinement {
  // A test only tells something of what is tainted.
  if (context.evaluator.wasHarmless(call)) return NO_REFINEMENT;
  const { rules } = context.evaluator;
  const { callee } = call;
  const receiver = callee.op === 'member' ? callee.object : null;
  const args = call.args.map(({ value }) => value);
  const called = evaluateIn(context, callee);
  const { names } = called;
  const own = ofOwnFunction(context, call, called, refine);
  if (own !== null) return own;
  const ofElements = ofElementTest(context, call, refine);
  if (ofElements !== null) return ofElements;
  const [first, second] = args;
  if (receiver !== null && args.length === 0 && names.some((name) => name.endsWith('.validate'))) {
    const model = modelPaths(context.evaluator, receiver, evaluateIn(context, receiver), context.scope);
    if (model.length > 0) return safeWhenTrue(model);
  }
  const isMemberFunction = rules.membershipFunctions.has(names);
  if (!isMemberFunction && rules.membershipMethods.has(names) && receiver !== null && first !== undefined) {
    if (isStart) return refineByPrefix(context, receiver, first, false);
    const member = refineByMembership(context, first, receiver);
    return names.some((name) => NEGATED_MEMBERSHIP.test(name)) ? swap(member) : member;
  }
  if (rules.prefixTests.has(names)) {
    // `path.StartsWith(root, comparison)`, but `strings.HasPrefix(path, root)`.
    const isMethod = receiver !== null && (args.length === 1 || isUntrusted(evaluateIn(context, receiver)));
    const tested = isMethod ? receiver : first;
    const prefix = isMethod || args.length === 1 ? first : second;
    return tested === undefined || prefix === undefined
      ? NO_REFINEMENT
      : refineByPrefix(context, tested, prefix, isPosition(call) && !isStart);
  }
  if (isMemberFunction && !isStart) return ofMemberFunction(context, args);
  const whole = rules.fullMatchTests.has(names);
  if (whole || rules.patternTests.has(names)) {
    const isSearch = callee.op === 'member' && callee.name === 'search';
    return refineByPatternCall(context, receiver, args, whole, isSearch);
  }
  if (rules.numericOption !== null && first !== undefined) {
    const isNumeric = args.some((node) =>
      evaluateIn(context, node).names.some((name) => rules.numericOption!.test(name)),
    );
    if (isNumeric) return safeWhenTrue(checkedPaths(context, first, INJECTION_KINDS));
  }
  if (rules.typeTests.has(names)) {
    // A text may hold anything.
    const type = second ?? (receiver !== null && isTainted(evaluateIn(context, receiver)) ? first : undefined);
    if (type !== undefined && namesOf(type).some((name) => TEXT_TYPE.test(name))) return NO_REFINEMENT;
    const tested = [receiver, ...args].filter((node) => node !== null && isTainted(evaluateIn(context, node)));
    return safeWhenTrue(tested.flatMap((node) => checkedPaths(context, node!, INJECTION_KINDS)));
  }
  // It converts a text to a number, `Number.isNaN` does not.
  if (names[0] === 'isNaN' && first !== undefined) return safeWhenFalse(checkedPaths(context, first, INJECTION_KINDS));
  // `char.IsLetter(text, 0)` tests one of several.
  if (args.length === 1 && isCharacterTest(names))
    return safeWhenTrue(args.flatMap((node) => checkedPaths(context, node, INJECTION_KINDS)));
  if (rules.pathTests.has(names)) {
    const tested = [receiver, ...args].filter((node) => node !== null && node !== undefined);
    return safeWhenTrue(tested.flatMap((node) => checkedPaths(context, node, PATH_KIND)));
  }
  if (names.some((path) => VALIDATOR.test(path.slice(path.lastIndexOf('.') + 1)))) {
    return safeWhenTrue(args.flatMap((node) => checkedPaths(context, node, INJECTION_KINDS)));
  }
  return NO_REFINEMENT;
}

/** `in_array(x, list)`, `slices.Contains(list, x)`, `isset(table[x])`, `strpos(path, '..')`. */
function ofMemberFunction(context: TestContext, args: readonly IrNode[]): Refinement {
  const [first, second] = args;
  if (first === undefined) return NO_REFINEMENT;
  if (second === undefined) return refine(context, first);
  const text = searchedText(context, second);
  if (text !== null) return safeWhenFalse(traversalFreePaths(context, text, first));
  const one = evaluateIn(context, first);
  return isUntrusted(one) ? refineByMembership(context, first, second) : refineByMembership(context, second, first);
}

const NEGATED_MEMBERSHIP = /(?:^|\.)(?:exclude\?|none\?|doesntContain)$/;
const TEXT_TYPE =
  /^(?:str|bytes|bytearray|basestring|unicode|list|tuple|dict|set|object|Sequence|Iterable|Mapping|Path|PurePath|String|Array|Hash|Symbol|Object|Parameters)$/;

/** The types that a test of the type names. */
function namesOf(node: IrNode): readonly string[] {
  if (node.op === 'list') return node.elements.flatMap(namesOf);
  return node.op === 'variable' || node.op === 'member' ? [node.name] : [];
}
