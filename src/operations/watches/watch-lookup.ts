import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { describeWatch } from './lib/describe-watch.ts';
import { presentWatch } from './lib/present-watch.ts';
import { EXAMPLE_ID, watchIdField } from './lib/watch-fields.ts';
import { WatchField } from './lib/watch-schemas.ts';

export const watchLookup = definePersonalOperation({
  id: 'watch_lookup',
  area: 'watches',
  title: 'One of your watches',
  description: 'One watch: what it is about, what is told, when and where, and its state.',
  route: 'GET /v1/watches/:id',
  personal: 'owner',
  input: z.strictObject(watchIdField),
  output: z.object({ watch: WatchField, summary: SummaryField }).meta({ id: 'WatchLookup' }),
  cost: 1,
  examples: [{ title: 'By its id', input: { id: EXAMPLE_ID } }],
  async answer({ id }, { now, self }) {
    const watch = await (await self.watches()).get(id);
    const shown = presentWatch(watch, now);
    return {
      watch: shown,
      summary: joinSummary(
        shown.state === 'paused' && 'Paused.',
        shown.mute !== null && `Muted until ${shown.mute.until.slice(0, 16)}Z.`,
        describeWatch(watch),
        watch.deadDeliveries > 0 &&
          `${formatCount(watch.deadDeliveries, 'delivery')} given up: see its deliveries, and replay.`,
      ),
    };
  },
});
