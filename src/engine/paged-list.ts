import { z } from 'zod';
import { Verdict } from './evidence.ts';
import { SummaryField } from './operation.ts';

export const MAX_OFFSET = 5000;

/** `limit` and `offset`, as on every list and search. */
export const pagingFields = {
  limit: z.number().int().min(1).max(200).default(50).meta({ description: 'Rows on this page, 1-200.' }),
  offset: z.number().int().min(0).max(MAX_OFFSET).default(0).meta({ description: 'Rows to skip, 0-5000.' }),
};

export const includeField = {
  include: z.literal('full').optional().meta({ description: '`full`: the verbose form.' }),
};

/** What every page of rows says of itself. */
export const pageFields = {
  count: z.number().int().meta({ description: 'Rows on this page.' }),
  total: z.number().int().meta({ description: 'Rows in all.' }),
  offset: z.number().int(),
  next_offset: z.number().int().nullable().meta({ description: 'Offset of the next page; null at the end.' }),
  truncated: z.boolean().meta({ description: 'More rows match than this page and the pages before it contain.' }),
};

const NO_FIELDS = {};

/** The output of a list: its envelope, and fields of its own. */
export function listOutputSchema<Item extends z.ZodType, More extends z.ZodRawShape = typeof NO_FIELDS>(
  id: string,
  item: Item,
  more: More = NO_FIELDS as More,
) {
  return z
    .object({
      ...pageFields,
      query_echo: z.record(z.string(), z.unknown()).meta({ description: 'The query as it was understood.' }),
      results: z.array(item),
      summary: SummaryField,
      verdict: Verdict,
      ...more,
    })
    .meta({ id });
}

/** The envelope around one page of results. */
export function pageResult<Row>(
  results: Row[],
  total: number,
  query: { limit: number; offset: number } & Record<string, unknown>,
) {
  const end = query.offset + results.length;
  const truncated = end < total;
  return {
    count: results.length,
    total,
    offset: query.offset,
    next_offset: truncated && results.length > 0 && end <= MAX_OFFSET ? end : null,
    truncated,
    query_echo: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
    results,
  };
}
