import type { Operation } from '../engine/operation.ts';
import { type Answer, type Caps, cutLists, fits, MAX_BYTES, MILD_CUTS } from './cut-lists.ts';
import { fitBulk } from './fit-bulk.ts';
import { inputJsonSchema, type JsonSchema } from './schema.ts';

/** Rows kept of lists within rows (`inner`) and of all other lists (`outer`), from the mildest cut to the hardest. */
const CUTS: readonly Caps[] = [...MILD_CUTS, ...[100, 50, 30, 20, 10, 5, 3].map((outer) => ({ outer, inner: 3 }))];
/** Named as what makes rows longer, and filters all the same. */
const FILTERS: ReadonlySet<string> = new Set(['include_rejected', 'include_unmapped', 'include_subtechniques']);

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
  const { answer: field, brief = [] } = operation.bulk ?? {};
  if (field !== undefined) return fitBulk(answer, field, brief);
  let cut = answer;
  for (const caps of CUTS) {
    const { cut: shorter, words } = cutLists(answer, caps);
    cut = { ...shorter, trimmed: `${words} ${howToGetTheRest(operation, answer)}` };
    turnPage(cut, answer);
    if (fits(cut)) return cut;
  }
  return cut;
}

/** Inputs by which a caller asks for more than is usual. */
function asksForMore(given: Answer): boolean {
  return Object.entries(given).some(([name, value]) => isWidening(name) && Boolean(value));
}

function isWidening(name: string): boolean {
  return name === 'limit' || (/^include(_|$)/.test(name) && !FILTERS.has(name));
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

function howToGetTheRest({ input }: Operation, answer: Answer): string {
  const inputs = Object.entries(inputJsonSchema(input)['properties'] as Record<string, JsonSchema>);
  const more = inputs.filter(([name]) => isWidening(name)).map(([name]) => name);
  const lists = inputs.filter(([, { type }]) => type === 'array').map(([name]) => name);
  const ways = [
    ...('next_offset' in answer && 'count' in answer ? ['go on from next_offset'] : []),
    ...(more.length > 0 ? [`ask with ${more.join(' or ')}`] : []),
    ...lists.slice(0, 1).map((name) => `give fewer ${name} at once`),
  ];
  if (ways.length > 0) return `For the rest ${ways.join(', or ')}.`;
  return 'The rest is not shown over MCP.';
}
