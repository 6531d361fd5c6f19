import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readCurrentGeneration } from '../../src/catalog/generation.ts';
import { SyncBusyError } from '../../src/catalog/sync/sync-errors.ts';
import { contextOf, type FullCatalog } from '../support/full-catalog.ts';
import { makeMirror, type Mirror, nvdRecords } from '../support/nvd-mirror.ts';
import { chance } from '../support/random.ts';

const CHILD = fileURLToPath(new URL('../support/sync-child.ts', import.meta.url));
const YEARS = [2002, 2003, 2004];
const MOMENTS = 15;
const SEED = 99;
/** What a catalog folder holds beside databases, and what is said of each. */
const KEPT = ['current.json', 'checked.json', 'sync.lock'];

/** States of all feeds, each newer than the one before; whoever sees anything of one must see nothing of another. */
const STATES = {
  A: { status: 'Analyzed', each: 150, kev: ['CVE-2002-0001'], lastModified: '2024-01-01T00:00:00.000' },
  B: {
    status: 'Modified',
    each: 160,
    kev: ['CVE-2002-0001', 'CVE-2003-0001'],
    lastModified: '2024-02-01T00:00:00.000',
  },
  C: {
    status: 'Deferred',
    each: 170,
    kev: ['CVE-2002-0001', 'CVE-2003-0001', 'CVE-2004-0001'],
    lastModified: '2024-03-01T00:00:00.000',
  },
} as const;
type StateName = keyof typeof STATES;

function put(mirror: Mirror, name: StateName): void {
  const { status: vulnStatus, each, kev, lastModified } = STATES[name];
  for (const year of YEARS) mirror.nvd(year, nvdRecords(year, each, { vulnStatus, lastModified }));
  mirror.nvd('modified', nvdRecords(2004, 3, { vulnStatus, lastModified }));
  mirror.kev(kev);
}

/** Which of the states a catalog has; else what it has instead. */
function stateOf({ catalog }: Pick<FullCatalog, 'catalog'>): string {
  const { total } = catalog.search({ sort: 'published_desc', limit: 1, offset: 0 });
  const exploited = catalog.search({ kev: true, sort: 'published_desc', limit: 9, offset: 0 }).total;
  const statuses = YEARS.map((year) => catalog.cve(`CVE-${year}-0002`, true)?.record?.status);
  const listed = STATES.C.kev.filter((id) => catalog.kev(id) !== null);
  const counts = [catalog.generation.sources['nvd']?.records, catalog.generation.sources['kev']?.records];
  const seen = JSON.stringify([total, exploited, statuses, listed, counts]);
  for (const [name, { status, each, kev }] of Object.entries(STATES)) {
    const all = YEARS.length * each;
    if (seen === JSON.stringify([all, kev.length, YEARS.map(() => status), kev, [all, kev.length]])) return name;
  }
  return seen;
}

