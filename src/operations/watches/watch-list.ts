import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { includeField, pageFields, pageResult, pagingFields } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import type { Watch } from '../../engine/watch-book.ts';
import { presentWatch } from './lib/present-watch.ts';
import { WatchField } from './lib/watch-schemas.ts';

/** Components that the rows of one page may have together. */
const MAX_COMPONENTS_PER_PAGE = 20_000;

export const watchList = definePersonalOperation({
  id: 'watch_list',
  area: 'watches',
  title: 'Your watches',
  description:
    'The watches of the caller, newest first. With include=full each has all that watch_create takes: so they are exported and imported.',
  route: 'GET /v1/watches',
  personal: 'owner',
  input: z.strictObject({ ...pagingFields, ...includeField }),
  output: z
    .object({
      ...pageFields,
      results: z.array(WatchField),
      summary: SummaryField,
    })
    .meta({ id: 'WatchList' }),
  cost: 1,
  examples: [{ title: 'All of them', input: {} }],
  async answer(query, { now, self }) {
    const watches = await (await self.watches()).list();
    const full = query.include === 'full';
    const end = query.offset + query.limit;
    const page = full ? withFewComponents(watches.slice(query.offset, end)) : watches.slice(query.offset, end);
    const { query_echo: _, ...rest } = pageResult(
      page.map((watch) => presentWatch(watch, now, full)),
      watches.length,
      query,
    );
    const dead = watches.filter(({ deadDeliveries }) => deadDeliveries > 0).length;
    const paused = watches.filter(({ isPaused }) => isPaused).length;
    return {
      ...rest,
      summary: joinSummary(
        `${formatCount(watches.length, 'watch')}.`,
        paused > 0 && `${paused} paused.`,
        dead > 0 && `${formatCount(dead, 'watch')} with deliveries that were given up.`,
      ),
    };
  },
});

/** As many rows as have that many components together, and at least one. */
function withFewComponents(watches: readonly Watch[]): Watch[] {
  let components = 0;
  const end = watches.findIndex(({ subject }) => {
    components += subject.kind === 'components' ? subject.components.length : 0;
    return components > MAX_COMPONENTS_PER_PAGE;
  });
  return watches.slice(0, end === -1 ? undefined : Math.max(1, end));
}
