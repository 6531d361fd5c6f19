import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { Accounts, UsageRow } from '../../src/access/accounts.ts';
import { openAccounts } from '../../src/access/access.ts';
import type { Caller } from '../../src/access/caller.ts';
import { issueApiKey } from '../../src/access/api-key-lifecycle.ts';
import { USAGE_RETENTION_MS, UsageRecorder } from '../../src/access/usage-recorder.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const CVES = 'GET /v1/cves';

function callerNamed(name: string): Caller {
  return { tier: 'keyless', pseudonym: name, quotaWindowName: `quota:${name}`, addressPseudonym: name, key: null };
}

/** A recorder over real accounts, or over others, with a clock of its own. */
async function recording(t: TestContext, accounts?: Accounts) {
  const clock = { now: NOON };
  const problems: Error[] = [];
  const real = accounts ?? (await openAccounts({ dataDir: join(temporaryFolder(), 'data') }, 'normal'));
  const recorder = new UsageRecorder({
    accounts: real,
    now: () => new Date(clock.now),
    onProblem: (problem) => problems.push(problem),
  });
  t.after(async () => {
    await recorder.close();
    await real.close();
  });
  return { recorder, accounts: real, clock, problems };
}

/** Accounts that can be away, and remember every batch. */
function fragileAccounts(): {
  accounts: Accounts;
  state: { away: boolean; batches: UsageRow[][]; touched: string[][] };
} {
  const state = { away: false, batches: [] as UsageRow[][], touched: [] as string[][] };
  const answer = (): Promise<void> => (state.away ? Promise.reject(new Error('away')) : Promise.resolve());
  const accounts = {
    async addUsage(rows: readonly UsageRow[]) {
      await answer();
      state.batches.push([...rows]);
    },
    async touchKeys(hashes: readonly string[]) {
      await answer();
      state.touched.push([...hashes]);
    },
    purgeUsage: async () => {
      await answer();
      return 0;
    },
    close: async () => {},
  } as unknown as Accounts;
  return { accounts, state };
}

const counted = (batches: readonly UsageRow[][]): number => batches.flat().reduce((sum, { count }) => sum + count, 0);

describe('usage', () => {
  test('is counted by caller, endpoint and minute, with the time of the minute alone', async (t) => {
    const { accounts, state } = fragileAccounts();
    const { recorder, clock } = await recording(t, accounts);
    clock.now += 59_999;
    for (let count = 0; count < 3; count++) recorder.record(callerNamed('a'), CVES, false);
    recorder.record(callerNamed('b'), CVES, false);
    clock.now += 1;
    recorder.record(callerNamed('a'), CVES, false);
    await recorder.flush();
    assert.deepEqual(state.batches.flat(), [
      { caller: 'a', endpoint: CVES, minute: new Date(NOON), count: 3 },
      { caller: 'b', endpoint: CVES, minute: new Date(NOON), count: 1 },
      { caller: 'a', endpoint: CVES, minute: new Date(NOON + 60_000), count: 1 },
    ]);
    await recorder.flush();
    assert.equal(state.batches.length, 1);
  });

  test('is written a second later, without anyone asking', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { recorder, accounts } = await recording(t);
    recorder.record(callerNamed('a'), CVES, false);
    assert.deepEqual(await accounts.countUsage(['a'], new Date(NOON)), []);
    t.mock.timers.tick(1000);
    await recorder.flush();
    assert.deepEqual(await accounts.countUsage(['a'], new Date(NOON)), [{ endpoint: CVES, count: 1 }]);
  });

  test('is written when the service stops', async () => {
    const { accounts, state } = fragileAccounts();
    const recorder = new UsageRecorder({ accounts, now: () => new Date(NOON), onProblem: assert.fail });
    recorder.record(callerNamed('a'), CVES, false);
    await recorder.close();
    assert.equal(counted(state.batches), 1);
  });

  test('of who asked for none (DNT, Sec-GPC) is not counted', async (t) => {
    const { accounts, state } = fragileAccounts();
    const { recorder } = await recording(t, accounts);
    recorder.record(callerNamed('a'), CVES, true);
    await recorder.flush();
    assert.deepEqual(state.batches, []);
  });

  test('is forgotten after 24 hours', async (t) => {
    const { recorder, accounts, clock } = await recording(t);
    recorder.record(callerNamed('a'), CVES, false);
    await recorder.flush();
    clock.now += USAGE_RETENTION_MS;
    await recorder.purge();
    assert.equal((await accounts.countUsage(['a'], new Date(0))).length, 1);
    clock.now += 60_000;
    await recorder.purge();
    assert.deepEqual(await accounts.countUsage(['a'], new Date(0)), []);
    assert.equal(USAGE_RETENTION_MS, 24 * 60 * 60 * 1000);
  });

  test('that cannot be written is kept, said once, and written when it can be', async (t) => {
    const { accounts, state } = fragileAccounts();
    const { recorder, problems } = await recording(t, accounts);
    state.away = true;
    for (let round = 0; round < 5; round++) {
      recorder.record(callerNamed('a'), CVES, false);
      recorder.record(callerNamed(`b${round}`), CVES, false);
      await recorder.flush();
    }
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['usage cannot be written; trying again'],
    );
    state.away = false;
    await recorder.flush();
    assert.equal(counted(state.batches), 10);
    state.away = true;
    recorder.record(callerNamed('a'), CVES, false);
    await recorder.flush();
    assert.equal(problems.length, 2);
    state.away = false;
  });

  test('past its bound the oldest is dropped, and how many requests that were is said', async (t) => {
    const { accounts, state } = fragileAccounts();
    const { recorder, problems } = await recording(t, accounts);
    state.away = true;
    for (let count = 0; count < 25_000; count++) recorder.record(callerNamed(`caller ${count}`), CVES, false);
    await recorder.flush();
    assert.ok(
      problems.some(({ message }) => message.startsWith('usage of 5000 requests dropped')),
      String(problems),
    );
    state.away = false;
    await recorder.flush();
    assert.equal(counted(state.batches), 20_000);
    assert.equal(state.batches.flat()[0]!.caller, 'caller 5000');
    assert.ok(Math.max(...state.batches.map(({ length }) => length)) <= 200, 'in small batches');
  });
});

describe('the last use of a key', () => {
  test('is written with the usage, also where no usage is', async (t) => {
    const { recorder, accounts, clock } = await recording(t);
    const { record } = await issueApiKey(accounts, { orderId: 'o', days: 1, now: new Date(NOON) });
    const holder: Caller = { ...callerNamed('k'), tier: 'pro', key: record };
    clock.now += 5000;
    recorder.record(holder, CVES, true);
    await recorder.flush();
    assert.deepEqual((await accounts.findKeyById(record.id))?.lastUsedAt, new Date(NOON + 5000));
    assert.deepEqual(await accounts.countUsage(['k'], new Date(0)), []);
  });

  test('is one write for many requests', async (t) => {
    const { accounts, state } = fragileAccounts();
    const { recorder } = await recording(t, accounts);
    const { record } = await issueApiKey({ addKey: async () => {} } as unknown as Accounts, {
      orderId: 'o',
      days: 1,
      now: new Date(NOON),
    });
    for (let count = 0; count < 1000; count++) recorder.record({ ...callerNamed('k'), key: record }, CVES, false);
    await recorder.flush();
    assert.deepEqual(state.touched, [[record.hash]]);
    assert.equal(state.batches.length, 1);
  });
});
