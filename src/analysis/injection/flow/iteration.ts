import type { IrNode } from '../ir/ir.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import { elementOf } from './source-values.ts';
import { UNKNOWN, type Value } from './value.ts';

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
  if (value.instanceOf === null) return elementOf(evaluator.rules, value, UNKNOWN, node);
  const iterator = resultOf(evaluator, value, ITERATORS, scope) ?? value;
  const next = iterator.instanceOf === null ? null : resultOf(evaluator, iterator, NEXT, scope);
  // In JavaScript it is a record with the value.
  if (next !== null) return next.fields?.get('value') ?? next;
  return elementOf(evaluator.rules, iterator, UNKNOWN, node);
}

function resultOf(evaluator: Evaluator, self: Value, names: readonly string[], scope: Scope): Value | null {
  const { classes } = evaluator.objects;
  for (const name of names) {
    const methods = classes.methods(self.instanceOf!, name, true);
    if (methods.length === 0) continue;
    const targets = methods.map((fn) => ({
      fn,
      outside: fn.owner === null ? null : evaluator.objects.outsideOf(fn.owner),
      self,
    }));
    return evaluator.functions.follow(targets, [], scope);
  }
  return null;
}
