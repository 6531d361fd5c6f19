import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Catalog } from '../../src/catalog/catalog.ts';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { readCurrentGeneration, readUsableGeneration } from '../../src/catalog/generation.ts';
import { publishCatalog } from '../../src/catalog/published/publish-catalog.ts';
import { publicKeyText } from '../../src/catalog/published/signed-metadata.ts';
import { syncCatalog } from '../../src/catalog/sync.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { kevFeedFolder, temporaryFolder } from '../cli/command-line.ts';

const CHILD = fileURLToPath(new URL('../support/follow-child.ts', import.meta.url));
const [OLD, NEW] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')];
const key = generateKeyPairSync('ed25519').privateKey;
const target = temporaryFolder();
const catalog = temporaryFolder();
/** Follows the old publication. */
const follower = temporaryFolder();
const bytes: { old: Buffer; new: Buffer } = { old: Buffer.alloc(0), new: Buffer.alloc(0) };

async function publish(now: Date, ids: string[]): Promise<Buffer> {
  const feeds = `${pathToFileURL(kevFeedFolder(ids)).href}/`;
  const feed = kevFeed as unknown as Feed;
  const upstreams = createFeedUpstreams(feed, { feeds, sourceUrls: new Map(), githubToken: null });
  await syncCatalog({
    folder: catalog,
    feeds: [{ feed, upstreams: () => upstreams }],
    now: () => now,
    report: () => {},
  });
  await publishCatalog({ folder: catalog, target, publishKey: key, now, compression: { level: 3, windowLog: 0 } });
  return currentBytes(catalog);
}

function currentBytes(folder: string): Buffer {
  return readFileSync(join(folder, readCurrentGeneration(folder)!.file));
}

/** The signal that ended it; null: it came to its end. */
async function follow(folder: string, now: Date, how = ''): Promise<NodeJS.Signals | null> {
  const words = [`${pathToFileURL(target).href}/`, folder, publicKeyText(key), now.toISOString(), how];
  const child = fork(CHILD, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.ok(signal !== null || code === 0, `${how}: ended with ${code}`);
  return signal;
}

describe('kill -9 while a published catalog is followed', () => {
  before(async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `CVE-2024-${11_000 + index}`);
    bytes.old = await publish(OLD, ids);
    assert.equal(await follow(follower, OLD), null);
    bytes.new = await publish(NEW, [...ids, 'CVE-2024-99999']);
  });

  // Where it touches files: the copy, the pages of the delta one after the other, its length, all flushed, and named.
  for (const [how, expected] of [
    ['copyFileSync:before:1', 'old'],
    ['copyFileSync:after:1', 'old'],
    ['writeSync:before:1', 'old'],
    ['writeSync:after:1', 'old'],
    ['writeSync:after:2', 'old'],
    ['ftruncateSync:before:1', 'old'],
    ['ftruncateSync:after:1', 'old'],
    // The snapshot, what was accepted, what was checked, the database, what is said of it; then the pointer; then what was checked.
    ['renameSync:before:1', 'old'],
    ['renameSync:after:1', 'old'],
    ['renameSync:after:2', 'old'],
    ['renameSync:after:4', 'old'],
    ['renameSync:before:6', 'old'],
    ['renameSync:after:6', 'new'],
    ['renameSync:after:7', 'new'],
    ['renameSync:after:8', 'new'],
  ] as const) {
    it(how, async () => {
      const folder = temporaryFolder();
      cpSync(follower, folder, { recursive: true });
      assert.equal(await follow(folder, NEW, `die:${how}`), 'SIGKILL');
      const generation = readUsableGeneration(folder);
      assert.ok(generation !== null);
      new Catalog(folder, generation).close();
      assert.deepEqual(currentBytes(folder), bytes[expected]);
      // The next check comes to the end, and tidies up.
      assert.equal(await follow(folder, NEW), null);
      assert.deepEqual(currentBytes(folder), bytes.new);
      const stray = readdirSync(folder).filter((name) => name.endsWith('.db.tmp') || name.endsWith('.db-journal'));
      assert.deepEqual(stray, []);
    });
  }
});
