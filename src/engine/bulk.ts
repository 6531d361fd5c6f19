import { z } from 'zod';
import { toApiError, type ErrorCode } from '../errors.ts';
import type { Context } from './context.ts';
import { Verdict } from './evidence.ts';
import { type Operation, defineOperation, SummaryField, type McpToolOptions } from './operation.ts';
import { parseInput } from './input/parse-input.ts';
import { formatCount, joinSummary } from './summary.ts';

const MAX_ITEMS = 50;
const MAX_ITEM_CHARACTERS = 256;

const ITEM_STATUSES = ['ok', 'not_found', 'invalid_format', 'error'] as const;
const ItemError = z.object({ code: z.string(), message: z.string() }).nullable();

/** What a bulk operation adds to the single operation that it repeats. */
interface BulkOptions {
  id: string;
  title: string;
  route: `POST /${string}`;
  /** Body field with the list (`cve_ids`), the single operation's field, and the item's field with the answer (`cve`). */
  listField: string;
  itemField: string;
  answerField: string;
  /** Fields that are kept when the answer must be shortened, `name` or `name.inner`. */
  briefFields: readonly string[];
  examples: readonly string[][];
  /** Absent: REST and command line only. */
  tool?: McpToolOptions;
  /** Default: `MAX_ITEM_CHARACTERS`. */
  maxItemCharacters?: number;
  /** For items that ask live sources: how many run at the same time. Items after the deadline are `timed_out`. */
  concurrency?: number;
  /** For the whole call; default as for other operations. */
  deadlineMs?: number;
  /** An item that does not exist has the status `error`, not `not_found`. */
  notFoundIsError?: boolean;
}

/**
 * The bulk form of a look-up: many ids in one call, each with its own outcome. One failure does not fail the others; duplicates are
 * looked up and charged once, and answered at each of their positions.
 */
