import { setTimeout as pause } from 'node:timers/promises';
import { dieAsTold } from './die-as-told.ts';

/**
 * Syncs a mirror in a process of its own, to be killed: `node sync-child.ts <feeds> <data> [how]`. How is
 * `slow` (waits a little after each file), `hold` (stops in the middle, and says `holding`) or
 * `die:<function of node:fs>:<before|after>:<nth call>`. Sends `started`, at the end `busy` or `done`.
 */
const [, , root, data, how = ''] = process.argv;
const dies = dieAsTold(how);

const { syncMirror, FEEDS_OF_MIRROR } = await import('./nvd-mirror.ts');
const { SyncBusyError } = await import('../../src/catalog/sync/sync-errors.ts');

const told = (message: string): Promise<void> => new Promise((resolve) => process.send!(message, () => resolve()));
await told('started');
try {
  await syncMirror(root!, data!, !dies && how !== '' ? FEEDS_OF_MIRROR.map(slowed) : FEEDS_OF_MIRROR);
  await told('done');
} catch (error) {
  if (!(error instanceof SyncBusyError)) throw error;
  await told('busy');
}
process.disconnect?.();

function slowed(feed: (typeof FEEDS_OF_MIRROR)[number]): (typeof FEEDS_OF_MIRROR)[number] {
  const { records: _, ...whole } = feed;
  return {
    ...whole,
    async *parse(bytes, file, tally) {
      yield* feed.parse(bytes, file, tally);
      if (how === 'hold') await told('holding');
      await pause(how === 'hold' ? 60_000 : 40);
    },
  };
}
