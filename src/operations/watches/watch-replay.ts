import { z } from 'zod';
import { validationError } from '../../engine/input/parse-input.ts';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { parseTime } from '../cve/lib/change-schemas.ts';
import { EXAMPLE_ID, watchIdField } from './lib/watch-fields.ts';

const TimeField = z.string().max(40);

export const watchReplay = definePersonalOperation({
  id: 'watch_replay',
  area: 'watches',
  title: 'Replay a watch',
  description:
    'Matches the recorded changes of a period again, also those that were missed because the watch was paused or not there yet, and delivers all of it again, under the ids that it had: a receiver knows what it has already.',
  route: 'POST /v1/watches/:id/replay',
  personal: 'owner',
  input: z.strictObject({
    ...watchIdField,
    since: TimeField.meta({ description: 'A day or a time (UTC).', examples: ['2026-11-20'] }),
    until: TimeField.optional().meta({ description: 'Default: now.' }),
  }),
  output: z
    .object({
      events: z.number().int(),
      deliveries: z.number().int(),
      is_complete: z.boolean().meta({ description: 'False: it goes on; events and deliveries are those so far.' }),
      summary: SummaryField,
    })
    .meta({ id: 'WatchReplay' }),
  cost: 4,
  examples: [{ title: 'Since a day', input: { id: EXAMPLE_ID, since: '2026-01-10' } }],
  async answer({ id, since, until }, { self, now }) {
    const from = new Date(parseTime(since, ['body', 'since']));
    const to = until === undefined ? null : new Date(parseTime(until, ['body', 'until']));
    if (from >= (to ?? now))
      throw validationError([
        { loc: ['body', 'since'], msg: 'it is not before the end of the period', type: 'contradiction' },
      ]);
    const { events, deliveries, isComplete } = await (await self.watches()).replay(id, from, to);
    return {
      events,
      deliveries,
      is_complete: isComplete,
      summary: joinSummary(
        `${formatCount(events, 'event')} of the period, ${formatCount(deliveries, 'delivery')} to be sent.`,
        !isComplete && 'It goes on in the background.',
      ),
    };
  },
});
