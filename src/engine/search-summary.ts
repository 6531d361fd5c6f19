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
