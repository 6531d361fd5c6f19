import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite, type TestContext, test } from 'node:test';
import { listDatabaseFiles, readCurrentGeneration } from '../../src/catalog/generation.ts';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { syncCatalog, type SyncEvent, type SyncOptions } from '../../src/catalog/sync.ts';
import { publicSyncErrorText } from '../../src/catalog/sync/sync-errors.ts';
import { findDueFeeds } from '../../src/cli/run-sync.ts';
import type { KevEntry } from '../../src/feeds/entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type FeedId } from '../../src/feeds/feed.ts';
import type { Upstream } from '../../src/feeds/upstream.ts';
import { UpstreamError } from '../../src/feeds/upstream-error.ts';
import { NetError } from '../../src/net/net-error.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { dataAgeSeconds } from '../../src/engine/feed-age.ts';
import { upstreamOf } from '../feeds/parse-feed.ts';

/** What the state of a source says after a sync, and what the next one does with it. */

const NOW = new Date('2030-05-10T12:00:00.000Z');

interface Plan {
  id?: FeedId;
  files: FeedFile[];
  /** The entries of a file, or what goes wrong with it. */
  parse?: (file: FeedFile, signal: AbortSignal) => AsyncIterable<KevEntry[]>;
  skips?: (file: FeedFile) => number;
}

const entry = (number: number): KevEntry => ({
  cve_id: `CVE-2030-${1000 + number}`,
  vendor_project: 'Acme',
  product: 'Anvil',
  vulnerability_name: 'Drop',
  date_added: '2030-05-01',
  due_date: null,
  required_action: 'Hold it.',
  short_description: 'It drops.',
  known_ransomware_use: false,
  notes: null,
  cwes: [],
});
const entries = (count: number): KevEntry[] => Array.from({ length: count }, (_, at) => entry(at));
const file = (name: string, more: Partial<FeedFile> = {}): FeedFile => ({
  name,
  path: name,
  fingerprint: name,
  extent: 'delta',
  sha256: null,
  content: Buffer.from('x'),
  ...more,
});

/** Without a file taken there is no catalog, and no state. */
const GOOD: Plan = { id: 'feodo', files: [file('a')] };

function planned({ id = 'kev', files, parse, skips }: Plan, signal: AbortSignal): Feed {
  const feed: Feed<'kev'> = {
    id,
    kind: 'kev',
    title: 'A feed of the test',
    addresses: [],
    folder: 'kev',
    everyHours: 2,
    maxBytes: 1000,
    maxUnpackedBytes: 1000,
    staleAfterDays: 1,
    files: async () => files,
    async *parse(bytes, which, tally) {
      for await (const _ of bytes) tally.setDataTime(NOW.toISOString());
      for (let at = 0; at < (skips?.(which) ?? 0); at++) tally.skip(`record ${at}`, 'broken');
      yield* parse === undefined ? [entries(20)] : parse(which, signal);
    },
  };
  return feed as unknown as Feed;
}

function catalogFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-state-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function sync(folder: string, plans: Plan | Plan[], more: Partial<SyncOptions> = {}) {
  const events: SyncEvent[] = [];
  const stop = new AbortController().signal;
  const outcome = await syncCatalog({
    folder,
    feeds: [plans].flat().map((plan) => ({ feed: planned(plan, stop), upstreams: () => [upstreamOf('origin', {})] })),
    now: () => NOW,
    report: (event) => events.push(event),
    ...more,
  });
  return { ...outcome, events, kev: outcome.generation!.sources['kev']! };
}

