import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** Methods that give the text of an object where one is needed. */
const TEXT_METHODS = ['__str__', '__format__', '__repr__', 'toString', '__toString', 'ToString', 'to_s', 'String'];

/** What the first of these methods that the class of the object has returns without arguments; null: it has none. */
export function objectMethodResult(
  evaluator: Evaluator,
  self: Value,
  names: readonly string[],
  scope: Scope,
): Value | null {
  if (self.instanceOf === null) return null;
  const { classes } = evaluator.objects;
  for (const name of names) {
    const methods = classes.methods(self.instanceOf, name, true);
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

/** The value as a text: of an object of this code, what its method says. */
export function textOf(evaluator: Evaluator, value: Value, scope: Scope): Value {
  return objectMethodResult(evaluator, value, TEXT_METHODS, scope) ?? value;
}
