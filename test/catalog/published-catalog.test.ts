import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createFeedUpstreams } from '../../src/catalog/create-feed-upstreams.ts';
import { tryLockCatalog } from '../../src/catalog/catalog-lock.ts';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { followCatalog, type FollowResult } from '../../src/catalog/published/follow-catalog.ts';
import { followStatus, readFollowState } from '../../src/catalog/published/follow-state.ts';
import { publishCatalog, type PublishOptions } from '../../src/catalog/published/publish-catalog.ts';
import { publicKeyText, signMetadata } from '../../src/catalog/published/signed-metadata.ts';
import { SCHEMA_VERSION } from '../../src/catalog/schema.ts';
import { syncCatalog } from '../../src/catalog/sync.ts';
import { SyncBusyError } from '../../src/catalog/sync/sync-errors.ts';
import { createUpstream } from '../../src/feeds/create-upstream.ts';
import type { Feed } from '../../src/feeds/feed.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { createConnectionPools } from '../../src/net/connection-pool.ts';
import { kevFeedFolder, temporaryFolder } from '../cli/command-line.ts';

const feedFolders = new Map<number, string>();

const DAY_MS = 86_400_000;
const START = new Date('2026-03-01T00:00:00Z');
const day = (days: number): Date => new Date(START.getTime() + days * DAY_MS);
const SCHEMA = `schema-${SCHEMA_VERSION}`;
const FROM = 'https://catalog.example/';

const publisherKey = generateKeyPairSync('ed25519').privateKey;
const KEY = publicKeyText(publisherKey);

/** A publisher with its catalog and what it published, day by day: `published[n]` is the folder as it was on day n. */
let catalog: string;
const published: string[] = [];
const databases: Buffer[] = [];

before(async () => {
  catalog = temporaryFolder();
  const target = temporaryFolder();
  for (let number = 0; number < 6; number++) {
    await sync(catalog, number);
    await publish(target, number);
    published.push(copyOf(target));
    databases.push(readFileSync(join(catalog, readCurrentGeneration(catalog)!.file)));
  }
});

describe('a follower of a published catalog', () => {
  it('takes the full one first, then deltas, and has the bytes of the publisher each time', async () => {
    const folder = temporaryFolder();
    const ways: unknown[] = [];
    for (const number of [0, 1, 3, 5]) {
      const { by } = await follow(folder, number);
      ways.push([by?.kind, by?.files]);
      assert.deepEqual(databaseOf(folder), databases[number]);
    }
    assert.deepEqual(ways, [
      ['full', 1],
      ['deltas', 1],
      ['deltas', 2],
      ['deltas', 2],
    ]);
    assert.equal((await follow(folder, 5)).result, 'unchanged');
    assert.deepEqual(
      readdirSync(folder).filter((name) => /\.(?:tmp|part)$/.test(name)),
      [],
    );
  });

  it('takes five deltas in one step', async () => {
    const folder = temporaryFolder();
    await follow(folder, 0);
    assert.deepEqual((await follow(folder, 5)).by?.files, 5);
    assert.deepEqual(databaseOf(folder), databases[5]);
  });

  it('says as old as the publisher how old its data is', async () => {
    const folder = temporaryFolder();
    await follow(folder, 2);
    const [here, there] = [readCurrentGeneration(folder)!, databases[2]!.length];
    assert.equal(here.created_at, day(2).toISOString());
    assert.equal(here.bytes, there);
    assert.equal(here.sources.kev?.from_origin, false);
    assert.equal(here.sources.kev?.last_success_at, day(2).toISOString());
  });

  it('gets new states of feeds although no data changed', async () => {
    const [target, source, folder] = [copyOf(published[5]!), copyOf(catalog), temporaryFolder()];
    await follow(folder, 5);
    await sync(source, 5, day(6));
    const again = await publishCatalog({ ...optionsFor(target, day(6)), folder: source });
    assert.equal(again?.is_new, false);
    const { result } = await followFolder(folder, target, day(6));
    assert.equal(result, 'unchanged');
    assert.equal(readCurrentGeneration(folder)!.sources.kev?.last_success_at, day(6).toISOString());
  });

  it('takes the full catalog where its own file is not the publisher’s, or was damaged', async () => {
    const folder = temporaryFolder();
    await follow(folder, 4);
    const file = join(folder, readCurrentGeneration(folder)!.file);
    const content = readFileSync(file);
    content[content.length - 10]! ^= 1;
    writeFileSync(file, content);
    assert.equal((await follow(folder, 5)).by?.kind, 'full');
    assert.deepEqual(databaseOf(folder), databases[5]);
  });

  it('takes the full catalog where a delta does not lead there, although it is signed', async () => {
    const [folder, target] = [temporaryFolder(), copyOf(published[5]!)];
    await follow(folder, 4);
    // A publisher with a mistake: the delta of another day under the name of this one.
    republish(target, ({ deltas }) => {
      const [wrong, right] = [deltas.at(-2)!, deltas.at(-1)!];
      Object.assign(right, { file: wrong.file, bytes: wrong.bytes, sha256: wrong.sha256 });
    });
    assert.equal((await followFolder(folder, target, day(5))).by?.kind, 'full');
    assert.deepEqual(databaseOf(folder), databases[5]);
  });

  it('waits for nobody: another writer of the folder makes it busy', async () => {
    const folder = temporaryFolder();
    await follow(folder, 0);
    const lock = tryLockCatalog(folder)!;
    await assert.rejects(follow(folder, 1), SyncBusyError);
    lock.release();
    assert.deepEqual(databaseOf(folder), databases[0]);
  });
});

