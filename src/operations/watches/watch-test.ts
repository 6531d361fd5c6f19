import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { presentDelivery } from './lib/present-watch.ts';
import { EXAMPLE_ID, watchIdField } from './lib/watch-fields.ts';
import { WatchDeliveryField } from './lib/watch-schemas.ts';

export const watchTest = definePersonalOperation({
  id: 'watch_test',
  area: 'watches',
  title: 'Test the deliveries of a watch',
  description: 'Sends a test message (type watch.test) to each channel of a watch, and says what became of it.',
  route: 'POST /v1/watches/:id/test',
  personal: 'owner',
  input: z.strictObject(watchIdField),
  output: z.object({ deliveries: z.array(WatchDeliveryField), summary: SummaryField }).meta({ id: 'WatchTested' }),
  cost: 4,
  examples: [{ title: 'By its id', input: { id: EXAMPLE_ID } }],
  async answer({ id }, { self }) {
    const deliveries = await (await self.watches()).test(id);
    const failed = deliveries.filter(({ state, lastError }) => state === 'dead' || lastError !== null);
    const waiting = deliveries.filter(({ state, lastError }) => state === 'pending' && lastError === null).length;
    return {
      deliveries: deliveries.map(presentDelivery),
      summary: joinSummary(
        deliveries.length === 0
          ? 'The watch has no channels: nothing is sent.'
          : `${deliveries.length - failed.length - waiting} of ${formatCount(deliveries.length, 'test message')} delivered.`,
        waiting > 0 && `${waiting} not sent yet: look at the deliveries.`,
        failed[0]?.lastError != null && `Failed: ${failed[0].lastError}`,
      ),
    };
  },
});
