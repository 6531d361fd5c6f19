import { z } from 'zod';
import { asRefusal, type ErrorCode } from '../errors.ts';
import type { Context } from './context.ts';
import { Verdict } from './evidence.ts';
import { type Operation, operation, Summary, type Tool } from './operation.ts';
import { parseInput } from './input/parse-input.ts';
import { counted, summarise } from './summary.ts';

const MAX_ITEMS = 50;
const MAX_ITEM_LENGTH = 256;

const STATUSES = ['ok', 'not_found', 'invalid_format', 'error'] as const;
const ItemError = z.object({ code: z.string(), message: z.string() }).nullable();

/** How a bulk operation differs from the single one that it repeats. */
interface BulkOf {
  id: string;
  title: string;
  route: `POST /${string}`;
  /** Body field with the list (`cve_ids`), the single operation's field, and the item's field with the answer (`cve`). */
  list: string;
  field: string;
  answerField: string;
  /** Fields of an answer that say most of it: all that is kept where the room is short. */
  brief: readonly string[];
  examples: readonly string[][];
  /** Absent: REST and command line only. */
  tool?: Tool;
  /** Characters of an id, where they may be more than usual. */
  maxLength?: number;
  /** Items ask live sources: so many go side by side, and those that the time is not enough for are `timed_out`. */
  atOnce?: number;
  /** The longest that the whole call may take, where that is not the usual time. */
  deadlineMs?: number;
  /** What does not exist is an `error` like others, not an outcome of its own. */
  missingIsError?: boolean;
}

/**
 * The bulk form of a look-up: many ids in one call, each with an outcome of its own. One that fails does not fail the
 * others; one that is given twice is looked up and charged once, and answered at each place.
 */
export function bulk(single: Operation, of: BulkOf) {
  const live = of.atOnce !== undefined;
  const known = STATUSES.filter((status) => status !== 'not_found' || of.missingIsError !== true);
  const statuses = live ? [...known, 'timed_out' as const] : known;
  const input = z.strictObject({
    [of.list]: z
      .array(z.string().max(of.maxLength ?? MAX_ITEM_LENGTH))
      .max(MAX_ITEMS)
      .meta({ description: `At most ${MAX_ITEMS}; duplicates count once.`, examples: [of.examples[0] ?? []] }),
  });
  const output = z
    .object({
      results: z.array(
        z.object({
          [of.field]: z.string(),
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
      summary: Summary,
      verdict: Verdict,
    })
    .meta({ id: `${single.id}_bulk` });
  /** `cve-2021-44228` and `CVE-2021-44228` are one; what has no canonical form stands for itself. */
  const canonical = (id: string): string => {
    const parsed = single.input.safeParse({ [of.field]: id });
    return parsed.success ? String(parsed.data[of.field]) : id;
  };
  return operation<z.ZodObject, z.ZodObject>({
    id: of.id,
    area: single.area,
    title: of.title,
    description: `${single.title} for up to ${MAX_ITEMS} ids in one call, each with its own outcome.`,
    route: of.route,
    input,
    output,
    cost: (given) => new Set((given[of.list] as string[]).map(canonical)).size,
    bulk: { list: of.list, canonical: (item) => canonical(item as string), answer: of.answerField, brief: of.brief },
    examples: of.examples.map((list) => ({ title: counted(list.length, 'id'), input: { [of.list]: list } })),
    ...(of.tool && { tool: of.tool }),
    ...(of.deadlineMs !== undefined && { deadlineMs: of.deadlineMs }),
    falsifiable: single.falsifiable.map((field) => `results[].${of.answerField}.${field}`),
    async answer(given, context) {
      const ids = given[of.list] as string[];
      const outcomes = new Map<string, Outcome>();
      const waiting = new Set(ids.map(canonical)).values();
      const work = async (): Promise<void> => {
        for (const id of waiting) outcomes.set(id, await outcomeOf(single, of.field, id, context, live));
      };
      await Promise.all(Array.from({ length: of.atOnce ?? 1 }, work));
      const results = ids.map((given) => {
        const id = canonical(given);
        const { status, answer, error } = outcomes.get(id)!;
        return {
          [of.field]: id,
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
        context.evidence.gap(`${counted(skipped.length, 'id')} skipped: the caller's quota is used up`);
      return {
        results,
        total: results.length,
        successful,
        failed,
        ...(live ? { timed_out: timedOut } : {}),
        partial: timedOut > 0 || skipped.length > 0,
        skipped_due_to_rate_limit: skipped,
        summary: summarise(
          `${successful} of ${counted(results.length, 'id')} answered${failed > 0 ? `, ${failed} not: see error at each` : ''}.`,
          timedOut > 0 && `The time was not enough for ${timedOut}.`,
          skipped.length > 0 && `${counted(skipped.length, 'id')} more skipped: the quota is used up.`,
        ),
      };
    },
  });
}

interface Outcome {
  status: (typeof STATUSES)[number] | 'timed_out';
  answer: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}

const LATE: Outcome = {
  status: 'timed_out',
  answer: null,
  error: { code: 'upstream_timeout', message: 'The time for this answer was over.' },
};

async function outcomeOf(
  single: Operation,
  field: string,
  id: string,
  context: Context,
  live: boolean,
): Promise<Outcome> {
  try {
    const input = parseInput(single, { [field]: id });
    if (live && context.signal.aborted) return LATE;
    const answer = await single.answer(input, context);
    if (live && context.signal.aborted) return LATE;
    return { status: 'ok', answer, error: null };
  } catch (thrown) {
    if (live && context.signal.aborted) return LATE;
    const { code, text } = asRefusal(thrown);
    if (code === 'internal_error') context.fault(thrown);
    return { status: OUTCOMES[code] ?? 'error', answer: null, error: { code, message: text } };
  }
}

const OUTCOMES: Partial<Record<ErrorCode, Outcome['status']>> = {
  not_found: 'not_found',
  invalid_argument: 'invalid_format',
  validation_error: 'invalid_format',
};
