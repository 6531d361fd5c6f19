import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OwnerWatchBook } from '../../src/watches/book/owner-watch-book.ts';
import { openWatchStore } from '../../src/watches/store/open-watch-store.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { startReceiver } from './receiver.ts';
import { CHANGES, givenWatch, sampleEvent } from './sample-watch.ts';

const CHILD = fileURLToPath(new URL('children/match-and-deliver.ts', import.meta.url));
/** Moments at which the process is killed, spread over all its statements. */
const KILLS = 10;

test('killed at any moment: every event arrives, under one id however often', async (t) => {
  const receiver = await startReceiver(t);
  const first = await newWatch(receiver.url);
  const statements = Number((await run(first, 0)).stdout);
  assertAllArrived(first.watchId);
  assert.ok(statements > 50, `${statements}`);
  for (let kill = 1; kill <= KILLS; kill++) {
    const watch = await newWatch(receiver.url);
    const { signal } = await run(watch, Math.ceil((kill * statements) / KILLS) - 1);
    assert.equal(signal, 'SIGKILL');
    // The claim of the process that died has ended by then.
    await run(watch, 0, 2);
    assertAllArrived(watch.watchId);
  }

  function assertAllArrived(watchId: string): void {
    const idsByEvent = new Map<string, string[]>();
    for (const { headers, body } of receiver.received) {
      const { data } = JSON.parse(body);
      if (data.watch.id !== watchId) continue;
      for (const { id } of data.events as { id: string }[])
        idsByEvent.set(id, [...(idsByEvent.get(id) ?? []), headers['webhook-id']!]);
    }
    const wanted = Array.from({ length: CHANGES }, (_, number) => sampleEvent(watchId, number + 1).id);
    assert.deepEqual([...idsByEvent.keys()].toSorted(), wanted.toSorted());
    for (const [event, ids] of idsByEvent) assert.equal(new Set(ids).size, 1, event);
  }
});

async function newWatch(url: string): Promise<{ dataDir: string; watchId: string }> {
  const dataDir = temporaryFolder();
  const now = (): Date => new Date();
  const store = await openWatchStore({ dataDir, secret: null, databaseUrl: null }, now);
  const book = new OwnerWatchBook('local', { store, rules: { allowedPrivate: ['127.0.0.0/8'], mailTo: null }, now });
  const { watch } = await book.create(givenWatch({ channels: [{ kind: 'webhook', url, format: 'standard' }] }));
  await store.close();
  return { dataDir, watchId: watch.id };
}

function run(
  { dataDir, watchId }: { dataDir: string; watchId: string },
  killAt: number,
  minutesLater = 0,
): Promise<{ stdout: string; signal: string | null }> {
  return new Promise((resolve, reject) => {
    const words = [CHILD, dataDir, watchId, `${killAt}`, `${minutesLater}`];
    const child = execFile(process.execPath, words, { timeout: 60_000 }, (_, stdout, stderr) => {
      const { exitCode, signalCode } = child;
      if (exitCode === 0 || signalCode === 'SIGKILL') resolve({ stdout, signal: signalCode });
      else reject(new Error(`the child ended with ${exitCode ?? signalCode}: ${stderr}`));
    });
  });
}
