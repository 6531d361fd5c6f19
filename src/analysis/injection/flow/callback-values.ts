import type { IrNode } from '../ir/ir.ts';
import type { Evaluator } from './evaluator.ts';
import { callsForEach } from './list-functions.ts';
import { elementOf } from './source-values.ts';
import { isTainted, UNKNOWN, type Value } from './value.ts';

/** Whether the value is tainted by more than a name that the code does not define. */
export function isCertainlyPassed(value: Value): boolean {
  return isTainted(value) && value.taint.sql?.level !== 'free';
}

/** Methods of builders that call their callback with the builder and the value before it. */
const WITH_VALUE = /\.(?:when|unless|modify|tap|thru|pipe|with|apply|if|andWhen|whereWhen)$/;

/** What a function of a library passes to the callback after these arguments: `_.map(list, item => ...)`, `query.when(value, (query, value) => ...)`. */
export function passedValues({ rules }: Evaluator, { names }: Value, before: readonly Value[], node: IrNode): Value[] {
  const [first] = before;
  const name = names[0] ?? '';
  if (first === undefined || !isCertainlyPassed(first)) return [];
  if (callsForEach(name.slice(name.lastIndexOf('.') + 1)))
    return [{ ...elementOf(rules, first, UNKNOWN, node), fromSource: false }];
  return WITH_VALUE.test(name) ? [UNKNOWN, { ...first, fromSource: false }] : [];
}
