import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { SyncEvent } from '../../src/catalog/sync.ts';
import { ended, kevFeedFolder, sextant, start, temporaryFolder } from './command-line.ts';

const ID = 'CVE-2024-11111';

function freshSettings(feeds: string): Record<string, string> {
  return { SEXTANT_DATA_DIR: join(temporaryFolder(), 'data'), SEXTANT_FEEDS: feeds };
}

describe('sextant sync', { concurrency: 2 }, () => {
  it('reads a feed and says so in plain lines', async () => {
    const settings = freshSettings(kevFeedFolder([ID, 'CVE-2024-11112']));
    const first = await sextant(['sync', 'kev'], settings);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stdout, /^kev: reading CISA/m);
    assert.match(first.stdout, /^kev: loaded, 2 records$/m);
    assert.ok(!first.stdout.includes('\u001b') && !first.stdout.includes('\r'));
    assert.equal((await sextant(['kev-detail', ID], settings)).status, 0);
    assert.match((await sextant(['sync', 'kev'], settings)).stdout, /^kev: unchanged, 2 records$/m);
    assert.match((await sextant(['sync', 'kev', '--due'], settings)).stdout, /^No feed is due/);
  });

  it('fails in part with status 1, and says what failed, as JSON too', async () => {
    const settings = freshSettings(kevFeedFolder([ID]));
    const { status, stdout } = await sextant(['sync', 'kev', 'epss', '--json'], settings);
    const { result, feeds } = JSON.parse(stdout);
    assert.equal(status, 1);
    assert.equal(result, 'published');
    assert.deepEqual(
      feeds.map(({ feed, result }: { feed: string; result: string }) => [feed, result]),
      [
        ['kev', 'loaded'],
        ['epss', 'failed'],
      ],
    );
    assert.match(feeds[1].problems[0], /not found/);
  });

  it('takes a feed that rightly shrank when told to, by name', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `CVE-2024-${11_000 + at}`);
    const settings = freshSettings(kevFeedFolder(ids));
    assert.equal((await sextant(['sync', 'kev'], settings)).status, 0);
    const shrunk = { ...settings, SEXTANT_FEEDS: kevFeedFolder(ids.slice(0, 10)) };
    const refused = await sextant(['sync', 'kev'], shrunk);
    assert.equal(refused.status, 1);
    assert.match(refused.stdout, /shrank from 20 to 10 .*sextant sync kev --allow-shrink/);
    assert.match((await sextant(['sync', 'kev', '--allow-shrink'], shrunk)).stdout, /^kev: loaded, 10 records$/m);
    assert.equal((await sextant(['sync', '--allow-shrink'], shrunk)).status, 2);
  });

  it('refuses a feed that it does not know, with the one meant', async () => {
    const { status, stderr } = await sextant(['sync', 'keev'], freshSettings(kevFeedFolder([ID])));
    assert.equal(status, 2);
    assert.match(stderr, /Did you mean kev\?/);
  });

  it('tells a parent process of each event and ends', async () => {
    const child = start(['sync', 'kev', '--report', 'ipc'], freshSettings(kevFeedFolder([ID])), true);
    const events: SyncEvent[] = [];
    child.on('message', (event) => events.push(event as SyncEvent));
    const { status, stdout } = await ended(child);
    assert.equal(status, 0);
    assert.equal(stdout, '');
    assert.deepEqual(events.at(0)?.type, 'feed');
    assert.deepEqual(events.at(-1)?.type, 'done');
  });

  it('is stopped by a signal without a trace, and keeps a second one waiting outside', async () => {
    const settings = freshSettings(kevFeedFolder([ID]));
    await sextant(['sync', 'kev'], settings);
    const silent = await silentServer();
    try {
      const stuck = {
        ...settings,
        SEXTANT_SOURCE_KEV_URL: `http://127.0.0.1:${(silent.server.address() as AddressInfo).port}/`,
      };
      const child = start(['sync', 'kev'], stuck);
      const end = ended(child);
      await silent.asked;
      const [second, bundle] = await Promise.all([
        sextant(['sync', 'kev'], settings),
        sextant(['catalog', 'export', join(temporaryFolder(), 'meanwhile')], settings),
      ]);
      assert.equal(second.status, 4);
      assert.match(second.stderr, /another sync/);
      assert.equal(bundle.status, 0);
      child.kill('SIGTERM');
      assert.equal((await end).status, 130);
    } finally {
      silent.server.closeAllConnections();
      silent.server.close();
    }
    assert.equal((await sextant(['kev-detail', ID], settings)).status, 0);
  });
});

/** Takes requests and never answers. */
async function silentServer(): Promise<{ server: Server; asked: Promise<void> }> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const server = createServer(() => resolve());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, asked };
}