describe('a published catalog is refused, and the one before goes on answering,', () => {
  /** Changes a copy of what was published on day 5 and lets a follower of day 4 see it. */
  const refused = async (
    change: (target: string) => void | Promise<void>,
    reason: RegExp,
    { kind = 'refused', now = day(5) }: { kind?: string; now?: Date } = {},
  ): Promise<void> => {
    const [folder, target] = [temporaryFolder(), copyOf(published[5]!)];
    await follow(folder, 4);
    await change(target);
    await assert.rejects(followFolder(folder, target, now), (error: Error) => {
      assert.match(error.message, reason);
      return true;
    });
    assert.deepEqual(databaseOf(folder), databases[4]);
    const status = followStatus(folder, FROM, now);
    assert.equal(status.state, kind);
    assert.match(status.problem ?? '', reason);
    // What is right is taken afterwards.
    await follow(folder, 5);
    assert.deepEqual(databaseOf(folder), databases[5]);
  };

  it('when it is an old one (rollback)', () =>
    refused((target) => replaceWith(target, published[3]!), /older \(version \d+\) than what was published before/));

  it('when its time is over (freeze)', async () => {
    const folder = temporaryFolder();
    await follow(folder, 4);
    // Day 4 is shown for ever: it is believed until it expires, and no longer.
    await followFolder(folder, published[4]!, day(7));
    assert.equal(followStatus(folder, FROM, day(7)).state, 'current');
    await assert.rejects(followFolder(folder, published[4]!, day(9)), /has expired on 2026-03-09T00:00:00.000Z/);
    const status = followStatus(folder, FROM, day(9));
    assert.equal(status.state, 'frozen');
    assert.match(status.problem!, /is frozen: it was to be published again before 2026-03-09/);
    assert.deepEqual(databaseOf(folder), databases[4]);
  });

  it('says that it is frozen although no check was made since', async () => {
    const folder = temporaryFolder();
    await follow(folder, 4);
    assert.equal(followStatus(folder, FROM, day(8)).state, 'current');
    assert.equal(followStatus(folder, FROM, day(8.01)).state, 'frozen');
  });

  it('by hand an expired one is taken, unless it is older', async () => {
    const folder = temporaryFolder();
    await follow(folder, 3);
    const byHand = (number: number) => followFolder(folder, published[number]!, day(30), { allowExpired: true });
    await byHand(4);
    assert.deepEqual(databaseOf(folder), databases[4]);
    assert.equal(followStatus(folder, FROM, day(30)).state, 'frozen');
    await assert.rejects(byHand(3), /older/);
  });

  it('when its snapshot or its files are of another publication (mix and match)', async () => {
    const name = (target: string, start: string): string =>
      readdirSync(join(target, SCHEMA)).find((file) => file.startsWith(start))!;
    await refused(
      (target) => {
        const newest = readdirSync(join(target, SCHEMA))
          .filter((file) => file.startsWith('snapshot-'))
          .toSorted()
          .at(-1)!;
        cpSync(join(published[3]!, SCHEMA, name(published[3]!, 'snapshot-')), join(target, SCHEMA, newest));
      },
      /snapshot is not the one that was signed|larger than/,
      { kind: 'refused' },
    );
    await refused((target) => {
      for (const file of readdirSync(join(target, SCHEMA)).filter((one) => one.startsWith('delta-'))) {
        const content = readFileSync(join(target, SCHEMA, file));
        content[content.length - 1]! ^= 1;
        writeFileSync(join(target, SCHEMA, file), content);
      }
    }, /is not the file that was signed/);
  });

  it('when a file is longer than was signed (endless data), and never more is written', async () => {
    await refused((target) => {
      for (const file of readdirSync(join(target, SCHEMA)).filter((one) => one.startsWith('delta-'))) {
        writeFileSync(join(target, SCHEMA, file), Buffer.alloc(50_000_000));
      }
    }, /longer than was signed/);
    await refused(
      (target) => writeFileSync(join(target, SCHEMA, 'timestamp.txt'), 'x'.repeat(100_000)),
      /larger than/,
      {
        kind: 'failed',
      },
    );
  });

  it('when it is signed with another key, or with none (wrong key)', async () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    await refused((target) => resign(target, [other]), /not signed with a trusted key/);
    await refused((target) => resign(target, []), /not signed with a trusted key/);
    const folder = temporaryFolder();
    const options = { key: publicKeyText(other) };
    await assert.rejects(
      followFolder(folder, published[5]!, day(5), options),
      /none of its roots is signed with the configured key/,
    );
    assert.equal(readCurrentGeneration(folder), null);
  });

  it('when one character of what is signed was changed (arbitrary installation)', async () => {
    const edit = (file: string, from: string | RegExp, to: string) => (target: string) => {
      const path = join(target, SCHEMA, file);
      const text = readFileSync(path, 'utf8');
      assert.notEqual(text.replace(from, to), text);
      writeFileSync(path, text.replace(from, to));
    };
    await refused(edit('timestamp.txt', /"bytes":\d/, '"bytes":9'), /not signed with a trusted key/);
    await refused(edit('timestamp.txt', '2026', '2036'), /not signed with a trusted key/);
    // A root signed as a root cannot be shown as a timestamp.
    await refused(
      (target) => cpSync(join(target, SCHEMA, '1.root.txt'), join(target, SCHEMA, 'timestamp.txt')),
      /timestamp cannot be read/,
    );
  });

  it('when a name in it leads out of the folder', () =>
    refused(
      (target) => republish(target, ({ deltas }) => (deltas.at(-1)!.file = '../../etc/passwd')),
      /snapshot cannot be read/,
    ));

  it('when two publications have the same version', () =>
    refused(async (target) => {
      // The follower has seen day 4: another one with its number.
      replaceWith(target, published[4]!);
      republish(target, ({ deltas }) => deltas.pop(), true);
    }, /two different publications of version/));

  it('when files are missing', async () => {
    await refused((target) => rmSync(join(target, SCHEMA, 'timestamp.txt')), /no published catalog for this version/);
    await refused(
      (target) => rmSync(join(target, SCHEMA), { recursive: true }),
      /no published catalog for this version/,
    );
    await refused(
      (target) => {
        for (const file of readdirSync(join(target, SCHEMA)).filter((one) => one.startsWith('delta-')))
          rmSync(join(target, SCHEMA, file));
      },
      /is missing/,
      { kind: 'failed' },
    );
  });
});

