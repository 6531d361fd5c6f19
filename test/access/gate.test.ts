import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { type Caller, CallerAuthenticator } from '../../src/access/caller.ts';
import { ClientAddressResolver } from '../../src/access/client-address.ts';
import type { Counters } from '../../src/access/counters.ts';
import { EmbeddedCounters } from '../../src/access/embedded-counters.ts';
import { type Admission, AdmissionController } from '../../src/access/admission-controller.ts';
import { ApiKeyCache } from '../../src/access/api-key-cache.ts';
import { setRateLimitHeaders } from '../../src/access/quota-status.ts';
import { Pseudonyms } from '../../src/access/pseudonyms.ts';
import { ApiError } from '../../src/errors.ts';
import { type Operation, defineOperation } from '../../src/engine/operation.ts';

const NOW = new Date(Date.UTC(2026, 5, 1));

function gateOver(counters: Counters, limits = { keyless: 30, pro: 500 }): AdmissionController {
  const callers = new CallerAuthenticator({
    addresses: new ClientAddressResolver([]),
    keys: new ApiKeyCache({ findKeyByHash: async () => null }),
    pseudonyms: new Pseudonyms('s'.repeat(32)),
    now: () => NOW,
  });
  return new AdmissionController({ authenticator: callers, counters, limits });
}

const embedded = (): Counters => new EmbeddedCounters(':memory:', () => NOW);

/** An operation of which the gate sees the cost alone. */
function costing(cost: Operation['cost'], more: Partial<Operation> = {}): Operation {
  const given = {
    id: 'x',
    area: 'cve',
    title: 'x',
    description: 'x',
    route: 'GET /v1/x',
    input: z.object({}),
    output: z.object({}),
    cost,
    examples: [],
    answer: () => ({}),
    ...more,
  };
  return defineOperation(given as unknown as Operation);
}

const bulk = costing((input) => new Set(input['ids'] as string[]).size, {
  bulk: { listField: 'ids', canonical: (id) => String(id).toUpperCase() },
});

function caller(more: Partial<Caller> = {}): Caller {
  return { tier: 'keyless', pseudonym: 'n', quotaWindowName: 'quota:n', addressPseudonym: 'n', key: null, ...more };
}

const key = { id: 'k', hash: 'h', orderId: 'o', createdAt: NOW, expiresAt: NOW, lastUsedAt: null, revokedAt: null };
const holder = caller({ tier: 'pro', pseudonym: 'p', quotaWindowName: 'quota:p', key });

function headersOf({ quotaStatus }: Pick<Admission, 'quotaStatus'>): Record<string, string> {
  const headers: Record<string, string> = {};
  setRateLimitHeaders(quotaStatus, (name, value) => {
    headers[name] = value;
  });
  return headers;
}

