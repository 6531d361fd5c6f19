import { z } from 'zod';
import { normalizeLabel } from '../analysis/label-words.ts';
import { pageResult } from './paged-list.ts';
import { formatNumber, joinSummary } from './summary.ts';

/** One page of a search. Its summary has the number of matches, the labels of the first three rows, and the hints that are not empty. */
export function searchPage<Row>(
  results: Row[],
  total: number,
  query: Parameters<typeof pageResult>[2],
  nouns: readonly [singular: string, plural: string],
  labelOf: (row: Row) => string,
  ...hints: (string | null | false)[]
) {
  const summary = searchSummary(total, nouns, results.map(labelOf), query.offset);
  return { ...pageResult(results, total, query), summary: joinSummary(summary, ...hints) };
}

/** Clients of similar services read the query of some searches under this name. */
export const queryAliasField = { query: z.record(z.string(), z.unknown()).meta({ description: 'As query_echo.' }) };

/** A page with that field. */
export function withQueryAlias<Page extends { query_echo: Record<string, unknown> }>(page: Page) {
  return { ...page, query: page.query_echo };
}

/** Summary of a search: how many match, where this page begins, and the first three. */
function searchSummary(
  total: number,
  [singular, plural]: readonly [string, string],
  rows: readonly string[],
  offset: number,
): string {
  const shown = total > rows.length && rows.length > 0 ? `, ${rows.length} shown from ${offset}` : '';
  const first = rows.length === 0 ? '' : ` First: ${rows.slice(0, 3).join('; ')}.`;
  return `${formatNumber(total)} ${total === 1 ? `${singular} matches` : `${plural} match`}${shown}.${first}`;
}

/** A hint that lists the tactics if the requested one is not among them; else null. Names are compared without case. */
export function unknownTacticHint(asked: string, tactics: Iterable<string>): string | null {
  const names = [...tactics];
  if (names.map(normalizeLabel).includes(normalizeLabel(asked))) return null;
  return `There is no such tactic; there are ${names.join(', ')}.`;
}