describe('keys of a published catalog', () => {
  const [root, publishing, nextPublishing, nextRoot] = Array.from(
    { length: 4 },
    () => generateKeyPairSync('ed25519').privateKey,
  ) as [KeyObject, KeyObject, KeyObject, KeyObject];
  const publishAs = (target: string, days: number, keys: Partial<PublishOptions>) =>
    publishCatalog({ ...optionsFor(target, day(days)), ...keys });

  it('change, and a follower of the first one follows', async () => {
    const [target, folder, late] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const check = (days: number, key = root, into = folder) =>
      followFolder(into, target, day(days), { key: publicKeyText(key) });
    await publishAs(target, 10, { publishKey: publishing, rootKey: root });
    await check(10);
    await assert.rejects(publishAs(target, 11, { publishKey: nextPublishing }), /another publishing key/);
    await publishAs(target, 11, { publishKey: nextPublishing, rootKey: root });
    await check(11);
    await assert.rejects(publishAs(target, 12, { publishKey: nextPublishing, rootKey: nextRoot }), /another root key/);
    const changed = await publishAs(target, 12, { publishKey: nextPublishing, rootKey: nextRoot, oldRootKey: root });
    assert.equal(changed?.root_version, 3);
    await check(12);
    // The root key is needed only to change keys.
    await publishAs(target, 13, { publishKey: nextPublishing });
    await check(13);
    // Whether it starts with the old key or the new one; and the configured key may be changed to the new one.
    await check(13, root, late);
    await check(13, nextRoot, temporaryFolder());
    await check(13, nextRoot, folder);
    assert.deepEqual(databaseOf(folder), databases[5]);
    // The publishing key of before is no longer believed.
    resign(target, [publishing], (timestamp) => ({ ...timestamp, version: timestamp.version + 1000 }));
    await assert.rejects(check(13), /not signed with a trusted key/);
  });

  it('that nobody trusted signed do not take over', async () => {
    const [target, folder] = [temporaryFolder(), temporaryFolder()];
    await publishAs(target, 10, { publishKey: publishing, rootKey: root });
    await followFolder(folder, target, day(10), { key: publicKeyText(root) });
    const content = {
      version: 2,
      expires_at: day(800).toISOString(),
      root_key: publicKeyText(nextRoot),
      publish_key: publicKeyText(nextPublishing),
    };
    writeFileSync(join(target, SCHEMA, '2.root.txt'), signMetadata('root', content, [nextRoot]));
    const attempt = followFolder(folder, target, day(10), { key: publicKeyText(root) });
    await assert.rejects(attempt, /root 2 is not signed with the root key before it/);
  });

  it('a stolen publishing key that raised the version is overcome by a new one', async () => {
    const [target, folder] = [temporaryFolder(), temporaryFolder()];
    const check = () => followFolder(folder, target, day(11), { key: publicKeyText(root) });
    await publishAs(target, 10, { publishKey: publishing, rootKey: root });
    const before = readFileSync(join(target, SCHEMA, 'timestamp.txt'), 'utf8');
    resign(target, [publishing], (timestamp) => ({ ...timestamp, version: timestamp.version * 1000 }));
    await check();
    writeFileSync(join(target, SCHEMA, 'timestamp.txt'), before);
    await assert.rejects(check(), /older/);
    await publishAs(target, 11, { publishKey: nextPublishing, rootKey: root });
    await check();
  });

  it('a root that has expired freezes', async () => {
    const [target, folder] = [temporaryFolder(), temporaryFolder()];
    await publishAs(target, 10, { publishKey: publishing, rootKey: root });
    await assert.rejects(
      publishAs(target, 10 + 731, { publishKey: publishing }),
      /root of the published catalog has expired/,
    );
    const attempt = followFolder(folder, target, day(10 + 731), { key: publicKeyText(root), allowExpired: true });
    await assert.rejects(attempt, /its root has expired/);
  });
});

