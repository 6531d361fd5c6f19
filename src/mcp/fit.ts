import type { Operation } from '../operations/operation.ts';
import { inputJsonSchema, type JsonSchema } from './schema.ts';

/** Bytes of text that an answer over a tool has at most, unless the call asks for more. */
const MAX_BYTES = 24_000;
/** Rows kept of lists within rows (`inner`) and of all other lists (`outer`), from the mildest cut to the hardest. */
const CUTS: readonly { outer: number; inner: number }[] = [
  ...[10, 5, 3].map((inner) => ({ outer: Number.POSITIVE_INFINITY, inner })),
  ...[100, 50, 30, 20, 10, 5, 3].map((outer) => ({ outer, inner: 3 })),
];
/** What says how good an answer is, and what was not done, is never cut. */
const WHOLE: ReadonlySet<string> = new Set(['verdict', 'next_calls', 'skipped_due_to_rate_limit']);
/** Named as what makes rows longer, and filters all the same. */
const FILTERS: ReadonlySet<string> = new Set(['include_rejected', 'include_unmapped']);

type Answer = Record<string, unknown>;
/** By place: how many rows are shown of how many; of several such places the longest. */
type Shown = Map<string, { shown: number; total: number }>;

/**
 * An answer, given as JSON, that a model's context can hold. Lists are cut to their first rows and `trimmed` says which, of how many,
 * and how to ask for the rest; a bulk call keeps the outcome of every item. A call that names a `limit`, or includes something, gets
 * all of it.
 */
export function fit(operation: Operation, given: Answer, json: Buffer): Buffer {
  if (json.length <= MAX_BYTES || asksForMore(given)) return json;
  return Buffer.from(JSON.stringify(cutToFit(operation, JSON.parse(json.toString()))));
}

function cutToFit(operation: Operation, answer: Answer): Answer {
  let cut = answer;
  for (const caps of CUTS.filter(
    ({ outer }) => operation.bulk?.answer === undefined || outer === Number.POSITIVE_INFINITY,
  )) {
    const shown: Shown = new Map();
    cut = cutLists(answer, '', false, caps, shown) as Answer;
    cut['trimmed'] = `${describe(shown)} ${howToGetTheRest(operation, answer)}`;
    turnPage(cut, answer);
    if (bytesOf(cut) <= MAX_BYTES) return cut;
  }
  const field = operation.bulk?.answer;
  return field === undefined ? cut : withoutLastAnswers(cut, field);
}

/** Inputs by which a caller asks for more than is usual. */
function asksForMore(given: Answer): boolean {
  return Object.entries(given).some(([name, value]) => isWidening(name) && Boolean(value));
}

function isWidening(name: string): boolean {
  return name === 'limit' || (/^include(_|$)/.test(name) && !FILTERS.has(name));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function cutLists(
  value: unknown,
  place: string,
  inRow: boolean,
  caps: { outer: number; inner: number },
  shown: Shown,
): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, inRow ? caps.inner : caps.outer);
    if (kept.length < value.length && value.length > (shown.get(place)?.total ?? 0)) {
      shown.set(place, { shown: kept.length, total: value.length });
    }
    return kept.map((row) => cutLists(row, `${place}[]`, true, caps, shown));
  }
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    WHOLE.has(name) ? part : cutLists(part, place === '' ? name : `${place}.${name}`, inRow, caps, shown),
  ]);
  return Object.fromEntries(parts);
}

/** A page that was cut is a shorter page: the next one begins where it ends. */
function turnPage(cut: Answer, whole: Answer): void {
  if (!('next_offset' in whole)) return;
  const list = Object.keys(whole).find((name) => lengthOf(whole[name]) === whole['count']);
  const count = lengthOf(cut[list ?? '']);
  if (count === null || count === whole['count']) return;
  Object.assign(cut, { count, next_offset: Number(whole['offset']) + count, truncated: true });
}

function lengthOf(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

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
  return { ...cut, results, trimmed: `${String(cut['trimmed'])} ${rest}` };
}

function describe(shown: Shown): string {
  const parts = [...shown].map(
    ([place, { shown, total }]) => `${place} ${shown} of ${place.includes('[]') ? 'up to ' : ''}${total}`,
  );
  return parts.length === 0 ? 'Cut to keep this short.' : `Cut to keep this short: ${parts.join(', ')}.`;
}

function howToGetTheRest({ bulk, input, route }: Operation, answer: Answer): string {
  if (bulk?.answer !== undefined) return 'Looked up by itself, each is whole.';
  const inputs = Object.entries(inputJsonSchema(input)['properties'] as Record<string, JsonSchema>);
  const more = inputs.filter(([name]) => isWidening(name)).map(([name]) => name);
  const lists = inputs.filter(([, { type }]) => type === 'array').map(([name]) => name);
  const ways = [
    ...('next_offset' in answer && 'count' in answer ? ['go on from next_offset'] : []),
    ...(more.length > 0 ? [`ask with ${more.join(' or ')}`] : []),
    ...lists.slice(0, 1).map((name) => `give fewer ${name} at once`),
  ];
  if (ways.length > 0) return `For the rest ${ways.join(', or ')}.`;
  return route === null ? 'The command line gives all of it.' : `All of it over REST: ${route}.`;
}