describe('the gate', () => {
  test('takes what an operation costs, and says what is left', async () => {
    const gate = gateOver(embedded());
    assert.deepEqual(headersOf(await gate.admit(caller(), costing(1), {})), {
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '3600',
      'x-ratelimit-cost': '1',
      'x-ratelimit-tier': 'keyless',
    });
    const audit = await gate.admit(caller(), costing(6), {});
    assert.deepEqual([audit.error, audit.quotaStatus.quota?.remaining, audit.quotaStatus.cost], [null, 23, 6]);
    const pro = await gate.admit(holder, costing(4), {});
    assert.deepEqual(
      [pro.quotaStatus.tier, pro.quotaStatus.quota?.limit, pro.quotaStatus.quota?.remaining],
      ['pro', 500, 496],
    );
  });

  test('takes nothing for what costs nothing, also when nothing is left', async () => {
    const gate = gateOver(embedded(), { keyless: 1, pro: 1 });
    await gate.admit(caller(), costing(1), {});
    const { error, quotaStatus } = await gate.admit(caller(), costing(0), {});
    assert.deepEqual([error, quotaStatus.cost, quotaStatus.quota?.remaining], [null, 0, 0]);
  });

  test('refuses what costs more than is left, and takes nothing for it', async () => {
    const gate = gateOver(embedded(), { keyless: 10, pro: 10 });
    await gate.admit(caller(), costing(6), {});
    const { error, quotaStatus } = await gate.admit(caller(), costing(6), {});
    assert.deepEqual([error?.code, error?.status, error?.retryAfterSeconds], ['rate_limit_exceeded', 429, 3600]);
    assert.match(error!.message, /costs 6 tokens, and 4 of 10 are left/);
    assert.deepEqual([quotaStatus.cost, quotaStatus.quota?.remaining], [0, 4]);
    assert.equal((await gate.admit(caller(), costing(4), {})).error, null);
    assert.match((await gate.admit(caller(), costing(1), {})).error!.message, /All 10 tokens of this hour are used/);
  });

  test('without a limit counts nothing, and tells no number', async () => {
    const counters = new Proxy({} as Counters, {
      get: () => assert.fail('the counters were asked'),
    });
    const gate = gateOver(counters, { keyless: 0, pro: 0 });
    for (const asked of [caller(), holder]) {
      const admission = await gate.admit(asked, costing(6), {});
      assert.equal(admission.error, null);
      assert.deepEqual(headersOf(admission), {
        'x-ratelimit-cost': '6',
        'x-ratelimit-tier': asked.tier,
      });
      assert.equal((await gate.currentQuota(asked)).quota, null);
      assert.deepEqual((await gate.admit(asked, bulk, { ids: ['a', 'b'] })).skipped, []);
    }
  });

  test('counts nothing of a caller who has no limit, whatever others have', async () => {
    const gate = gateOver(embedded(), { keyless: 1, pro: 1 });
    for (let count = 0; count < 5; count++) {
      const { error, quotaStatus } = await gate.admit(caller({ isUnlimited: true }), costing(6), {});
      assert.deepEqual([error, quotaStatus.quota, quotaStatus.cost], [null, null, 6]);
    }
    assert.equal((await gate.currentQuota(caller())).quota?.remaining, 1);
  });

  test('keeps callers apart', async () => {
    const gate = gateOver(embedded(), { keyless: 1, pro: 1 });
    await gate.admit(caller(), costing(1), {});
    assert.equal((await gate.admit(caller({ quotaWindowName: 'quota:other' }), costing(1), {})).error, null);
    assert.equal((await gate.admit(holder, costing(1), {})).error, null);
  });

  test('lets only holders of a key to what needs one, and takes nothing from others', async () => {
    const gate = gateOver(embedded());
    const needsKey = costing(1, { personal: 'pro' });
    const { error, quotaStatus } = await gate.admit(caller(), needsKey, {});
    assert.deepEqual(
      [error?.code, error?.status, quotaStatus.cost, quotaStatus.quota?.remaining],
      ['api_key_required', 401, 0, 30],
    );
    assert.equal((await gate.admit(holder, needsKey, {})).error, null);
    assert.equal((await gate.admit(caller(), costing(1, { personal: 'anyone' }), {})).error, null);
  });

  test('gives back what an invalid call cost, and nothing else', async () => {
    const gate = gateOver(embedded());
    const fails = async (thrown: unknown) => {
      const admission = await gate.admit(caller(), costing(6), {});
      const settled = await gate.refundAfterError(caller(), admission, thrown);
      return [settled?.cost ?? null, (await gate.currentQuota(caller())).quota?.remaining];
    };
    assert.deepEqual(await fails(new ApiError('invalid_argument', 'x')), [0, 30]);
    assert.deepEqual(await fails(new ApiError('validation_error', 'x')), [0, 30]);
    for (const code of ['not_ready', 'upstream_timeout', 'target_throttled', 'body_too_large'] as const) {
      assert.deepEqual(await fails(new ApiError(code, 'x')), [0, 30], code);
    }
    assert.deepEqual(await fails(new ApiError('not_found', 'x')), [null, 24]);
    assert.deepEqual(await fails(new ApiError('upstream_error', 'x')), [null, 18]);
    assert.deepEqual(await fails(new Error('x')), [null, 12]);
    assert.deepEqual(await fails(new ApiError('robots_txt_disallow', 'x')), [null, 6]);
  });
});

