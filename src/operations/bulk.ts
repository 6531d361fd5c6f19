import { z } from 'zod';
import { asRefusal } from '../errors.ts';
import type { Context } from './context.ts';
import { Verdict } from './evidence.ts';
import { type Answer, type Operation, operation, Summary, type Tool } from './operation.ts';
import { parseInput } from './runner.ts';
import { counted, summarise } from './summary.ts';

const MAX_ITEMS = 50;
const MAX_ITEM_LENGTH = 256;

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
  examples: readonly string[][];
  tool: Tool;
}

/**
 * The bulk form of a look-up: many ids in one call, each with an outcome of its own. One that fails does not fail the
 * others; one that is given twice is looked up and charged once, and answered at each place.
 */
export function bulk(single: Operation, of: BulkOf) {
  const input = z.strictObject({
    [of.list]: z
      .array(z.string().max(MAX_ITEM_LENGTH))
      .max(MAX_ITEMS)
      .meta({ description: `At most ${MAX_ITEMS}; duplicates count once.`, examples: [of.examples[0] ?? []] }),
  });
  const output = z
    .object({
      results: z.array(
        z.object({
          [of.field]: z.string(),
          status: z.enum(['ok', 'not_found', 'invalid_format', 'error']),
          [of.answerField]: single.output.partial({ verdict: true, next_calls: true }).nullable(),
          error: ItemError,
        }),
      ),
      total: z.number().int(),
      successful: z.number().int(),
      failed: z.number().int(),
      skipped_due_to_rate_limit: z.array(z.string()),
      summary: Summary,
      verdict: Verdict,
    })
    .meta({ id: `${single.id}_bulk` });
  return operation<z.ZodObject, z.ZodObject>({
    id: of.id,
    area: single.area,
    title: of.title,
    description: `${single.title} for up to ${MAX_ITEMS} ids in one call, each with its own outcome.`,
    route: of.route,
    input,
    output,
    cost: (given) => new Set(given[of.list] as string[]).size,
    examples: of.examples.map((list) => ({ title: counted(list.length, 'id'), input: { [of.list]: list } })),
    tool: of.tool,
    falsifiable: single.falsifiable,
    async answer(given, context) {
      const ids = given[of.list] as string[];
      const outcomes = new Map<string, Outcome>();
      for (const id of new Set(ids)) outcomes.set(id, await outcomeOf(single, of.field, id, context));
      const results = ids.map((id) => {
        const { status, answer, error, canonical } = outcomes.get(id)!;
        return { [of.field]: canonical, status, [of.answerField]: answer, error };
      });
      const successful = results.filter(({ status }) => status === 'ok').length;
      const failed = results.length - successful;
      return {
        results,
        total: results.length,
        successful,
        failed,
        skipped_due_to_rate_limit: [],
        summary: summarise(`${successful} of ${counted(results.length, 'id')} answered${failed > 0 ? `, ${failed} not: see error at each` : ''}.`),
      };
    },
  });
}

interface Outcome {
  canonical: string;
  status: 'ok' | 'not_found' | 'invalid_format' | 'error';
  answer: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
}

async function outcomeOf(single: Operation, field: string, id: string, context: Context): Promise<Outcome> {
  let canonical = id;
  try {
    const input = parseInput(single, { [field]: id });
    canonical = String(input[field]);
    const answer: Answer<z.ZodObject> = await single.answer(input, context);
    return { canonical, status: 'ok', answer, error: null };
  } catch (thrown) {
    const refusal = asRefusal(thrown);
    const status =
      refusal.code === 'not_found' ? 'not_found' : refusal.code === 'invalid_argument' ? 'invalid_format' : 'error';
    return { canonical, status, answer: null, error: { code: refusal.code, message: refusal.message } };
  }
}

