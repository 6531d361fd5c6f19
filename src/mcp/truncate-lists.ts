/** Bytes of text that an answer over a tool has at most, unless the call asks for more. */
export const MAX_ANSWER_BYTES = 24_000;

/** Rows kept of lists within rows (`inner`) and of all other lists (`outer`). */
export interface ListLimits {
  topLevel: number;
  nested: number;
}

/** Cuts that leave every row, from the mildest to the hardest. */
export const NESTED_LIST_LIMITS: readonly ListLimits[] = [10, 5, 3].map((nested) => ({
  topLevel: Number.POSITIVE_INFINITY,
  nested,
}));

/** What says how good an answer is, and what was not done, is never cut. */
const NEVER_TRUNCATED: ReadonlySet<string> = new Set(['verdict', 'next_calls', 'skipped_due_to_rate_limit']);

export type AnswerFields = Record<string, unknown>;
/** By place: how many rows are shown of how many; of several such places the longest. */
type TruncatedLists = Map<string, { shown: number; total: number }>;

/** An answer whose lists have their first rows alone, and what was cut in words. */
export function truncateLists(answer: AnswerFields, limits: ListLimits): { cut: AnswerFields; words: string } {
  const shown: TruncatedLists = new Map();
  const cut = truncateValue(answer, '', false, limits, shown) as AnswerFields;
  return { cut, words: describeTruncation(shown) };
}

export function fitsBudget(answer: AnswerFields): boolean {
  return jsonByteLength(answer) <= MAX_ANSWER_BYTES;
}

export function jsonByteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function truncateValue(
  value: unknown,
  path: string,
  isNested: boolean,
  limits: ListLimits,
  shown: TruncatedLists,
): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, isNested ? limits.nested : limits.topLevel);
    if (kept.length < value.length && value.length > (shown.get(path)?.total ?? 0)) {
      shown.set(path, { shown: kept.length, total: value.length });
    }
    return kept.map((row) => truncateValue(row, `${path}[]`, true, limits, shown));
  }
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    NEVER_TRUNCATED.has(name)
      ? part
      : truncateValue(part, path === '' ? name : `${path}.${name}`, isNested, limits, shown),
  ]);
  return Object.fromEntries(parts);
}

function describeTruncation(shown: TruncatedLists): string {
  const parts = [...shown].map(
    ([path, { shown, total }]) => `${path} ${shown} of ${path.includes('[]') ? 'up to ' : ''}${total}`,
  );
  return parts.length === 0 ? 'Cut to keep this short.' : `Cut to keep this short: ${parts.join(', ')}.`;
}