suite('an error in words for everybody names no path, no address, no statement', () => {
  const system = (code: string, more: object = {}): Error =>
    Object.assign(new Error(`${code}: no way, copyfile '/srv/data/catalog/a.db' -> '/srv/data/b.db'`), {
      code,
      ...more,
    });
  for (const [error, says] of [
    [system('ENOSPC'), /^the disk is full$/],
    [system('EACCES'), /^permission denied$/],
    [system('EWEIRD'), /^the system reports EWEIRD$/],
    [system('ERR_SQLITE_ERROR', { errcode: 13 }), /^the disk is full$/],
    [system('ERR_SQLITE_ERROR', { errcode: 10 | (3 << 8) }), /^a database file cannot be read or written$/],
    [system('not a code: /srv'), /^an unexpected error$/],
    [new TypeError("Cannot read '/srv/data'"), /^an unexpected error$/],
    ['thrown text with /srv/data', /^an unexpected error$/],
    [null, /^an unexpected error$/],
    [new NetError('dns', 'mirror.internal: not found'), /^the connection failed \(dns\)$/],
    [new UpstreamError('mirror.internal answered 503 for /secret/x', 503), /^it was answered with status 503$/],
    [new FeedFormatError('the XML is\na "x\u202e"'), /^the XML is a "x"$/],
  ] as [unknown, RegExp][]) {
    test(String(says), () => assert.match(publicSyncErrorText(error), says));
  }

  test('nor does what a table of every code of the system gives', async () => {
    const { constants } = await import('node:os');
    for (const code of Object.keys(constants.errno))
      assert.doesNotMatch(publicSyncErrorText(system(code)), /[/'"]|srv/, code);
  });
});

test('the state of a source that failed names no path', async (t) => {
  const folder = catalogFolder(t);
  const full = Object.assign(new Error("ENOSPC: no space left on device, copyfile '/srv/a' -> '/srv/b'"), {
    code: 'ENOSPC',
  });
  const failing: Plan = {
    files: [file('a')],
    async *parse() {
      yield entries(1);
      throw full;
    },
  };
  const { kev, events } = await sync(folder, [GOOD, failing]);
  assert.equal(kev.last_error, 'a: the disk is full');
  // The operator sees what the system said.
  const refused = events.find(({ type }) => type === 'refused');
  assert.equal(refused?.type === 'refused' && refused.reason, full.message);
});

test('of a feed of changes the state keeps the files that are still listed, and what was skipped in those', async (t) => {
  const folder = catalogFolder(t);
  const skips = () => 1;
  for (let hour = 10; hour < 30; hour++) {
    const { kev } = await sync(folder, { files: [file(`day_at_${hour}`)], skips });
    assert.deepEqual(Object.keys(kev.files), [`day_at_${hour}`]);
    assert.equal(kev.skipped, 1);
  }
  const nothingNew = await sync(folder, { files: [] });
  assert.deepEqual([Object.keys(nothingNew.kev.files), nothingNew.kev.skipped], [['day_at_29'], 1]);
});

test('of a feed of whole files the state goes on knowing how much a file held that is not listed today', async (t) => {
  const folder = catalogFolder(t);
  const of = (names: string[]): FeedFile[] => names.map((name) => file(name, { extent: 'whole' }));
  await sync(folder, { files: of(['a', 'b']) });
  const { kev } = await sync(folder, { files: of(['a']) });
  assert.equal(kev.files['b']?.records, 20);
});

test('a feed that shrank is refused with the remedy, and taken when the operator says so', async (t) => {
  const folder = catalogFolder(t);
  const of = (count: number, fingerprint: string): Plan => ({
    files: [file('a', { extent: 'whole', fingerprint })],
    async *parse() {
      yield entries(count);
    },
  });
  await sync(folder, of(20, '1'));
  const refused = await sync(folder, of(10, '2'));
  assert.deepEqual(refused.failed, ['kev']);
  assert.match(refused.kev.last_error ?? '', /shrank from 20 to 10 .*sextant sync kev --allow-shrink/);
  const taken = await sync(folder, of(10, '2'), { allowShrink: true });
  assert.deepEqual([taken.failed, taken.kev.records, taken.kev.last_error], [[], 10, null]);
  // Not to nothing: that is no list that shrank.
  assert.deepEqual((await sync(folder, of(0, '3'), { allowShrink: true })).failed, ['kev']);
});

suite('a sync has an end', () => {
  const waits = (): Plan => ({
    files: [file('first'), file('slow'), file('never')],
    async *parse({ name }) {
      yield entries(1);
      if (name === 'slow') for (;;) yield (await pause(5), entries(1));
    },
  });

  test('a feed that takes too long is given up, what it brought is kept, the next one is read', async (t) => {
    const folder = catalogFolder(t);
    const { failed, generation, events } = await sync(folder, [waits(), GOOD], {
      limits: { feedMs: 2000, syncMs: 600_000 },
    });
    assert.deepEqual(failed, ['kev']);
    assert.match(generation!.sources['kev']!.last_error ?? '', /^slow: it took longer than 2 seconds$/);
    assert.deepEqual(Object.keys(generation!.sources['kev']!.files), ['first']);
    assert.equal(generation!.sources['feodo']!.last_error, null);
    assert.equal(events.filter(({ type }) => type === 'refused').length, 1);
  });

  test('when the time of all is over, the feeds left say so, and what came before is published', async (t) => {
    const folder = catalogFolder(t);
    const { failed, generation } = await sync(folder, [GOOD, waits(), { id: 'tor', files: [file('a')] }], {
      limits: { feedMs: 600_000, syncMs: 2000 },
    });
    assert.deepEqual(failed, ['kev', 'tor']);
    assert.equal(generation!.sources['feodo']!.last_error, null);
    assert.equal(generation!.sources['tor']!.last_error, 'the sync as a whole took longer than 2 seconds');
  });

  test('work that leaves timers no turn is stopped as well', async (t) => {
    const { kev } = await sync(
      catalogFolder(t),
      [
        GOOD,
        {
          files: [file('busy')],
          async *parse() {
            for (;;) yield entries(1);
          },
        },
      ],
      { limits: { feedMs: 2000, syncMs: 600_000 } },
    );
    assert.match(kev.last_error ?? '', /^busy: it took longer/);
  });

  test('what waits at an address is told to stop', async (t) => {
    const stuck = (signal: AbortSignal): Upstream => ({
      ...upstreamOf('origin', {}),
      readJson: () =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () =>
            reject(new NetError('aborted', 'feeds.example: stopped by the caller')),
          ),
        ),
    });
    const feed = planned({ files: [] }, new AbortController().signal);
    const { generation } = await syncCatalog({
      folder: catalogFolder(t),
      feeds: [
        {
          feed: { ...feed, files: async (upstream) => (await upstream.readJson('x'), []) },
          upstreams: (signal) => [stuck(signal)],
        },
        {
          feed: planned(GOOD, new AbortController().signal),
          upstreams: () => [upstreamOf('origin', {})],
        },
      ],
      now: () => NOW,
      report: () => {},
      limits: { feedMs: 100, syncMs: 60_000 },
    });
    assert.equal(generation!.sources['kev']!.last_error, 'it took longer than 0.1 seconds');
  });
});

