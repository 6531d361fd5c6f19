import type { IrCall, IrNode, IrNodeOf } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import {
  checkedPaths,
  evaluateIn,
  refineByMembership,
  safeWhenFalse,
  safeWhenTrue,
  type TestContext,
} from './argument-tests.ts';
import { keepsLetters } from './propagation.ts';
import type { Scope } from './scope.ts';
import { elementOf } from './source-values.ts';
import { type CheckedPath, type Refinement, UNKNOWN } from './value.ts';

const ALL_OF = /^(?:every|all\??|allMatch|All|TrueForAll)$/;
const ONE_OF = /^(?:some|any\??|anyMatch|Any|Exists)$/;
const NONE_OF = /^(?:none\?|noneMatch)$/;
const SET = /^(?:set|frozenset)$/;

/** A test of each element of a list or character of a text. */
interface ElementTest {
  readonly name: string;
  readonly over: IrNode;
  readonly target: IrNode | undefined;
  /** Null: a function that keeps letters and digits alone. */
  readonly body: IrNode | null;
}

type Refine = (context: TestContext, node: IrNode) => Refinement;

/** `ids.every(id => ...)`, `allowed.some(one => one === name)`, `all(c in LETTERS for c in name)`; null: another call. */
export function ofElementTest(context: TestContext, call: IrCall, refine: Refine): Refinement | null {
  const subset = ofSubset(context, call);
  if (subset !== null) return subset;
  const test = elementTest(context, call);
  if (test === null) return null;
  const { name, over, target, body } = test;
  const { evaluator } = context;
  const whole = textOfCharacters(over);
  if (body === null) return ofOutcome(name, checkedPaths(context, whole, INJECTION_KINDS), [], []);
  if (target?.op !== 'variable') return null;
  const scope = context.scope.branch();
  scope.set(target.name, elementOf(evaluator.rules, evaluateIn(context, over), UNKNOWN, over));
  const { whenTrue, whenFalse } = refine({ evaluator, scope }, body);
  const ofList = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.filter(({ path }) => path === target.name).flatMap(({ kinds }) => checkedPaths(context, whole, kinds));
  const ofOthers = checkedOthers(whenTrue, target.name);
  return ofOutcome(name, ofList(whenTrue), ofList(whenFalse), ofOthers);
}

/** What is known where all elements pass the test, where none does, and where one does. */
function ofOutcome(
  name: string,
  ofAll: readonly CheckedPath[],
  ofNone: readonly CheckedPath[],
  ofOne: readonly CheckedPath[],
): Refinement {
  if (ALL_OF.test(name)) return safeWhenTrue(ofAll);
  return ONE_OF.test(name) ? { whenTrue: ofOne, whenFalse: ofNone } : { whenTrue: ofNone, whenFalse: ofOne };
}

function checkedOthers(checked: readonly CheckedPath[], name: string): CheckedPath[] {
  return checked.filter(({ path }) => path !== name);
}

function elementTest(context: TestContext, { callee, args }: IrCall): ElementTest | null {
  if (callee.op !== 'member' && callee.op !== 'variable') return null;
  const { name } = callee;
  if (!ALL_OF.test(name) && !ONE_OF.test(name) && !NONE_OF.test(name)) return null;
  const first = args[0]?.value;
  if (callee.op === 'variable') {
    if (first?.op !== 'comprehension') return null;
    return { name, over: first.over, target: first.target, body: first.body };
  }
  const test = args.find(({ value }) => value.op === 'function')?.value;
  if (test?.op === 'function') {
    const body = resultOf(test.body);
    return body === null ? null : { name, over: callee.object, target: test.parameters[0]?.target, body };
  }
  if (first === undefined || args.length !== 1 || !keepsLetters(evaluateIn(context, first))) return null;
  return { name, over: callee.object, target: undefined, body: null };
}

/** `set(name) <= set(LETTERS)`, `set(name) - set(LETTERS)`, `set(name).issubset(LETTERS)`: whether all characters are among these; null: another test. */
export function ofSubset(context: TestContext, node: IrCall | IrNodeOf<'compare'>): Refinement | null {
  if (node.op === 'compare') {
    if (!/^(?:<=|-)$/.test(node.operator) || !isSet(node.left)) return null;
    const subset = refineByMembership(context, textOfCharacters(node.left), textOfCharacters(node.right));
    return node.operator === '-' ? safeWhenFalse(subset.whenTrue) : subset;
  }
  const [argument] = node.args;
  if (node.callee.op !== 'member' || node.callee.name !== 'issubset' || argument === undefined) return null;
  return refineByMembership(context, textOfCharacters(node.callee.object), textOfCharacters(argument.value));
}

function isSet(node: IrNode): boolean {
  return node.op === 'call' && node.callee.op === 'variable' && SET.test(node.callee.name);
}

/** The text whose characters the node is: `[...text]`, `text.split('')`, `text.chars()`, `set(text)`; otherwise the node. */
function textOfCharacters(node: IrNode): IrNode {
  if (node.op === 'list') {
    const [only] = node.elements;
    return node.elements.length === 1 && only?.op === 'spread' ? only.value : node;
  }
  if (node.op === 'member' && /^(?:chars|each_char)$/.test(node.name)) return node.object;
  if (node.op !== 'call') return node;
  const { callee, args } = node;
  const [argument] = args;
  if (isSet(node) || (callee.op === 'member' && callee.name === 'from')) return argument?.value ?? node;
  if (callee.op !== 'member') return node;
  const isSplit = callee.name === 'split' && argument?.value.op === 'string' && argument.value.text === '';
  return isSplit || /^(?:chars|codePoints|toCharArray|ToCharArray|each_char|AsEnumerable)$/.test(callee.name)
    ? callee.object
    : node;
}

/** After a loop that only goes on where its element passed a test, the list or text over which it ran has passed it. */
export function markCheckedElements(context: TestContext, node: IrNodeOf<'loop'>, end: Scope): void {
  const [header, ...body] = node.statements;
  let last = header;
  while (last?.op === 'block') last = last.statements.at(-1);
  if (last?.op !== 'assign' || last.target.op !== 'variable') return;
  const { target, value } = last;
  if (value.op !== 'index' || value.index.op !== 'empty') return;
  const { object } = value;
  const before = elementOf(context.evaluator.rules, evaluateIn(context, object), UNKNOWN, object);
  const after = end.get(target.name);
  const kinds = INJECTION_KINDS.filter(
    (kind) => before.taint[kind] !== undefined && after !== undefined && after.taint[kind] === undefined,
  );
  if (kinds.length > 0 && !assigns(body, target.name))
    context.scope.markChecked(checkedPaths(context, textOfCharacters(object), kinds));
}

/** Whether a part of the code gives the variable another value; functions inside are left out. */
function assigns(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { op, target } = part as Partial<IrNodeOf<'assign'>>;
  if (op === 'assign' && target?.op === 'variable' && target.name === name) return true;
  const isInner = /^(?:function|class)$/.test(String(op));
  return !isInner && Object.entries(part).some(([key, value]) => key !== 'syntax' && assigns(value, name));
}

/** What a function of one statement returns. */
function resultOf(body: IrNode): IrNode | null {
  if (body.op === 'block') return body.statements.length === 1 ? resultOf(body.statements[0]!) : null;
  return body.op === 'jump' ? (body.jump === 'return' ? body.value : null) : body;
}
