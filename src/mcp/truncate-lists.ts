/** Size limit of a tool answer in bytes, unless the call asks for more. */
export const MAX_ANSWER_BYTES = 24_000;

/** Rows kept of nested lists (lists in rows of other lists) and of all other lists. */
export interface ListLimits {
  topLevel: number;
  nested: number;
}

/** Limits that keep every top-level row, from the mildest to the hardest. */
export const NESTED_LIST_LIMITS: readonly ListLimits[] = [10, 5, 3].map((nested) => ({
  topLevel: Number.POSITIVE_INFINITY,
  nested,
}));

/** Fields about the quality of the answer, which are always complete. */
const NEVER_TRUNCATED: ReadonlySet<string> = new Set(['verdict', 'next_calls', 'skipped_due_to_rate_limit']);

export type AnswerFields = Record<string, unknown>;
/** By path (`results[].tags`): rows kept and rows in total; of several lists with the same path, the longest. */
type TruncatedLists = Map<string, { shown: number; total: number }>;

/** The answer with only the first rows of its lists, and a note that says what was left out. */
export function truncateLists(answer: AnswerFields, limits: ListLimits): { answer: AnswerFields; note: string } {
  const shown: TruncatedLists = new Map();
  const truncated = truncateValue(answer, '', false, limits, shown) as AnswerFields;
  return { answer: truncated, note: describeTruncation(shown) };
}

/** Whether the answer's JSON is within `MAX_ANSWER_BYTES`. */
export function fitsBudget(answer: AnswerFields): boolean {
  return jsonByteLength(answer) <= MAX_ANSWER_BYTES;
}

/** Bytes of the value as JSON in UTF-8. */
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