suite('a clock that was ahead at the last sync', () => {
  const ahead = new Date(NOW.getTime() + 3 * 86_400_000);
  const kevOnly = [planned({ files: [] }, new AbortController().signal)];

  test('does not keep the next sync from its turn', async (t) => {
    const folder = catalogFolder(t);
    await sync(folder, { files: [file('a')] }, { now: () => ahead });
    assert.deepEqual(
      findDueFeeds(folder, kevOnly, NOW).map(({ id }) => id),
      ['kev'],
    );
    await sync(folder, { files: [file('a')] });
    assert.deepEqual(findDueFeeds(folder, kevOnly, NOW), []);
    assert.deepEqual(findDueFeeds(folder, kevOnly, new Date(NOW.getTime() + 2 * 3_600_000)).length, 1);
  });

  test('does not make its catalog the newest: after the loss of the pointer the later one answers', async (t) => {
    const folder = catalogFolder(t);
    await sync(folder, { files: [file('a')] }, { now: () => ahead });
    const first = readCurrentGeneration(folder)!.file;
    await sync(folder, { files: [file('b')] });
    const second = readCurrentGeneration(folder)!.file;
    assert.deepEqual(listDatabaseFiles(folder), [second, first]);
    rmSync(join(folder, 'current.json'));
    await recoverOrCreateCatalog(folder, NOW);
    assert.equal(readCurrentGeneration(folder)!.file, second);
  });

  test('does not make data fresh: its age is that of the data, and answers say what is not known', async (t) => {
    const { kev } = await sync(catalogFolder(t), { files: [file('a')] }, { now: () => ahead });
    const later = new Date(NOW.getTime() + 86_400_000);
    assert.equal(dataAgeSeconds(kev, later), 86_400);
    const evidence = new Evidence({ kev }, later);
    evidence.recordUsedFeed('kev');
    const { gaps, completeness } = evidence.verdict([]);
    assert.match(gaps.join(), /kev was synced by a clock that was ahead/);
    assert.equal(completeness, 'partial');
    const afterwards = new Evidence({ kev }, new Date(ahead.getTime() + 1000));
    afterwards.recordUsedFeed('kev');
    assert.deepEqual(afterwards.verdict([]).gaps, []);
  });
});

test('what a source has and cannot be had here is said by every answer from it', async (t) => {
  const { kev } = await sync(catalogFolder(t), { files: [file('a')] });
  const gapsOf = (notes: Record<string, string>): string[] => {
    const evidence = new Evidence({ kev: { ...kev, notes } }, NOW);
    evidence.recordUsedFeed('kev');
    return evidence.verdict([]).gaps;
  };
  assert.deepEqual(gapsOf({ version: '1' }), []);
  assert.deepEqual(gapsOf({ version: '1', missing_before_2030: 'the changes of May' }), [
    'kev is not whole here: the changes of May are missing',
  ]);
});
