import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { EmbeddedCounters } from '../../src/access/embedded-counters.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { runChild } from './children/run-child.ts';
import { countersSuite } from './counters-suite.ts';

const HOUR = { limit: 10, windowSeconds: 3600 };
const ONE = { ...HOUR, amount: 1, allOrNothing: true };
const ALL = { ...HOUR, amount: 10, allOrNothing: true };

countersSuite('embedded', async () => {
  const file = join(temporaryFolder(), 'counters.db');
  let now = Date.now();
  const one = new EmbeddedCounters(file, () => new Date(now));
  const other = new EmbeddedCounters(file, () => new Date(now));
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

describe('embedded counters', () => {
  test('live through a restart', async () => {
    const file = join(temporaryFolder(), 'counters.db');
    const first = new EmbeddedCounters(file, () => new Date());
    first.consume('name', { ...ALL, amount: 9 });
    await first.close();
    const second = new EmbeddedCounters(file, () => new Date());
    assert.equal(second.peek('name', HOUR).remaining, 1);
    await second.close();
  });

  test('two processes that take at once get exactly the limit', async () => {
    const file = join(temporaryFolder(), 'counters.db');
    const counts = await Promise.all([1, 2].map(() => runChild('take-tokens.ts', [file, '3000', '2500'])));
    assert.equal(
      counts.reduce((sum, count) => sum + Number(count), 0),
      2500,
    );
  });

  test('a clock that is set back neither frees nor locks: what is used stays used, for one window at most', async (t) => {
    for (const back of [60, 3600, 86_400, 3_650 * 86_400]) {
      const clock = { now: Date.UTC(2026, 5, 1) };
      const counters = new EmbeddedCounters(':memory:', () => new Date(clock.now));
      t.after(() => counters.close());
      counters.consume('name', ALL);
      clock.now -= back * 1000;
      const { granted, remaining, resetSeconds } = counters.consume('name', ONE);
      assert.deepEqual([granted, remaining], [0, 0]);
      assert.ok(resetSeconds <= 3600, `set back by ${back} s: locked for ${resetSeconds} s`);
      assert.ok(counters.peek('name', HOUR).resetSeconds <= 3600);
      clock.now += 3_600_000;
      assert.equal(counters.consume('name', ONE).granted, 1);
    }
  });

  test('a clock that is set forward ends the window, once', async (t) => {
    const clock = { now: Date.UTC(2026, 5, 1) };
    const counters = new EmbeddedCounters(':memory:', () => new Date(clock.now));
    t.after(() => counters.close());
    counters.consume('name', ALL);
    clock.now += 86_400_000;
    assert.equal(counters.consume('name', ALL).granted, 10);
    clock.now -= 86_400_000;
    assert.equal(counters.consume('name', ONE).granted, 0);
  });

  test('windows that have ended are forgotten, the others are not', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const file = join(temporaryFolder(), 'counters.db');
    const clock = { now: Date.UTC(2026, 5, 1) };
    const counters = new EmbeddedCounters(file, () => new Date(clock.now));
    const names = Array.from({ length: 2500 }, (_, count) => `quota:${(count * 7919) % 2500}`);
    for (const name of names) counters.consume(name, ONE);
    clock.now += 3_600_001;
    counters.consume('quota:alive', ONE);
    const db = new DatabaseSync(file);
    const count = (): number => (db.prepare('SELECT count(*) AS n FROM counter').get() as { n: number }).n;
    assert.equal(count(), 2501);
    // A slice each second.
    t.mock.timers.tick(1000);
    assert.ok(count() > 1);
    t.mock.timers.tick(5000);
    assert.equal(count(), 1);
    assert.equal(counters.peek('quota:alive', HOUR).remaining, 9);
    db.close();
    await counters.close();
  });

  test('a damaged file is begun anew: it holds nothing that may not be lost', async () => {
    const file = join(temporaryFolder(), 'counters.db');
    const first = new EmbeddedCounters(file, () => new Date());
    for (let count = 0; count < 500; count++) first.consume(`name ${count}`, ONE);
    await first.close();
    const bytes = readFileSync(file);
    for (const damaged of [bytes.fill(0x5a, 600, 6000), Buffer.from('not a database, but long enough'.repeat(50))]) {
      writeFileSync(file, damaged);
      const counters = new EmbeddedCounters(file, () => new Date());
      assert.equal(counters.consume('name 1', ALL).granted, 10);
      await counters.close();
    }
  });

  test('while the file cannot be used a process counts by itself, no more than the limit, and says so once', async (t) => {
    const file = join(temporaryFolder(), 'counters.db');
    const problems: string[] = [];
    const counters = new EmbeddedCounters(
      file,
      () => new Date(),
      (problem) => problems.push(problem.message),
    );
    t.after(() => counters.close());
    const other = new DatabaseSync(file);
    t.after(() => other.close());
    counters.consume('name', { ...ALL, amount: 4 });
    other.exec('ALTER TABLE counter RENAME TO hidden');
    assert.equal(counters.consume('name', ALL).granted, 10);
    assert.equal(counters.isUp, false);
    assert.equal(counters.consume('name', ONE).granted, 0);
    assert.equal(counters.refund('name', 1, HOUR).remaining, 1);
    assert.equal(counters.peek('name', HOUR).remaining, 1);
    assert.equal(problems.length, 1);
    other.exec('ALTER TABLE hidden RENAME TO counter');
    await setTimeout(1050);
    assert.equal(counters.peek('name', HOUR).remaining, 6);
    assert.equal(counters.isUp, true);
    assert.equal(problems.length, 2);
  });

  test('a process that was stopped in the middle of a write holds nobody up for long', async (t) => {
    const file = join(temporaryFolder(), 'counters.db');
    const counters = new EmbeddedCounters(file, () => new Date());
    t.after(() => counters.close());
    const other = new DatabaseSync(file);
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const began = performance.now();
    for (let count = 0; count < 10; count++) assert.equal(counters.consume('name', ONE).granted, 1);
    assert.ok(performance.now() - began < 2000, 'one wait, not ten');
    assert.equal(counters.consume('name', ONE).granted, 0);
  });

  test('a folder that is none is said at start', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    assert.throws(() => new EmbeddedCounters(join(file, 'counters.db'), () => new Date()));
  });
});
