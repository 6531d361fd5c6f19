import { normalizeLabel } from '../analysis/label-words.ts';

/** Summary of a search: how many match, where this page begins, and the first three. */
export function searchSummary(
  total: number,
  [singular, plural]: readonly [string, string],
  rows: readonly string[],
  offset: number,
): string {
  const shown = total > rows.length && rows.length > 0 ? `, ${rows.length} shown from ${offset}` : '';
  const first = rows.length === 0 ? '' : ` First: ${rows.slice(0, 3).join('; ')}.`;
  return `${total.toLocaleString('en')} ${total === 1 ? `${singular} matches` : `${plural} match`}${shown}.${first}`;
}

/** A hint that lists the tactics if the requested one is not among them; else null. Names are compared without case. */
export function unknownTacticHint(asked: string, tactics: Iterable<string>): string | null {
  const names = [...tactics];
  if (names.map(normalizeLabel).includes(normalizeLabel(asked))) return null;
  return `There is no such tactic; there are ${names.join(', ')}.`;
}
