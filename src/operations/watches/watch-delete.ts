import { z } from 'zod';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { EXAMPLE_ID, watchIdField } from './lib/watch-fields.ts';

export const watchDelete = definePersonalOperation({
  id: 'watch_delete',
  area: 'watches',
  title: 'Delete a watch',
  description: 'Deletes a watch with its events, its deliveries and its addresses. What waits to be sent is not sent.',
  route: 'DELETE /v1/watches/:id',
  personal: 'owner',
  input: z.strictObject(watchIdField),
  output: z.object({ id: z.string(), is_deleted: z.literal(true), summary: SummaryField }).meta({ id: 'WatchDeleted' }),
  cost: 0,
  examples: [{ title: 'By its id', input: { id: EXAMPLE_ID } }],
  async answer({ id }, { self }) {
    await (await self.watches()).delete(id);
    return { id, is_deleted: true as const, summary: 'Deleted, with its events and deliveries.' };
  },
});
