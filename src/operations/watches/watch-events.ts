import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { readStart } from './lib/read-start.ts';
import { presentEvent } from './lib/present-watch.ts';
import { EXAMPLE_ID, watchIdField } from './lib/watch-fields.ts';
import { WatchEventField } from './lib/watch-schemas.ts';

export const watchEvents = definePersonalOperation({
  id: 'watch_events',
  area: 'watches',
  title: 'Events of a watch',
  description:
    'What changed about the subject of a watch and why it concerns it, oldest first, of the last 90 days. With next_cursor as since the next call goes on where this one ended. The same as feeds: events.atom and events.json.',
  route: 'GET /v1/watches/:id/events',
  personal: 'owner',
  input: z.strictObject({
    ...watchIdField,
    since: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'next_cursor, a day, a time (UTC), or latest. Default: all.', examples: ['2026-11-20'] }),
    limit: z.number().int().min(1).max(200).default(50).meta({ description: 'Events on this page, 1-200.' }),
  }),
  output: z
    .object({
      events: z.array(WatchEventField),
      next_cursor: z.string().nullable().meta({
        description: 'The since of the next call, also when there is nothing more yet; null: there were never any.',
      }),
      has_more: z.boolean(),
      summary: SummaryField,
    })
    .meta({ id: 'WatchEvents' }),
  cost: 1,
  examples: [{ title: 'All of them', input: { id: EXAMPLE_ID } }],
  async answer({ id, since, limit }, { self }) {
    const { events, next, hasMore } = await (await self.watches()).events(id, { ...readStart(since), limit });
    const last = events.at(-1);
    return {
      events: events.map(presentEvent),
      next_cursor: next,
      has_more: hasMore,
      summary: joinSummary(
        `${formatCount(events.length, 'event')} on this page${hasMore ? ', there are more' : ''}.`,
        last !== undefined && `Last: ${last.what} ${last.why}`,
      ),
    };
  },
});
