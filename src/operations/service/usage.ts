import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../engine/time-units.ts';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary, sumCounts } from '../../engine/summary.ts';

const MAX_TOP_ENDPOINTS = 10;

export const usage = definePersonalOperation({
  id: 'usage',
  area: 'service',
  title: 'Usage of a key',
  description: 'What a Pro key asked for within the last 24 hours, all that is kept, and what is left of its quota.',
  route: 'GET /v1/usage',
  personal: 'pro',
  input: z.strictObject({}),
  output: z
    .object({
      total_requests: z.number().int().meta({ description: 'All requests that are remembered: those of 24 hours.' }),
      last_24h: z.number().int(),
      last_1h: z.number().int(),
      hourly_limit: z.number().int().nullable().meta({ description: 'Tokens an hour; null: no limit.' }),
      hourly_remaining: z.number().int().nullable(),
      hourly_reset_seconds: z.number().int().nullable(),
      top_endpoints: z.array(z.object({ endpoint: z.string(), count: z.number().int() })),
      summary: SummaryField,
    })
    .meta({ id: 'Usage' }),
  cost: 1,
  examples: [{ title: 'Of the key that asks', input: {} }],
  async answer(_, { self, now }) {
    const [day, hour, quota] = await Promise.all([
      self.usage(new Date(now.getTime() - DAY_MS), 'key'),
      self.usage(new Date(now.getTime() - HOUR_MS), 'key'),
      self.quota(),
    ]);
    const last24h = sumCounts(day);
    return {
      total_requests: last24h,
      last_24h: last24h,
      last_1h: sumCounts(hour),
      hourly_limit: quota?.limit ?? null,
      hourly_remaining: quota?.remaining ?? null,
      hourly_reset_seconds: quota?.resetSeconds ?? null,
      top_endpoints: day.slice(0, MAX_TOP_ENDPOINTS),
      summary: joinSummary(
        `${formatCount(last24h, 'request')} within 24 hours, ${sumCounts(hour)} of them within the last.`,
        quota === null
          ? 'No limit.'
          : `${quota.remaining} of ${quota.limit} tokens left for ${quota.resetSeconds} seconds.`,
      ),
    };
  },
});