describe('tokens that come back after their window has ended', () => {
  const HOUR_MS = 3_600_000;

  /** A call that is charged, goes on for so long, and turns out not to be valid, after another was charged at its end. */
  async function remainingAfter(ms: number): Promise<number | undefined> {
    let now = NOW.getTime();
    const counters = new EmbeddedCounters(':memory:', () => new Date(now));
    const callers = new CallerAuthenticator({
      addresses: new ClientAddressResolver([]),
      keys: new ApiKeyCache({ findKeyByHash: async () => null }),
      pseudonyms: new Pseudonyms('s'.repeat(32)),
      now: () => new Date(now),
    });
    const gate = new AdmissionController({
      authenticator: callers,
      counters,
      limits: { keyless: 10, pro: 10 },
      nowMs: () => now,
    });
    const admission = await gate.admit(caller(), costing(6), {});
    now += ms;
    await gate.admit(caller(), costing(4), {});
    const settled = await gate.refundAfterError(caller(), admission, new ApiError('validation_error', 'x'));
    assert.equal(settled?.cost, 0);
    return settled?.quota?.remaining;
  }

  test('do not make the next one larger', async () => {
    assert.equal(await remainingAfter(HOUR_MS - 60_000), 6);
    assert.equal(await remainingAfter(HOUR_MS), 6);
    assert.equal(await remainingAfter(HOUR_MS + 60_000), 6);
    assert.equal(await remainingAfter(2 * HOUR_MS - 1), 6);
  });
});

describe('a bulk call at the gate', () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `id-${index}`);

  test('that fits is charged by the item and runs whole', async () => {
    const gate = gateOver(embedded());
    const input = { ids: ids(30), other: true };
    const { quotaStatus, error, input: runs, skipped } = await gate.admit(caller(), bulk, input);
    assert.deepEqual([quotaStatus.cost, quotaStatus.quota?.remaining, error, skipped], [30, 0, null, []]);
    assert.deepEqual(runs, input);
  });

  test('that fits in part runs with the first items, in order, and names the others', async () => {
    const gate = gateOver(embedded());
    await gate.admit(caller(), costing(27), {});
    const { quotaStatus, error, input, skipped } = await gate.admit(caller(), bulk, { ids: ids(5), other: true });
    assert.deepEqual([quotaStatus.cost, quotaStatus.quota?.remaining, error], [3, 0, null]);
    assert.deepEqual(input, { ids: ['id-0', 'id-1', 'id-2'], other: true });
    assert.deepEqual(skipped, ['ID-3', 'ID-4']);
  });

  test('with duplicates is charged once for each, and each keeps its places', async () => {
    const gate = gateOver(embedded(), { keyless: 2, pro: 2 });
    const { quotaStatus, input, skipped } = await gate.admit(caller(), bulk, {
      ids: ['a', 'B', 'A', 'c', 'b', 'a', 'C'],
    });
    assert.equal(quotaStatus.cost, 2);
    assert.deepEqual(input, { ids: ['a', 'B', 'A', 'b', 'a'] });
    assert.deepEqual(skipped, ['C']);
  });

  test('with nothing left is 429', async () => {
    const gate = gateOver(embedded(), { keyless: 1, pro: 1 });
    await gate.admit(caller(), costing(1), {});
    const { error, quotaStatus } = await gate.admit(caller(), bulk, { ids: ids(2) });
    assert.deepEqual([error?.code, quotaStatus.cost, quotaStatus.quota?.remaining], ['rate_limit_exceeded', 0, 0]);
  });

  test('over nothing costs nothing, also when nothing is left', async () => {
    const gate = gateOver(embedded(), { keyless: 1, pro: 1 });
    await gate.admit(caller(), costing(1), {});
    const { error, quotaStatus } = await gate.admit(caller(), bulk, { ids: [] });
    assert.deepEqual([error, quotaStatus.cost], [null, 0]);
  });

  test('at once with others never gets more than there is', async () => {
    const gate = gateOver(embedded());
    const admissions = await Promise.all(
      Array.from({ length: 20 }, async () => gate.admit(caller(), bulk, { ids: ids(7) })),
    );
    const ran = admissions.filter(({ error }) => error === null).map(({ input }) => (input['ids'] as string[]).length);
    assert.deepEqual(ran, [7, 7, 7, 7, 2]);
  });
});
