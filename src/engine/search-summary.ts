import { normalizeLabel } from '../analysis/label-words.ts';

/** What a search found, as a sentence: how many, where this page begins, and the first few. */
export function searchSummary(
  total: number,
  [one, many]: readonly [string, string],
  rows: readonly string[],
  offset: number,
): string {
  const shown = total > rows.length && rows.length > 0 ? `, ${rows.length} shown from ${offset}` : '';
  const first = rows.length === 0 ? '' : ` First: ${rows.slice(0, 3).join('; ')}.`;
  return `${total.toLocaleString('en')} ${total === 1 ? `${one} matches` : `${many} match`}${shown}.${first}`;
}

/** A hint that lists the tactics where the requested one is none of them; else null. Names are compared without case. */
export function unknownTacticHint(asked: string, tactics: Iterable<string>): string | null {
  const names = [...tactics];
  if (names.map(normalizeLabel).includes(normalizeLabel(asked))) return null;
  return `There is no such tactic; there are ${names.join(', ')}.`;
}
