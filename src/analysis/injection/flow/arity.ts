import type { CallTarget } from './call-types.ts';

/** More are not followed anyway. */
const MAX_OVERLOADS = 40;

/** Of overloads, those that take so many arguments; all, if none does. */
export function byArity(targets: readonly CallTarget[], count: number): readonly CallTarget[] {
  if (targets.length <= 1 || targets.length > MAX_OVERLOADS) return targets;
  const fitting = targets.filter(({ fn: { parameters } }) => {
    const required = parameters.filter(({ defaultValue, isRest }) => defaultValue === null && !isRest).length;
    return count >= required && (count <= parameters.length || parameters.at(-1)?.isRest === true);
  });
  return fitting.length === 0 ? targets : fitting;
}
