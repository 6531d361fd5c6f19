import type { EvaluatedCall } from './call-types.ts';
import type { Evaluator } from './evaluator.ts';
import { UNKNOWN, type Value } from './value.ts';

/** The result of a call that keeps a value in a context, or reads request data that was kept there; null: it does neither. */
export function keptInContext(
  evaluator: Evaluator,
  { node, callee: { names }, receiver, args, scope }: EvaluatedCall,
): Value | null {
  const { rules, handed, objects } = evaluator;
  const [keeper] = rules.contextSetters.find(names);
  const object =
    node.callee.op === 'member' && receiver !== null
      ? { name: null, node: node.callee.object, value: receiver, result: null }
      : undefined;
  const [first] = args;
  const kept = keeper === undefined ? undefined : args[keeper.value];
  if (keeper !== undefined && kept !== undefined) {
    const key = keeper.key === 'receiver' ? object : args[keeper.key];
    const { value } = kept;
    if (key === undefined) return null;
    handed.keep(key, objects.detached(value, scope));
    if (receiver?.fields == null && keeper.isOpen !== true) return UNKNOWN;
  }
  if (receiver?.fields != null || !rules.contextGetters.has(names)) return null;
  return (
    [object, first].map((key) => (key === undefined ? null : handed.kept(key))).find((value) => value !== null) ?? null
  );
}
