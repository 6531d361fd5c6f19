import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Syncs a mirror in a process of its own, to be killed: `node sync-child.ts <feeds> <data> [how]`. How is
 * `slow` (waits a little after each file), `hold` (stops in the middle, and says `holding`) or
 * `die:<function of node:fs>:<before|after>:<nth call>`. Sends `started`, at the end `busy` or `done`.
 */
const [, , root, data, how = ''] = process.argv;
const [, name, when, nth] = /^die:(\w+):(before|after):(\d+)$/.exec(how) ?? [];
if (name !== undefined) dieAt(name as 'renameSync', when!, Number(nth));

const { syncMirror, FEEDS_OF_MIRROR } = await import('./nvd-mirror.ts');
const { SyncBusyError } = await import('../../src/catalog/sync/sync-errors.ts');

const told = (message: string): Promise<void> => new Promise((resolve) => process.send!(message, () => resolve()));
await told('started');
try {
  await syncMirror(root!, data!, name === undefined && how !== '' ? FEEDS_OF_MIRROR.map(slowed) : FEEDS_OF_MIRROR);
  await told('done');
} catch (error) {
  if (!(error instanceof SyncBusyError)) throw error;
  await told('busy');
}
process.disconnect?.();

function dieAt(which: 'renameSync', moment: string, call: number): void {
  const real = fs[which] as (...given: unknown[]) => unknown;
  let calls = 0;
  const die = (): void => process.kill(process.pid, 'SIGKILL') as unknown as void;
  const dying = (...given: unknown[]): unknown => {
    const isIt = ++calls === call;
    if (isIt && moment === 'before') die();
    const result = real(...given);
    if (isIt) die();
    return result;
  };
  (fs as unknown as Record<string, unknown>)[which] = dying;
  syncBuiltinESMExports();
}

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
