import type { IrNode } from '../ir/ir.ts';
import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { objectMethodResult } from './object-methods.ts';
import { entryOf, keyOfRecord, partsOfFields } from './record-keys.ts';
import type { Scope } from './scope.ts';
import { elementOf } from './source-values.ts';
import { listValue, UNKNOWN, type Value } from './value.ts';

/** Methods that give the iterator of an object, and those of an iterator that give what comes next. */
const ITERATORS = ['__iter__', '__aiter__', '[Symbol.iterator]', '[Symbol.asyncIterator]', 'getIterator', 'iterator'];
const NEXT = ['__next__', '__anext__', 'next', 'current'];

/** What a loop over the value gets: an element of it, or what its iterator gives. */
export function iterated(evaluator: Evaluator, value: Value, node: IrNode, scope: Scope): Value {
  if (value.fn !== null) {
    // A function that yields, as in Go.
    const made = evaluator.functions.follow(
      [{ fn: value.fn, outside: value.outside as Scope | null, self: null }],
      [],
      scope,
    );
    if (made !== null) return elementOf(evaluator.rules, made, UNKNOWN, node);
  }
  if (value.instanceOf === null) {
    const { recordsIterate } = evaluator.program;
    if (value.fields === null || recordsIterate === 'values') return elementOf(evaluator.rules, value, UNKNOWN, node);
    return (recordsIterate === 'keys' ? keyOfRecord : entryOf)(evaluator.rules, value, node);
  }
  const iterator = objectMethodResult(evaluator, value, ITERATORS, scope) ?? value;
  const next = objectMethodResult(evaluator, iterator, NEXT, scope);
  // In JavaScript it is a record with the value.
  if (next !== null) return next.fields?.get('value') ?? next;
  return elementOf(evaluator.rules, iterator, UNKNOWN, node);
}

/** The list of pairs that a call makes of a list or record: `enumerate(list)`, `record.items()`; null: it makes none. */
export function pairsOf(
  evaluator: Evaluator,
  qualifiedName: string,
  { node, receiver, args }: EvaluatedCall,
): Value | null {
  const first = args[0]?.value;
  if (qualifiedName === 'enumerate' && first !== undefined) {
    return listValue([listValue([UNKNOWN, elementOf(evaluator.rules, first, UNKNOWN, node)])]);
  }
  const record = qualifiedName === 'Object.entries' ? first : qualifiedName.endsWith('.items') ? receiver : null;
  return record?.fields == null || record.fields.size === 0 ? null : partsOfFields(record, 'entries');
}

/** What a loop gets that asks for keys: of a channel an element, of a function that yields the first value. */
export function keyInLoop(evaluator: Evaluator, over: Value, node: IrNode, scope: Scope): Value {
  if (over.typeName === 'chan' || over.fn !== null) return iterated(evaluator, over, node, scope);
  return over.typeName?.startsWith('[]') === true ? UNKNOWN : keyOfRecord(evaluator.rules, over, node);
}