function startSync(mirror: Mirror, how = ''): ChildProcess {
  return fork(CHILD, [mirror.root, mirror.data, how], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** The next message of the child, or null when it ended without one. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  return Promise.race([once(child, 'message').then(([message]) => message), once(child, 'exit').then(() => null)]);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** After a sync was killed: the old state answers (or the new, once it was published), and the next sync tidies up. */
async function checkRecovery(mirror: Mirror, where: string): Promise<string> {
  const state = stateOf(contextOf(mirror.data));
  assert.ok(state === 'A' || state === 'B', `${where}: ${state}`);
  const { failed } = await mirror.sync();
  assert.deepEqual(failed, [], where);
  assert.equal(stateOf(contextOf(mirror.data)), 'B', where);
  const stray = readdirSync(mirror.data).filter(
    (name) => !KEPT.includes(name) && !/^catalog-.*\.db(\.json)?$/.test(name),
  );
  assert.deepEqual(stray, [], where);
  const databases = readdirSync(mirror.data).filter((name) => name.endsWith('.db'));
  assert.ok(databases.length <= 2, `${where}: ${databases} are more than the current one and the one before it`);
  return state;
}

async function mirrorOfA(t: TestContext): Promise<Mirror> {
  const mirror = makeMirror(t);
  put(mirror, 'A');
  assert.deepEqual((await mirror.sync()).failed, []);
  assert.equal(stateOf(contextOf(mirror.data)), 'A');
  return mirror;
}

/** Milliseconds until it ends. */
async function timeToEnd(child: ChildProcess): Promise<number> {
  const started = performance.now();
  await ended(child);
  return performance.now() - started;
}

suite('kill -9', () => {
  test(`at ${MOMENTS} random moments of a sync`, async (t) => {
    const dice = chance(SEED);
    const whole = await mirrorOfA(t);
    put(whole, 'B');
    const child = startSync(whole);
    await messageOf(child);
    let lasts = await timeToEnd(child);
    assert.equal(stateOf(contextOf(whole.data)), 'B');

    const seen = { A: 0, B: 0 };
    for (let turn = 0; turn < MOMENTS; turn++) {
      const mirror = await mirrorOfA(t);
      put(mirror, 'B');
      const victim = startSync(mirror);
      assert.equal(await messageOf(victim), 'started');
      const after = dice.next() * lasts * 0.8;
      const kill = setTimeout(() => victim.kill('SIGKILL'), after);
      const took = await timeToEnd(victim);
      clearTimeout(kill);
      // It was through: the machine is less busy than before.
      if (victim.signalCode === null) lasts = Math.min(lasts, took);
      seen[(await checkRecovery(mirror, `${after.toFixed(0)} of ${lasts.toFixed(0)} ms`)) as 'A' | 'B']++;
    }
    assert.ok(seen.A >= 3, `only ${seen.A} were killed before they were through`);
  });

  // Where a sync touches files: the copy, the database flushed and named, what is said of it and the pointer, each written aside,
  // flushed and put in place, and what was checked.
  for (const [how, expected] of [
    ['copyFileSync:before:1', 'A'],
    ['copyFileSync:after:1', 'A'],
    ['fsyncSync:before:1', 'A'],
    ['renameSync:before:1', 'A'],
    ['renameSync:after:1', 'A'],
    ['writeFileSync:before:1', 'A'],
    ['writeFileSync:after:1', 'A'],
    ['fsyncSync:after:2', 'A'],
    ['renameSync:before:2', 'A'],
    ['renameSync:after:2', 'A'],
    ['writeFileSync:after:2', 'A'],
    ['fsyncSync:after:3', 'A'],
    ['renameSync:before:3', 'A'],
    ['renameSync:after:3', 'B'],
    ['writeFileSync:after:3', 'B'],
    ['renameSync:after:4', 'B'],
  ] as const) {
    test(`${how.replaceAll(':', ' ')}. call`, async (t) => {
      const mirror = await mirrorOfA(t);
      put(mirror, 'B');
      const victim = startSync(mirror, `die:${how}`);
      await ended(victim);
      assert.equal(victim.signalCode, 'SIGKILL', 'it was to die there');
      assert.equal(await checkRecovery(mirror, how), expected);
    });
  }

  test('in the first sync of all: nothing answers, and the next one succeeds', async (t) => {
    for (const how of ['writeFileSync:after:1', 'renameSync:before:3']) {
      const mirror = makeMirror(t);
      put(mirror, 'B');
      const victim = startSync(mirror, `die:${how}`);
      await ended(victim);
      assert.equal(readCurrentGeneration(mirror.data), null);
      assert.deepEqual((await mirror.sync()).failed, []);
      assert.equal(stateOf(contextOf(mirror.data)), 'B');
      const stray = readdirSync(mirror.data).filter(
        (name) => !KEPT.includes(name) && !/^catalog-.*\.db(\.json)?$/.test(name),
      );
      assert.deepEqual(stray, []);
      assert.ok(readdirSync(mirror.data).filter((name) => name.endsWith('.db')).length <= 2);
    }
  });
});

suite('one sync at a time', () => {
  test('of two in one process one is busy', async (t) => {
    const mirror = await mirrorOfA(t);
    put(mirror, 'B');
    const [first, second] = await Promise.allSettled([mirror.sync(), mirror.sync()]);
    assert.equal(first.status, 'fulfilled');
    assert.ok(second.status === 'rejected' && second.reason instanceof SyncBusyError);
    assert.equal(stateOf(contextOf(mirror.data)), 'B');
  });

  test('of two processes one is busy, and the lock of one that died is free', async (t) => {
    const mirror = await mirrorOfA(t);
    put(mirror, 'B');
    const holder = startSync(mirror, 'hold');
    assert.equal(await messageOf(holder), 'started');
    assert.equal(await messageOf(holder), 'holding');
    await assert.rejects(mirror.sync(), SyncBusyError);
    const other = startSync(mirror);
    assert.equal(await messageOf(other), 'started');
    assert.equal(await messageOf(other), 'busy');
    await ended(other);
    assert.equal(stateOf(contextOf(mirror.data)), 'A');
    holder.kill('SIGKILL');
    await ended(holder);
    assert.deepEqual((await mirror.sync()).failed, []);
    assert.equal(stateOf(contextOf(mirror.data)), 'B');
  });
});

test('who reads during syncs sees the one state or the other, never a mix', async (t) => {
  const mirror = await mirrorOfA(t);
  const reader = contextOf(mirror.data);
  const oldest = reader.catalog;
  const changes: string[] = ['A'];
  let looks = 0;
  const look = (): void => {
    reader.services.catalog.refresh();
    const state = stateOf(reader);
    if (state !== changes.at(-1)) changes.push(state);
    looks++;
  };
  for (const name of ['B', 'C'] as const) {
    put(mirror, name);
    const child = startSync(mirror, 'slow');
    const through = ended(child).then(() => true);
    while (!(await Promise.race([through, pause(2).then(() => false)]))) look();
    look();
  }
  assert.deepEqual(changes, ['A', 'B', 'C']);
  assert.ok(looks > 50, `${looks} looks`);
  assert.equal(stateOf({ catalog: oldest }), 'A', 'answers under way go on reading what they began with');
});
