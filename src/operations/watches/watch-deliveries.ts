import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { pageFields, pageResult, pagingFields } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { presentDelivery } from './lib/present-watch.ts';
import { EXAMPLE_ID, watchIdField } from './lib/watch-fields.ts';
import { WatchDeliveryField } from './lib/watch-schemas.ts';

export const watchDeliveries = definePersonalOperation({
  id: 'watch_deliveries',
  area: 'watches',
  title: 'Deliveries of a watch',
  description:
    'What was delivered, what waits, and what was given up and why, newest first, of the last 90 days. A delivery is tried until its receiver says 2xx, with growing pauses; then it is dead, and a replay sends it again.',
  route: 'GET /v1/watches/:id/deliveries',
  personal: 'owner',
  input: z.strictObject({
    ...watchIdField,
    state: z.enum(['pending', 'delivered', 'dead', 'muted']).optional().meta({ description: 'Only these.' }),
    ...pagingFields,
  }),
  output: z
    .object({
      ...pageFields,
      results: z.array(WatchDeliveryField),
      summary: SummaryField,
    })
    .meta({ id: 'WatchDeliveries' }),
  cost: 1,
  examples: [
    { title: 'All of them', input: { id: EXAMPLE_ID } },
    { title: 'Given up', input: { id: EXAMPLE_ID, state: 'dead' } },
  ],
  async answer(query, { self }) {
    const { id, state = null, limit, offset } = query;
    const { total, deliveries } = await (await self.watches()).deliveries(id, { state, limit, offset });
    const { query_echo: _, ...page } = pageResult(deliveries.map(presentDelivery), total, query);
    const failed = deliveries.find(({ lastError }) => lastError !== null);
    return {
      ...page,
      summary: joinSummary(
        `${formatCount(total, 'delivery')}${state === null ? '' : ` in state ${state}`}.`,
        failed !== undefined && `Last failure: ${failed.lastError}`,
      ),
    };
  },
});
