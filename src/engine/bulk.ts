import { z } from 'zod';
import { toApiError, type ErrorCode } from '../errors.ts';
import type { Context } from './context.ts';
import { Verdict } from './evidence.ts';
import { type Operation, defineOperation, SummaryField, type McpToolOptions } from './operation.ts';
import { parseInput } from './input/parse-input.ts';
import { formatCount, summarise } from './summary.ts';

const MAX_ITEMS = 50;
const MAX_ITEM_CHARACTERS = 256;

const ITEM_STATUSES = ['ok', 'not_found', 'invalid_format', 'error'] as const;
const ItemError = z.object({ code: z.string(), message: z.string() }).nullable();

/** How a bulk operation differs from the single one that it repeats. */
interface BulkOptions {
  id: string;
  title: string;
  route: `POST /${string}`;
  /** Body field with the list (`cve_ids`), the single operation's field, and the item's field with the answer (`cve`). */
  listField: string;
  itemField: string;
  answerField: string;
  /** Fields of an answer that say most of it: all that is kept where the room is short. */
  briefFields: readonly string[];
  examples: readonly string[][];
  /** Absent: REST and command line only. */
  tool?: McpToolOptions;
  /** Characters of an id, where they may be more than usual. */
  maxItemCharacters?: number;
  /** Items ask live sources: so many go side by side, and those that the time is not enough for are `timed_out`. */
  concurrency?: number;
  /** The longest that the whole call may take, where that is not the usual time. */
  deadlineMs?: number;
  /** What does not exist is an `error` like others, not an outcome of its own. */
  notFoundIsError?: boolean;
}

/**
 * The bulk form of a look-up: many ids in one call, each with an outcome of its own. One that fails does not fail the
 * others; one that is given twice is looked up and charged once, and answered at each place.
 */
export function bulkOperation(single: Operation, of: BulkOptions) {
  const live = of.concurrency !== undefined;
  const known = ITEM_STATUSES.filter((status) => status !== 'not_found' || of.notFoundIsError !== true);
  const statuses = live ? [...known, 'timed_out' as const] : known;
  const input = z.strictObject({
    [of.listField]: z
      .array(z.string().max(of.maxItemCharacters ?? MAX_ITEM_CHARACTERS))
      .max(MAX_ITEMS)
      .meta({ description: `At most ${MAX_ITEMS}; duplicates count once.`, examples: [of.examples[0] ?? []] }),
  });
  const output = z
    .object({
      results: z.array(
        z.object({
          [of.itemField]: z.string(),
          status: z.enum(statuses),
          [of.answerField]: single.output.partial({ verdict: true, next_calls: true }).nullable(),
          error: ItemError,
        }),
      ),
      total: z.number().int().meta({ description: 'Rows in `results`; what was skipped has none.' }),
      successful: z.number().int(),
      failed: z.number().int(),
      ...(live ? { timed_out: z.number().int() } : {}),
      partial: z.boolean().meta({ description: 'Some ids were skipped, or the time was not enough for them.' }),
      skipped_due_to_rate_limit: z.array(z.string()),
      summary: SummaryField,
      verdict: Verdict,
    })
    .meta({ id: `${pascalCase(single.id)}Bulk` });
  /** `cve-2021-44228` and `CVE-2021-44228` are one; what has no canonical form stands for itself. */
  const canonical = (id: string): string => {
    const parsed = single.input.safeParse({ [of.itemField]: id });
    return parsed.success ? String(parsed.data[of.itemField]) : id;
  };
  return defineOperation<z.ZodObject, z.ZodObject>({
    id: of.id,
    area: single.area,
    title: of.title,
    description: `${single.title} for up to ${MAX_ITEMS} ids in one call, each with its own outcome.`,
    route: of.route,
    input,
    output,
    cost: (given) => new Set((given[of.listField] as string[]).map(canonical)).size,
    bulk: {
      listField: of.listField,
      canonical: (item) => canonical(item as string),
      answerField: of.answerField,
      briefFields: of.briefFields,
    },
    examples: of.examples.map((list) => ({ title: formatCount(list.length, 'id'), input: { [of.listField]: list } })),
    ...(of.tool && { tool: of.tool }),
    ...(of.deadlineMs !== undefined && { deadlineMs: of.deadlineMs }),
    falsifiableFields: single.falsifiableFields.map((field) => `results[].${of.answerField}.${field}`),
    async answer(given, context) {
      const ids = given[of.listField] as string[];
      const outcomes = new Map<string, ItemOutcome>();
      const waiting = new Set(ids.map(canonical)).values();
      const work = async (): Promise<void> => {
        for (const id of waiting) outcomes.set(id, await answerItem(single, of.itemField, id, context, live));
      };
      await Promise.all(Array.from({ length: of.concurrency ?? 1 }, work));
      const results = ids.map((given) => {
        const id = canonical(given);
        const { status, answer, error } = outcomes.get(id)!;
        return {
          [of.itemField]: id,
          status: statuses.includes(status) ? status : 'error',
          [of.answerField]: answer,
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
        ...(live ? { timed_out: timedOut } : {}),
        partial: timedOut > 0 || skipped.length > 0,
        skipped_due_to_rate_limit: skipped,
        summary: summarise(
          `${successful} of ${formatCount(results.length, 'id')} answered${failed > 0 ? `, ${failed} not: see error at each` : ''}.`,
          timedOut > 0 && `The time was not enough for ${timedOut}.`,
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
  error: { code: 'upstream_timeout', message: 'The time for this answer was over.' },
};

async function answerItem(
  single: Operation,
  field: string,
  id: string,
  context: Context,
  live: boolean,
): Promise<ItemOutcome> {
  try {
    const input = parseInput(single, { [field]: id });
    if (live && context.signal.aborted) return TIMED_OUT;
    const answer = await single.answer(input, context);
    if (live && context.signal.aborted) return TIMED_OUT;
    return { status: 'ok', answer, error: null };
  } catch (thrown) {
    if (live && context.signal.aborted) return TIMED_OUT;
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