describe('publishing', () => {
  it('leaves what a follower may be reading, and removes the rest', async () => {
    const files = (target: string, start: string) =>
      readdirSync(join(target, SCHEMA)).filter((file) => file.startsWith(start)).length;
    assert.deepEqual(
      [files(published[5]!, 'catalog-'), files(published[5]!, 'snapshot-'), files(published[5]!, 'delta-')],
      [2, 2, 5],
    );
    const target = copyOf(published[5]!);
    const again = await publish(target, 5, { keepDeltas: 2 });
    assert.equal(again?.is_new, false);
    await publish(target, 5, { keepDeltas: 2 });
    assert.equal(files(target, 'delta-'), 2);
    assert.equal(files(target, 'catalog-'), 1);
  });

  it('has a version that rises although the folder was lost', async () => {
    const [target, folder] = [temporaryFolder(), temporaryFolder()];
    await follow(folder, 5);
    await publish(target, 5, { now: day(6) });
    await followFolder(folder, target, day(6));
  });

  it('is null where there is no catalog', async () => {
    assert.equal(await publishCatalog({ ...optionsFor(temporaryFolder(), day(0)), folder: temporaryFolder() }), null);
  });
});

describe('a web server', () => {
  /** How many bytes of a file are sent before the connection breaks; null: all. */
  let cutAfter: number | null = null;
  /** Into which it is downloaded. */
  let cutFolder = '';
  let takesRanges = true;
  let asked: string[] = [];
  const server = createServer((request, response) => {
    const path = join(published[served]!, request.url!);
    asked.push(`${request.url} ${request.headers.range ?? ''}`.trim());
    if (!existsSync(path)) return void response.writeHead(404).end();
    const content = readFileSync(path);
    const from = takesRanges ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
    send(response, content, from);
  });
  let served = 5;
  const send = (response: ServerResponse, content: Buffer, from: number): void => {
    const body = content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': body.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    if (cutAfter === null || body.length <= cutAfter) return void response.end(body);
    response.write(body.subarray(0, cutAfter));
    // What Node has received and nobody has read is lost when a connection breaks: it breaks when all is on the disk.
    const wanted = from + cutAfter;
    const timer = setInterval(() => {
      const parts = readdirSync(cutFolder).filter((name) => name.endsWith('.part'));
      if (!parts.some((name) => statSync(join(cutFolder, name)).size >= wanted)) return;
      clearInterval(timer);
      response.destroy();
    }, 2);
  };
  const pools = createConnectionPools({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  const overHttp = (folder: string, now: Date) => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const upstream = createUpstream({ address, layout: 'mirror', web: { pool: pools(true), backoffMs: 1 } });
    return followCatalog({ folder, upstream, from: FROM, key: KEY, now });
  };
  before(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is followed like a folder; a check that finds nothing new reads the timestamp alone', async () => {
    const folder = temporaryFolder();
    await overHttp(folder, day(5));
    assert.deepEqual(databaseOf(folder), databases[5]);
    asked = [];
    assert.equal((await overHttp(folder, day(5))).result, 'unchanged');
    assert.deepEqual(asked, [`/${SCHEMA}/2.root.txt`, `/${SCHEMA}/timestamp.txt`]);
  });

  it('that breaks off is continued, now and at the next check', async () => {
    const folder = temporaryFolder();
    const full = readdirSync(join(published[5]!, SCHEMA)).find((file) => file.startsWith('catalog-'))!;
    const size = Math.max(
      ...readdirSync(join(published[5]!, SCHEMA))
        .filter((file) => file.startsWith('catalog-'))
        .map((file) => readFileSync(join(published[5]!, SCHEMA, file)).length),
    );
    assert.ok(full !== undefined);
    cutAfter = Math.ceil(size / 7);
    cutFolder = folder;
    asked = [];
    await assert.rejects(overHttp(folder, day(5)), /./);
    const ranges = asked.filter((line) => line.includes('bytes=')).length;
    assert.equal(ranges, 3, 'the first attempt was continued three times');
    assert.equal(readCurrentGeneration(folder), null);
    assert.equal(readFollowState(folder)?.problem?.kind, 'failed');
    asked = [];
    await overHttp(folder, day(5));
    cutAfter = null;
    assert.match(asked.filter((line) => line.includes('catalog-'))[0]!, /bytes=[1-9]/);
    assert.deepEqual(databaseOf(folder), databases[5]);
  });

  it('that cannot continue starts anew', async () => {
    const folder = temporaryFolder();
    const { full } = JSON.parse(
      readFileSync(
        join(
          published[5]!,
          SCHEMA,
          readdirSync(join(published[5]!, SCHEMA))
            .filter((file) => file.startsWith('snapshot-'))
            .toSorted()
            .at(-1)!,
        ),
        'utf8',
      ),
    ) as { full: { sha256: string } };
    writeFileSync(join(folder, `${full.sha256}.part`), 'left by something else');
    takesRanges = false;
    await overHttp(folder, day(5));
    takesRanges = true;
    assert.deepEqual(databaseOf(folder), databases[5]);
  });
});