export function bulkOperation(single: Operation, options: BulkOptions) {
  const isLive = options.concurrency !== undefined;
  const baseStatuses = ITEM_STATUSES.filter((status) => status !== 'not_found' || options.notFoundIsError !== true);
  const statuses = isLive ? [...baseStatuses, 'timed_out' as const] : baseStatuses;
  const notFoundField = statuses.includes('not_found')
    ? z.number().int().meta({ description: 'Of the failed: ids that no source knows.' })
    : null;
  const inputSchema = z.strictObject({
    [options.listField]: z
      .array(z.string().max(options.maxItemCharacters ?? MAX_ITEM_CHARACTERS))
      .max(MAX_ITEMS)
      .meta({ description: `At most ${MAX_ITEMS}; duplicates count once.`, examples: [options.examples[0] ?? []] }),
  });
  const output = z
    .object({
      results: z.array(
        z.object({
          [options.itemField]: z.string(),
          status: z.enum(statuses),
          [options.answerField]: single.output.omit({ verdict: true, next_calls: true }).nullable(),
          error: ItemError,
        }),
      ),
      total: z.number().int().meta({ description: 'Rows in `results`; skipped ids have no row.' }),
      successful: z.number().int(),
      failed: z.number().int(),
      ...(notFoundField !== null && { not_found: notFoundField }),
      ...(isLive ? { timed_out: z.number().int() } : {}),
      partial: z.boolean().meta({ description: 'Some ids were skipped, or timed out.' }),
      skipped_due_to_rate_limit: z.array(z.string()),
      summary: SummaryField,
      verdict: Verdict,
    })
    .meta({ id: `${pascalCase(single.id)}Bulk` });
  /** `cve-2021-44228` and `CVE-2021-44228` are one id; an invalid id is kept as sent. */
  const canonical = (id: string): string => {
    const parsed = single.input.safeParse({ [options.itemField]: id });
    return parsed.success ? String(parsed.data[options.itemField]) : id;
  };
  return defineOperation<z.ZodObject, z.ZodObject>({
    id: options.id,
    area: single.area,
    title: options.title,
    description: `${single.title} for up to ${MAX_ITEMS} ids in one call, each with its own outcome.`,
    route: options.route,
    input: inputSchema,
    output,
    cost: (input) => new Set((input[options.listField] as string[]).map(canonical)).size,
    bulk: {
      listField: options.listField,
      canonical: (item) => canonical(item as string),
      answerField: options.answerField,
      briefFields: options.briefFields,
    },
    examples: options.examples.map((list) => ({
      title: formatCount(list.length, 'id'),
      input: { [options.listField]: list },
    })),
    ...(options.tool && { tool: options.tool }),
    ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
    falsifiableFields: single.falsifiableFields.map((field) => `results[].${options.answerField}.${field}`),
    async answer(input, context) {
      const ids = input[options.listField] as string[];
      const outcomes = new Map<string, ItemOutcome>();
      // One iterator for all loops below: each id is taken once.
      const remainingIds = new Set(ids.map(canonical)).values();
      const answerRemaining = async (): Promise<void> => {
        for (const id of remainingIds)
          outcomes.set(id, await answerItem(single, options.itemField, id, context, isLive));
      };
      await Promise.all(Array.from({ length: options.concurrency ?? 1 }, answerRemaining));
      const results = ids.map((rawId) => {
        const id = canonical(rawId);
        const { status, answer, error } = outcomes.get(id)!;
        return {
          [options.itemField]: id,
          status: statuses.includes(status) ? status : 'error',
          [options.answerField]: answer,
          error,
        };
      });
      const successful = results.filter(({ status }) => status === 'ok').length;
      const timedOut = results.filter(({ status }) => status === 'timed_out').length;
      const failed = results.length - successful - timedOut;
      const skipped = [...context.skipped];
      if (skipped.length > 0)
        context.evidence.addGap(`${formatCount(skipped.length, 'id')} skipped: the caller's quota is used up`);
      return {
        results,
        total: results.length,
        successful,
        failed,
        ...(notFoundField !== null && { not_found: results.filter(({ status }) => status === 'not_found').length }),
        ...(isLive ? { timed_out: timedOut } : {}),
        partial: timedOut > 0 || skipped.length > 0,
        skipped_due_to_rate_limit: skipped,
        summary: joinSummary(
          `${successful} of ${formatCount(results.length, 'id')} answered${failed > 0 ? `, ${failed} failed: see the error of each` : ''}.`,
          timedOut > 0 && `${timedOut} timed out.`,
          skipped.length > 0 && `${formatCount(skipped.length, 'id')} more skipped: the quota is used up.`,
        ),
      };
    },
  });
}

interface ItemOutcome {
  status: (typeof ITEM_STATUSES)[number] | 'timed_out';
  answer: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}

const TIMED_OUT: ItemOutcome = {
  status: 'timed_out',
  answer: null,
  error: { code: 'upstream_timeout', message: 'The time limit of this answer was reached.' },
};

async function answerItem(
  single: Operation,
  field: string,
  id: string,
  context: Context,
  isLive: boolean,
): Promise<ItemOutcome> {
  try {
    const input = parseInput(single, { [field]: id });
    if (isLive && context.signal.aborted) return TIMED_OUT;
    const answer = await single.answer(input, context);
    if (isLive && context.signal.aborted) return TIMED_OUT;
    return { status: 'ok', answer, error: null };
  } catch (thrown) {
    if (isLive && context.signal.aborted) return TIMED_OUT;
    const { code, baseMessage } = toApiError(thrown);
    if (code === 'internal_error') context.reportInternalError(thrown);
    return { status: STATUS_BY_ERROR_CODE[code] ?? 'error', answer: null, error: { code, message: baseMessage } };
  }
}

const STATUS_BY_ERROR_CODE: Partial<Record<ErrorCode, ItemOutcome['status']>> = {
  not_found: 'not_found',
  invalid_argument: 'invalid_format',
  validation_error: 'invalid_format',
};

/** `cve_lookup` as `CveLookup`. */
function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
}
