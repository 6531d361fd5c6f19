import type { Operation } from '../engine/operation.ts';
import {
  type AnswerFields,
  type ListLimits,
  truncateLists,
  fitsBudget,
  MAX_ANSWER_BYTES,
  NESTED_LIST_LIMITS,
} from './truncate-lists.ts';
import { truncateBulkAnswer } from './truncate-bulk-answer.ts';
import { inputJsonSchema, type JsonSchema } from './tool-json-schema.ts';

/** Tried in this order, from the mildest to the hardest. */
const LIST_LIMITS: readonly ListLimits[] = [
  ...NESTED_LIST_LIMITS,
  ...[100, 50, 30, 20, 10, 5, 3].map((topLevel) => ({ topLevel, nested: 3 })),
];
/** Inputs that begin with `include_` but only filter rows. */
const INCLUDE_FILTERS: ReadonlySet<string> = new Set(['include_rejected', 'include_unmapped', 'include_subtechniques']);

/**
 * Limits an answer (JSON) to `MAX_ANSWER_BYTES`, for the context of a model. Lists keep their first rows, and the field `trimmed` says
 * which lists, of how many rows, and how to get the rest; a bulk answer keeps the outcome of every item. A call with a `limit` or an
 * `include` input is not limited. `isLinked`: the client gets a link to all of it, too.
 */
export function truncateToBudget(operation: Operation, rawInput: AnswerFields, json: Buffer, isLinked = false): Buffer {
  if (json.length <= MAX_ANSWER_BYTES || asksForMore(rawInput)) return json;
  return Buffer.from(JSON.stringify(truncateAnswer(operation, JSON.parse(json.toString()), isLinked)));
}

function truncateAnswer(operation: Operation, answer: AnswerFields, isLinked: boolean): AnswerFields {
  const { answerField: field, briefFields = [] } = operation.bulk ?? {};
  if (field !== undefined) return truncateBulkAnswer(answer, field, briefFields);
  let truncated = answer;
  for (const limits of LIST_LIMITS) {
    const { answer: shorter, note } = truncateLists(answer, limits);
    truncated = { ...shorter, trimmed: `${note} ${remainderHint(operation, answer, isLinked)}` };
    adjustPaging(truncated, answer);
    if (fitsBudget(truncated)) return truncated;
  }
  return truncated;
}

/** Whether the call asks for more rows or fields than by default. */
function asksForMore(rawInput: AnswerFields): boolean {
  return Object.entries(rawInput).some(([name, value]) => widensAnswer(name) && Boolean(value));
}

function widensAnswer(name: string): boolean {
  return name === 'limit' || (/^include(_|$)/.test(name) && !INCLUDE_FILTERS.has(name));
}

/** A truncated page is a shorter page: `next_offset` is where it now ends. */
function adjustPaging(truncated: AnswerFields, full: AnswerFields): void {
  if (!('next_offset' in full)) return;
  const list = Object.keys(full).find((name) => arrayLength(full[name]) === full['count']);
  const count = arrayLength(truncated[list ?? '']);
  if (count === null || count === full['count']) return;
  Object.assign(truncated, { count, next_offset: Number(full['offset']) + count, truncated: true });
}

function arrayLength(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

function remainderHint({ input }: Operation, answer: AnswerFields, isLinked: boolean): string {
  const inputs = Object.entries(inputJsonSchema(input)['properties'] as Record<string, JsonSchema>);
  const wideningInputs = inputs.filter(([name]) => widensAnswer(name)).map(([name]) => name);
  const listInputs = inputs.filter(([, { type }]) => type === 'array').map(([name]) => name);
  const hints = [
    ...('next_offset' in answer && 'count' in answer ? ['go on from next_offset'] : []),
    ...(wideningInputs.length > 0 ? [`ask with ${wideningInputs.join(' or ')}`] : []),
    ...listInputs.slice(0, 1).map((name) => `give fewer ${name} at once`),
  ];
  if (hints.length > 0) return `For the rest ${hints.join(', or ')}.`;
  return isLinked ? 'The linked resource has the rest.' : 'The rest is not shown over MCP.';
}
