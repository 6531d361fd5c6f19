import { accessPathOf } from '../ir/access-path.ts';
import type { CallArgument, EvaluatedCall } from './call-types.ts';
import { concatValues } from './join-values.ts';
import { isTainted, listValue, type Value, withoutTaint } from './value.ts';

/** Calls that give a path from the root on, which is no option. */
const ABSOLUTE = /(?:resolve|realpath\w*|abspath|expand_path|\w*(?:Absolute|Canonical|Real)Path|GetFullPath|Abs)$/;

/** What `splitext` gives: all but the extension, and the extension, which holds no separator. Null: another call. */
export function splitExtension({ callee }: EvaluatedCall, [path]: readonly Value[]): Value | null {
  if (path === undefined || !/(?:^|\.)splitext$/.test(callee.names[0] ?? '')) return null;
  const whole = { ...path, names: [], text: null, constant: undefined };
  return listValue([whole, withoutTaint(whole, ['path'])]);
}

/** A path in which `..` is resolved; its tests hold for what it was made of. */
export function normalizedPath(call: EvaluatedCall, operands: readonly Value[]): Value {
  const { receiver, args } = call;
  const value = concatValues(operands);
  // A path that begins at the root cannot climb.
  const isRooted = value.text?.startsWith('/\0') === true;
  const isAbsolute = isRooted || ABSOLUTE.test(call.callee.names[0] ?? '');
  const safe = isRooted ? withoutTaint(value, ['path']) : value;
  const own = receiver !== null && isTainted(receiver) ? receiverPath(call) : [];
  return {
    ...(isAbsolute ? withoutTaint(safe, ['option']) : safe),
    isNormalizedPath: true,
    refines: [...argumentPaths(args), ...own],
  };
}

/** The access paths of the arguments, without those that are no variables or members. */
export function argumentPaths(args: readonly CallArgument[]): string[] {
  return args
    .flatMap(({ node }) => (node.op === 'list' ? node.elements : [node]))
    .map(accessPathOf)
    .filter((path) => path !== null);
}

/** The access path of the object that a method is called on, as a list; empty: it has no access path. */
export function receiverPath({ node: { callee } }: EvaluatedCall): string[] {
  const path = callee.op === 'member' ? accessPathOf(callee.object) : null;
  return path === null ? [] : [path];
}
