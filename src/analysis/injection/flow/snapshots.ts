import type { Scope } from './scope.ts';
import { isRequestTainted, type Value, withIdentity } from './value.ts';

/** Objects inside of objects. */
const MAX_DEPTH = 4;

/** The value with all objects in it as they are now, for where the scope does not reach. */
export function snapshot(value: Value, scope: Scope, depth = MAX_DEPTH): Value {
  const now = value.identity === null ? value : scope.objectOf(value.identity);
  if (depth === 0) return { ...now, identity: null };
  const inside = (one: Value): Value => snapshot(one, scope, depth - 1);
  const elements = now.elements?.map(inside) ?? null;
  const fields = now.fields === null ? null : new Map([...now.fields].map(([name, one]) => [name, inside(one)]));
  const copy: Value = { ...now, elements, fields, constant: undefined, fromSource: false, identity: null };
  return value.identity === null ? copy : withIdentity(copy);
}

/** Whether request data is in the value, or in an object inside of it. */
export function holdsRequest(value: Value, depth = MAX_DEPTH): boolean {
  if (isRequestTainted(value)) return true;
  if (depth === 0) return false;
  return [...(value.elements ?? []), ...(value.fields?.values() ?? [])].some((one) => holdsRequest(one, depth - 1));
}