/** Feeds of one day: a known-exploited catalog that grows, whose texts do not pack to nothing. */
function feedsOf(number: number): string {
  const known = feedFolders.get(number);
  if (known !== undefined) return known;
  const folder = kevFeedFolder(
    Array.from({ length: 300 + number * 3 }, (_, index) => `CVE-2024-${11_000 + index * 7}`),
  );
  const file = join(folder, 'kev', 'known_exploited_vulnerabilities.json');
  const content = JSON.parse(readFileSync(file, 'utf8')) as {
    vulnerabilities: { cveID: string; shortDescription: string }[];
  };
  for (const entry of content.vulnerabilities) {
    entry.shortDescription = createHash('sha512').update(entry.cveID).digest('base64');
  }
  writeFileSync(file, JSON.stringify(content));
  feedFolders.set(number, folder);
  return folder;
}

async function sync(folder: string, number: number, now = day(number)): Promise<void> {
  const feeds = `${pathToFileURL(feedsOf(number)).href}/`;
  const feed = kevFeed as unknown as Feed;
  const upstreams = createFeedUpstreams(feed, { feeds, sourceUrls: new Map(), githubToken: null });
  await syncCatalog({ folder, feeds: [{ feed, upstreams: () => upstreams }], now: () => now, report: () => {} });
}

