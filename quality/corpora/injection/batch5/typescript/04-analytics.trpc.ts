import { initTRPC } from '@trpc/server';
import { drizzle } from 'drizzle-orm/node-postgres';
import { sql, SQL } from 'drizzle-orm';
import { z } from 'zod';

const db = drizzle(process.env.DATABASE_URL!);
const t = initTRPC.create();

const workspace = z.string().uuid();
const interval = z.enum(['hour', 'day', 'week']);

const seriesInput = z.object({
  workspace,
  interval: interval.default('day'),
  metric: z.string().trim().min(1).max(64),
});

const breakdownInput = z.object({
  workspace,
  dimensions: z.record(z.string(), z.string()),
});

const funnelInput = z.object({
  workspace,
  steps: z.array(z.string().regex(/^[a-z][a-z_]{0,31}$/)).min(2).max(8),
});

function conjunction(parts: SQL[]): SQL {
  return sql.join(parts, sql.raw(' AND '));
}

export const analyticsRouter = t.router({
  volume: t.procedure
    .input(z.object({ workspace, interval }))
    .query(async ({ input }) => {
      const unit = sql.raw(`'${input.interval}'`);
      const result = await db.execute(
        sql`SELECT date_trunc(${unit}, at) AS slot, COUNT(*) FROM events WHERE workspace = ${input.workspace} GROUP BY 1`,
      );
      return result.rows;
    }),

  series: t.procedure.input(seriesInput).query(async ({ input: { workspace: id, interval: unit, metric } }) => {
    const text = [
      `SELECT date_trunc('${unit}', at) AS slot, AVG((payload->>'${metric}')::numeric) AS value`,
      `FROM events WHERE workspace = '${id}'`,
      'GROUP BY 1 ORDER BY 1',
    ].join('\n');
    const result = await db.execute(sql.raw(text));
    return result.rows;
  }),

  breakdown: t.procedure.input(breakdownInput).query(async ({ input }) => {
    const filters = [sql`workspace = ${input.workspace}`];
    for (const [name, value] of Object.entries(input.dimensions)) {
      filters.push(sql`${sql.raw(name)} = ${value}`);
    }
    const result = await db.execute(sql`SELECT source, COUNT(*) FROM events WHERE ${conjunction(filters)} GROUP BY source`);
    return result.rows;
  }),

  funnel: t.procedure.input(funnelInput).query(async ({ input }) => {
    const counts = input.steps.map((step) => `COUNT(*) FILTER (WHERE name = '${step}') AS ${step}_count`);
    const query = `SELECT ${counts.join(', ')} FROM events WHERE workspace = '${input.workspace}'`;
    const result = await db.execute(sql.raw(query));
    return result.rows[0];
  }),
});

export type AnalyticsRouter = typeof analyticsRouter;
