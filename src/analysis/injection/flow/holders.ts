import { changeObject } from './assignments.ts';
import type { ContainerCall } from './container-call.ts';
import { withField } from './fields.ts';
import { recordValue } from './merge-values.ts';
import { type Value, withIdentity } from './value.ts';

/** What makes an object that holds one value: of a thread, of a flow of calls, or for several threads. */
export const HOLDER = /(?:^|[.:])(?:Inheritable)?(?:ThreadLocal|AsyncLocal|AtomicReference)(?:\.withInitial)?$/;

const HOLDER_TYPE = /^(?:Inheritable)?(?:ThreadLocal|AsyncLocal|AtomicReference)\b/;

/** An object that holds the value, as a thread local does. */
export function holder(value: Value): Value {
  return withIdentity({ ...recordValue([['Value', value]]), typeName: 'ThreadLocal' });
}

/** `set(x)` and `get()` of such an object; null: another object. */
export function heldResult({ evaluator, scope, name, object, receiver, values }: ContainerCall): Value | null {
  const { fields, typeName } = receiver;
  if (fields === null || !HOLDER_TYPE.test(typeName ?? '')) return null;
  const [first] = values;
  if (first !== undefined && /^(?:set|lazySet|getAndSet)$/.test(name))
    changeObject(evaluator, object, receiver, withField(receiver, 'Value', first), scope);
  return name.startsWith('get') ? (fields.get('Value') ?? null) : null;
}
