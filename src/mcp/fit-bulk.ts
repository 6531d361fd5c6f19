import { clip } from '../analysis/text.ts';
import { summarise } from '../engine/summary.ts';
import { type Answer, bytesOf, cutLists, fits, MAX_BYTES, MILD_CUTS } from './cut-lists.ts';

/** Characters of the summary that each item keeps, from the mildest cut to the hardest. */
const SUMMARY_LENGTHS = [300, 160, 80, 0];
const MORE = 'Looked up by itself, each is whole.';

/**
 * The answer of a bulk call, that is too long, cut so that every item keeps its outcome and what says most of it: first lists become
 * shorter, then all items have their fields in `brief` alone. `field`: where an item has what was found.
 */
export function fitBulk(answer: Answer, field: string, brief: readonly string[]): Answer {
  for (const caps of MILD_CUTS) {
    const { cut, words } = cutLists(answer, caps);
    const shorter = { ...cut, trimmed: `${words} ${MORE}` };
    if (fits(shorter)) return shorter;
  }
  const summary = summarise(answer['summary'] as string, 'Each is shortened to its main facts: see trimmed.');
  let short = answer;
  for (const length of SUMMARY_LENGTHS) {
    const kept = brief.filter((name) => length > 0 || name !== 'summary');
    const results = (answer['results'] as Answer[]).map((item) => briefItem(item, field, kept, length));
    const trimmed = `Cut to keep this short: ${field} has ${kept.join(', ')} alone. ${MORE}`;
    short = { ...answer, results, summary, trimmed };
    if (fits(short)) return short;
  }
  return withoutLastAnswers(short, field);
}

function briefItem(item: Answer, field: string, kept: readonly string[], summaryLength: number): Answer {
  const found = item[field] as Answer | null;
  if (found === null) return item;
  const parts = kept
    .filter((name) => name in found)
    .map((name) => [name, name === 'summary' ? clip(String(found[name]), summaryLength) : found[name]]);
  return { ...item, [field]: Object.fromEntries(parts) };
}

/** For items that are long even so: the last of them keep their outcome alone, and the summary says how many. */
function withoutLastAnswers(cut: Answer, field: string): Answer {
  const results = [...(cut['results'] as Answer[])];
  let bytes = bytesOf(cut);
  let left = 0;
  for (let index = results.length - 1; index > 0 && bytes > MAX_BYTES; index--) {
    const item = results[index]!;
    if (item[field] === null) continue;
    bytes -= bytesOf(item[field]) - 'null'.length;
    results[index] = { ...item, [field]: null };
    left++;
  }
  const rest = `${field} left out at the last ${left}: ask again for those whose status is ok and whose ${field} is null.`;
  const summary = summarise(`${field} is left out at the last ${left}.`, cut['summary'] as string);
  return { ...cut, results, summary, trimmed: `${String(cut['trimmed'])} ${rest}` };
}
