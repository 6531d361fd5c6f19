import type { IrFunction } from '../ir/ir.ts';
import { currentSelf } from './current-self.ts';
import type { EvaluatedCall } from './call-types.ts';
import { methodTarget } from './evaluated-call.ts';
import type { Evaluator } from './evaluator.ts';
import { mergeValues } from './merge-values.ts';
import { isTainted, UNKNOWN, UNKNOWN_PART, type Value } from './value.ts';

/** Of methods whose name fits, so many are followed. */
const MAX_METHODS = 10;
/** Functions of Ruby that call the method with the name in their first argument. */
const SENDERS = /^(?:public_send|send|__send__|try|try!)$/;

/** The methods of the object whose name may be this text: `"do_" + name`; null: there are none. */
export function methodsNamed({ objects }: Evaluator, object: Value, named: Value): Value | null {
  const { text } = named;
  if (object.instanceOf === null || text === null) return null;
  const [before = '', ...others] = text.split(UNKNOWN_PART);
  const after = others.at(-1) ?? '';
  const isKnown = others.length === 0 && !isTainted(named);
  if (!isKnown && before === '' && after === '') return null;
  const fits = (name: string): boolean => (isKnown ? name === before : name.startsWith(before) && name.endsWith(after));
  const found: IrFunction[] = [];
  for (const { methods } of objects.classes.lineage(object.instanceOf)) {
    for (const [name, overloads] of methods) if (fits(name)) found.push(...overloads);
  }
  return found.length === 0
    ? null
    : mergeValues(found.slice(0, MAX_METHODS).map((fn) => ({ ...UNKNOWN, fn, isDeclared: true })));
}

/** `getattr(self, "do_" + name)`; null: another call, or no such method. */
export function attributeNamed(evaluator: Evaluator, { callee, args }: EvaluatedCall): Value | null {
  const [object, name] = args;
  if (callee.names[0] !== 'getattr' || object === undefined || name === undefined) return null;
  return methodsNamed(evaluator, object.value, name.value);
}

/** `public_send("by_#{name}", value)`, `call_user_func([$this, $name], $value)`: what the method returns; null: another call. */
export function sentResult(evaluator: Evaluator, call: EvaluatedCall): Value | null {
  const [first, ...rest] = call.args;
  const sent = first === undefined ? null : sentMethod(evaluator, call, first.value);
  const found = sent === null ? null : methodsNamed(evaluator, sent.object, sent.name);
  if (sent === null || found === null) return null;
  const functions = found.choices.length > 0 ? found.choices : [found];
  const targets = functions.map(({ fn }) => methodTarget(evaluator, fn!, sent.object));
  return evaluator.functions.follow(targets, rest, call.scope);
}

/** The object whose method is called, and the name of that; null: another call. */
function sentMethod(
  { program }: Evaluator,
  { node: { callee: written }, callee, receiver, scope }: EvaluatedCall,
  first: Value,
): { object: Value; name: Value } | null {
  if (callee.names[0] === 'call_user_func') {
    const [object, name] = first.elements ?? [];
    return object === undefined || name === undefined ? null : { object, name };
  }
  const isSender =
    program.callsByName && (written.op === 'member' || written.op === 'variable') && SENDERS.test(written.name);
  const object = written.op === 'variable' ? currentSelf(scope) : receiver;
  return isSender && object !== null ? { object, name: first } : null;
}