function optionsFor(target: string, now: Date): PublishOptions {
  return { folder: catalog, target, publishKey: publisherKey, now, compression: { level: 3, windowLog: 0 } };
}

function publish(target: string, number: number, more: Partial<PublishOptions> = {}) {
  return publishCatalog({ ...optionsFor(target, day(number)), ...more });
}

function follow(folder: string, number: number): Promise<FollowResult> {
  return followFolder(folder, published[number]!, day(number));
}

function followFolder(
  folder: string,
  target: string,
  now: Date,
  more: { key?: string; allowExpired?: boolean } = {},
): Promise<FollowResult> {
  const upstream = createUpstream({ address: `${pathToFileURL(target).href}/`, layout: 'mirror' });
  return followCatalog({ folder, upstream, from: FROM, key: KEY, now, ...more });
}

function databaseOf(folder: string): Buffer {
  return readFileSync(join(folder, readCurrentGeneration(folder)!.file));
}

function copyOf(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

function replaceWith(target: string, other: string): void {
  rmSync(target, { recursive: true });
  mkdirSync(target);
  cpSync(other, target, { recursive: true });
}

interface TimestampContent {
  version: number;
  published_at: string;
  expires_at: string;
  snapshot: { file: string; bytes: number; sha256: string };
}

function resign(
  target: string,
  keys: KeyObject[],
  change: (timestamp: TimestampContent) => TimestampContent = (timestamp) => timestamp,
): void {
  const path = join(target, SCHEMA, 'timestamp.txt');
  const timestamp = JSON.parse(readFileSync(path, 'utf8').split('\n')[1]!) as TimestampContent;
  writeFileSync(path, signMetadata('timestamp', change(timestamp), keys));
}

/** Changes the snapshot and signs it as the publisher does. */
function republish(
  target: string,
  change: (snapshot: { deltas: { file: string; bytes: number; sha256: string }[] }) => unknown,
  sameVersion = false,
): void {
  resign(target, [publisherKey], (timestamp) => {
    const snapshot = JSON.parse(readFileSync(join(target, SCHEMA, timestamp.snapshot.file), 'utf8'));
    change(snapshot);
    const text = JSON.stringify(snapshot);
    writeFileSync(join(target, SCHEMA, 'snapshot-9.json'), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    return {
      ...timestamp,
      version: timestamp.version + (sameVersion ? 0 : 1),
      snapshot: { file: 'snapshot-9.json', bytes: text.length, sha256 },
    };
  });
}
