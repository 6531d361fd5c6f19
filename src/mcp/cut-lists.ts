/** Bytes of text that an answer over a tool has at most, unless the call asks for more. */
export const MAX_BYTES = 24_000;

/** Rows kept of lists within rows (`inner`) and of all other lists (`outer`). */
export interface Caps {
  outer: number;
  inner: number;
}

/** Cuts that leave every row, from the mildest to the hardest. */
export const MILD_CUTS: readonly Caps[] = [10, 5, 3].map((inner) => ({ outer: Number.POSITIVE_INFINITY, inner }));

/** What says how good an answer is, and what was not done, is never cut. */
const WHOLE: ReadonlySet<string> = new Set(['verdict', 'next_calls', 'skipped_due_to_rate_limit']);

export type Answer = Record<string, unknown>;
/** By place: how many rows are shown of how many; of several such places the longest. */
type Shown = Map<string, { shown: number; total: number }>;

/** An answer whose lists have their first rows alone, and what was cut in words. */
export function cutLists(answer: Answer, caps: Caps): { cut: Answer; words: string } {
  const shown: Shown = new Map();
  const cut = cutValue(answer, '', false, caps, shown) as Answer;
  return { cut, words: describe(shown) };
}

export function fits(answer: Answer): boolean {
  return bytesOf(answer) <= MAX_BYTES;
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function cutValue(value: unknown, place: string, inRow: boolean, caps: Caps, shown: Shown): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, inRow ? caps.inner : caps.outer);
    if (kept.length < value.length && value.length > (shown.get(place)?.total ?? 0)) {
      shown.set(place, { shown: kept.length, total: value.length });
    }
    return kept.map((row) => cutValue(row, `${place}[]`, true, caps, shown));
  }
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    WHOLE.has(name) ? part : cutValue(part, place === '' ? name : `${place}.${name}`, inRow, caps, shown),
  ]);
  return Object.fromEntries(parts);
}

function describe(shown: Shown): string {
  const parts = [...shown].map(
    ([place, { shown, total }]) => `${place} ${shown} of ${place.includes('[]') ? 'up to ' : ''}${total}`,
  );
  return parts.length === 0 ? 'Cut to keep this short.' : `Cut to keep this short: ${parts.join(', ')}.`;
}
