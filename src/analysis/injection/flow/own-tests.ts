import type { IrCall, IrFunction, IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import { checkedPaths, evaluateIn, NO_REFINEMENT, type TestContext } from './argument-tests.ts';
import { truthOf, writtenConstant } from './constants.ts';
import { callTargets } from './evaluated-call.ts';
import { type CheckedPath, type Refinement, UNKNOWN, type Value } from './value.ts';

/** Ways through a function that are told apart. */
const MAX_WAYS = 24;

type Refine = (context: TestContext, node: IrNode) => Refinement;

/** One way through a function: what the tests on it imply, and the value that it returns. */
interface Way {
  readonly checked: readonly CheckedPath[];
  readonly result: IrNode | null;
}

/** If a test calls a function of this code, what its result implies for the parameters holds for the arguments; null: not known. */
export function ofOwnFunction(context: TestContext, call: IrCall, callee: Value, refine: Refine): Refinement | null {
  const receiver = call.callee.op === 'member' ? evaluateIn(context, call.callee.object) : null;
  const { evaluator, scope } = context;
  const [target] = callTargets(evaluator, { node: call, callee, receiver, scope }, call.args.length);
  if (target === undefined) return null;
  const { fn } = target;
  const inner = scope.branch();
  const args = new Map<string, IrNode>();
  const given = new Set<string>();
  for (const [index, { target: parameter }] of fn.parameters.entries()) {
    const written = call.args[index];
    const argument = written?.value.op === 'assign' ? written.value.target : written?.value;
    if (parameter.op !== 'variable' || argument === undefined || argument.op === 'function') continue;
    inner.set(parameter.name, evaluateIn(context, argument));
    args.set(parameter.name, argument);
    // Its value after the call is known here.
    if (written?.isOut === true) given.add(parameter.name);
  }
  const refinement = evaluator.guardRecursion(fn, () => ofFunction({ evaluator, scope: inner, given }, fn, refine));
  if (refinement === null || refinement === undefined) return null;
  const ofArguments = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.flatMap(({ path, kinds }) => {
      const argument = args.get(path);
      return argument === undefined || (fn.assigned.has(path) && !given.has(path))
        ? []
        : checkedPaths(context, argument, kinds);
    });
  return { whenTrue: ofArguments(refinement.whenTrue), whenFalse: ofArguments(refinement.whenFalse) };
}

function ofFunction(context: TestContext, { body }: IrFunction, refine: Refine): Refinement | null {
  const ways = waysThrough(context, body, [{ checked: [], result: null }], refine);
  if (ways === null) return null;
  let whenTrue: readonly CheckedPath[] | null = null;
  let whenFalse: readonly CheckedPath[] | null = null;
  for (const { checked, result } of ways) {
    const truth = result === null ? false : truthOfResult(result);
    const refinement = result === null || truth !== undefined ? NO_REFINEMENT : refine(context, result);
    if (truth !== false) whenTrue = both(whenTrue, [...checked, ...refinement.whenTrue]);
    if (truth !== true) whenFalse = both(whenFalse, [...checked, ...refinement.whenFalse]);
  }
  return { whenTrue: whenTrue ?? [], whenFalse: whenFalse ?? [] };
}

function both(before: readonly CheckedPath[] | null, added: readonly CheckedPath[]): readonly CheckedPath[] {
  return before === null ? added : commonPaths(before, added);
}

/** The paths that both lists say are harmless. */
export function commonPaths(one: readonly CheckedPath[], other: readonly CheckedPath[]): CheckedPath[] {
  return one.flatMap(({ path, kinds }) => {
    const common = kinds.filter((kind) =>
      other.some((checked) => checked.path === path && checked.kinds.includes(kind)),
    );
    return common.length === 0 ? [] : [{ path, kinds: common }];
  });
}

function truthOfResult(node: IrNode): boolean | undefined {
  if (node.op === 'block' && node.statements.length === 1) return truthOfResult(node.statements[0]!);
  if (isError(node)) return true;
  return node.op === 'constant' ? truthOf(writtenConstant(node.text)) : undefined;
}

/** Whether a result is an error, which is there: `errors.New('...')`, `os.ErrInvalid`, `new Error()`. */
function isError(node: IrNode): boolean {
  if (node.op === 'call') {
    const { callee } = node;
    return (
      (callee.op === 'member' || callee.op === 'variable') &&
      /^(?:New|Errorf|Wrapf?|new:\w*(?:Error|Exception))$/.test(callee.name)
    );
  }
  return (node.op === 'member' || node.op === 'variable') && /^[eE]rr[A-Z]/.test(node.name);
}

/** All ways through a statement; those with a result end there. Null: there are too many, or a loop. */
function waysThrough(context: TestContext, node: IrNode, ways: readonly Way[], refine: Refine): readonly Way[] | null {
  const open = ways.filter(({ result }) => result === null);
  const ended = ways.filter(({ result }) => result !== null);
  if (open.length === 0) return ended;
  switch (node.op) {
    case 'block': {
      let current: readonly Way[] | null = open;
      for (const statement of node.statements) {
        if (current !== null) current = waysThrough(context, statement, current, refine);
      }
      return current === null ? null : [...ended, ...current];
    }
    case 'jump':
      if (node.jump === 'throw') return ended;
      return node.jump === 'return'
        ? [...ended, ...open.map(({ checked }) => ({ checked, result: node.value }))]
        : null;
    case 'conditional': {
      const { whenTrue, whenFalse } = refine(context, node.test);
      const after = [[node.whenTrue, whenTrue] as const, [node.whenFalse, whenFalse] as const].map(([branch, more]) =>
        waysThrough(
          context,
          branch,
          open.map(({ checked }) => ({ checked: [...checked, ...more], result: null })),
          refine,
        ),
      );
      const [one, other] = after;
      if (one == null || other == null || one.length + other.length > MAX_WAYS) return null;
      return [...ended, ...one, ...other];
    }
    case 'assign':
      if (node.target.op === 'variable' && node.how === 'set' && context.given?.has(node.target.name) !== true) {
        context.scope.set(node.target.name, { ...UNKNOWN, refinement: refine(context, node.value) });
      }
      return node.value.op === 'call' ? waysThrough(context, node.value, ways, refine) : ways;
    case 'call':
      return ways.map((way) => (way.result === null ? passing(context, node, way) : way));
    case 'try': {
      if (node.finalizer.op !== 'empty') return null;
      // An exception may come before any test of the body.
      const parts = [node.body, ...node.handlers.map((one) => (one.op === 'handler' ? one.body : one))];
      const after = parts.map((part) => waysThrough(context, part, open, refine));
      if (after.includes(null) || after.flat().length > MAX_WAYS) return null;
      return [...ended, ...after.flatMap((each) => each ?? [])];
    }
    case 'loop':
    case 'switch':
      return null;
    default:
      return ways;
  }
}

/** The way after a call that throws for what is no number: `Integer.parseInt(text)`. */
function passing(context: TestContext, { callee, args }: IrCall, way: Way): Way {
  const [argument] = args;
  if (argument === undefined || !context.evaluator.rules.converters.has(evaluateIn(context, callee).names)) return way;
  return { ...way, checked: [...way.checked, ...checkedPaths(context, argument.value, INJECTION_KINDS)] };
}
