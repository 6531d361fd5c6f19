import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { EmbeddedCounters } from '../../src/access/embedded-counters.ts';
import { WriteBehindCounters } from '../../src/access/write-behind-counters.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { runChild } from './children/run-child.ts';
import { countersSuite } from './counters-suite.ts';

const HOUR = { limit: 10, windowSeconds: 3600 };
const ONE = { ...HOUR, amount: 1, allOrNothing: true };
const ALL = { ...HOUR, amount: 10, allOrNothing: true };

const newFile = (): string => join(temporaryFolder(), 'counters.db');

async function open(file: string, now = () => new Date()): Promise<WriteBehindCounters> {
  return WriteBehindCounters.open(file, new EmbeddedCounters(file, now), now);
}

/** What stands in the file; undefined where nothing was written. */
function stored(file: string, name = 'name'): number | undefined {
  const db = new DatabaseSync(file);
  const row = db.prepare('SELECT used FROM counter WHERE name = ?').get(name);
  db.close();
  return row?.used as number | undefined;
}

countersSuite('of two processes on one folder', async () => {
  const file = newFile();
  let now = Date.now();
  const clock = (): Date => new Date(now);
  const one = await open(file, clock);
  const other = await open(file, clock);
  return {
    one,
    other,
    async elapse(seconds) {
      now += seconds * 1000;
    },
    async close() {
      await Promise.all([one.close(), other.close()]);
    },
  };
});

countersSuite('of one process, in memory', async () => {
  let now = Date.now();
  const counters = await open(newFile(), () => new Date(now));
  return {
    one: counters,
    other: counters,
    async elapse(seconds) {
      now += seconds * 1000;
    },
    close: () => counters.close(),
  };
});

describe('counters of a process that has the data folder for itself', () => {
  test('are written once a second, and at the end', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const file = newFile();
    const counters = await open(file);
    counters.consume('name', { ...ALL, amount: 3 });
    assert.equal(stored(file), undefined);
    t.mock.timers.tick(1000);
    assert.equal(stored(file), 3);
    counters.refund('name', 1, HOUR);
    t.mock.timers.tick(1000);
    assert.equal(stored(file), 2);
    counters.consume('name', ONE);
    assert.equal(stored(file), 2);
    await counters.close();
    assert.equal(stored(file), 3);
    const again = await open(file);
    assert.equal(again.peek('name', HOUR).remaining, 7);
    await again.close();
  });

  test('another one that opens it finds all that was counted, and from then on both count in the file', async (t) => {
    const file = newFile();
    const one = await open(file);
    t.after(() => one.close());
    one.consume('name', { ...ALL, amount: 4 });
    const other = await open(file);
    assert.equal(other.consume('name', { ...ALL, amount: 5 }).remaining, 1);
    assert.deepEqual([one.consume('name', ONE).granted, stored(file)], [1, 10]);
    await other.close();
    assert.equal(one.consume('name', ONE).granted, 0);
  });

  test('four processes that come while others count get exactly the limit', async () => {
    const file = newFile();
    const takers = Array.from({ length: 4 }, () => runChild('count-alone.ts', [file, '1000', '2500']));
    const granted = await Promise.all(takers);
    assert.equal(
      granted.reduce((sum, count) => sum + Number(count), 0),
      2500,
    );
    assert.equal(stored(file, 'one'), 2500);
  });

  for (const [what, waitMs, lost] of [
    ['at once: what was counted in the last second is lost, and no more than that', '0', 100],
    ['later: nothing is lost', '1100', 0],
  ] as const) {
    test(`a process that is killed ${what}; the next one has the folder for itself`, async (t) => {
      const file = newFile();
      const before = await open(file);
      before.consume('one', { ...ONE, amount: 50, limit: 1000 });
      await before.close();
      assert.equal(await crashed([file, '100', '1000', 'crash', waitMs]), 100);
      const next = await open(file);
      t.after(() => next.close());
      const { remaining } = next.peek('one', { limit: 1000, windowSeconds: 3600 });
      assert.ok(remaining >= 850 && remaining <= 850 + lost, String(remaining));
      next.consume('one', { ...ONE, limit: 1000 });
      // Not written yet: it counts in memory.
      assert.equal(stored(file, 'one'), 1000 - remaining);
    });
  }

  test('while the file cannot be written all stays counted, which is said once; it is written later', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const file = newFile();
    const problems: string[] = [];
    const now = (): Date => new Date();
    const embedded = new EmbeddedCounters(file, now, ({ message }) => problems.push(message));
    const counters = await WriteBehindCounters.open(file, embedded, now);
    t.after(() => counters.close());
    const other = new DatabaseSync(file);
    t.after(() => other.close());
    counters.consume('name', { ...ALL, amount: 4 });
    other.exec('ALTER TABLE counter RENAME TO hidden');
    t.mock.timers.tick(1000);
    assert.equal(counters.isUp, false);
    assert.equal(counters.consume('name', ALL).granted, 0);
    assert.equal(counters.consume('name', { ...ALL, amount: 6 }).granted, 6);
    assert.equal(problems.length, 1);
    other.exec('ALTER TABLE hidden RENAME TO counter');
    await untilWritten(t, file);
    assert.deepEqual([counters.isUp, stored(file), problems.length], [true, 10, 2]);
  });

  test('a clock that is set back neither frees nor locks', async (t) => {
    for (const back of [60, 3600, 86_400]) {
      const clock = { now: Date.UTC(2026, 5, 1) };
      const counters = await open(newFile(), () => new Date(clock.now));
      t.after(() => counters.close());
      counters.consume('name', ALL);
      clock.now -= back * 1000;
      const { granted, remaining, resetSeconds } = counters.consume('name', ONE);
      assert.deepEqual([granted, remaining], [0, 0]);
      assert.ok(resetSeconds <= 3600);
      clock.now += 3_600_000;
      assert.equal(counters.consume('name', ONE).granted, 1);
    }
  });
});

/** Runs a child that kills itself; how many tokens it got. */
async function crashed(words: readonly string[]): Promise<number> {
  const path = fileURLToPath(new URL('children/count-alone.ts', import.meta.url));
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL');
  return Number(text);
}

/** Ticks until the file is tried again, which is a second of real time after the failure. */
async function untilWritten(t: TestContext, file: string): Promise<void> {
  const until = performance.now() + 20_000;
  while (stored(file) !== 10 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    t.mock.timers.tick(1000);
  }
}
