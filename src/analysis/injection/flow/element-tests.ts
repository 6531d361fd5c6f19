import type { IrCall, IrNode } from '../ir/ir.ts';
import { checkedPaths, evaluateIn, NO_REFINEMENT, type TestContext } from './argument-tests.ts';
import { elementOf } from './source-values.ts';
import { type CheckedPath, type Refinement, UNKNOWN } from './value.ts';

const ALL_OF = /^(?:every|all\?|allMatch|All|TrueForAll)$/;
const ONE_OF = /^(?:some|any\?|anyMatch|Any|Exists)$/;
const NONE_OF = /^(?:none\?|noneMatch)$/;

/** A test of each element of a list: `ids.every(id => ...)`, `allowed.some(one => one === name)`; null: another call. */
export function ofElementTest(
  context: TestContext,
  { callee, args }: IrCall,
  refine: (context: TestContext, node: IrNode) => Refinement,
): Refinement | null {
  const test = args.find(({ value }) => value.op === 'function')?.value;
  if (callee.op !== 'member' || test?.op !== 'function') return null;
  const { name, object } = callee;
  const target = test.parameters[0]?.target;
  if (!(ALL_OF.test(name) || ONE_OF.test(name) || NONE_OF.test(name)) || target?.op !== 'variable') return null;
  const { evaluator } = context;
  const scope = context.scope.branch();
  scope.set(target.name, elementOf(evaluator.rules, evaluateIn(context, object), UNKNOWN, object));
  const body = resultOf(test.body);
  const { whenTrue, whenFalse } = body === null ? NO_REFINEMENT : refine({ evaluator, scope }, body);
  const ofList = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.filter(({ path }) => path === target.name).flatMap(({ kinds }) => checkedPaths(context, object, kinds));
  const ofOthers = (checked: readonly CheckedPath[]): CheckedPath[] =>
    checked.filter(({ path }) => path !== target.name);
  if (ALL_OF.test(name)) return { whenTrue: ofList(whenTrue), whenFalse: [] };
  const one: Refinement = { whenTrue: ofOthers(whenTrue), whenFalse: ofList(whenFalse) };
  return ONE_OF.test(name) ? one : { whenTrue: one.whenFalse, whenFalse: one.whenTrue };
}

/** What a function of one statement returns. */
function resultOf(body: IrNode): IrNode | null {
  if (body.op === 'block') return body.statements.length === 1 ? resultOf(body.statements[0]!) : null;
  return body.op === 'jump' ? (body.jump === 'return' ? body.value : null) : body;
}
