import { z } from 'zod';
import { lookupOutputSchema } from './operation.ts';

/** The output of an operation that lists a whole catalog as short rows, in one or more lists. */
export function wholeCatalogOutputSchema<Lists extends Record<string, z.ZodObject>>(id: string, rows: Lists) {
  const lists = Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, z.array(row)])) as {
    [Name in keyof Lists]: z.ZodArray<Lists[Name]>;
  };
  return lookupOutputSchema(id, {
    ...lists,
    totals: z.record(z.string(), z.number().int()).meta({ description: 'Rows of each list.' }),
    truncated: z.literal(false).meta({ description: 'A whole catalog is never cut.' }),
  });
}

/** The lists, with the number of rows of each. */
export function wholeCatalogAnswer<Lists extends Record<string, readonly object[]>>(lists: Lists) {
  const totals = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
  return { ...lists, totals, truncated: false as const };
}
