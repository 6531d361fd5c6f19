import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Accounts, ApiKeyRecord, UsageRow } from '../../src/access/accounts.ts';
import { generateApiKey } from '../../src/access/api-key.ts';

/** A driver of accounts under test: two connections to one engine that was empty before. */
export interface AccountsUnderTest {
  one: Accounts;
  other: Accounts;
}

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 5, 1, 12, 0, 0, 123);

/** What every driver of `Accounts` must do. */
export function accountsSuite(driver: string, open: () => Promise<AccountsUnderTest>): void {
  describe(`accounts: ${driver}`, async () => {
    const { one, other } = await open();
    before(async () => {
      // What is there already stays; that several may come at once is for each driver to show, with processes.
      await one.migrate();
      await other.migrate();
    });
    after(() => Promise.all([one.close(), other.close()]));

    test('a key is found by its hash and by its id, as it was written', async () => {
      const key = keyRecord();
      await one.addKey(key);
      assert.deepEqual(await other.findKeyByHash(key.hash), key);
      assert.deepEqual(await other.findKeyById(key.id), key);
      assert.equal(await one.findKeyByHash('0'.repeat(64)), null);
      assert.equal(await one.findKeyById('nobody'), null);
    });

    test('a key that is there is not written over', async () => {
      const key = keyRecord();
      await one.addKey(key);
      await assert.rejects(one.addKey({ ...key, orderId: 'another' }));
      await assert.rejects(one.addKey({ ...keyRecord(), hash: key.hash }));
      assert.equal((await one.findKeyByHash(key.hash))?.orderId, key.orderId);
    });

    test('keys are listed newest first, the revoked ones too', async () => {
      const [old, young] = [
        keyRecord({ createdAt: new Date(START + DAY_MS) }),
        keyRecord({ createdAt: new Date(START + 2 * DAY_MS) }),
      ];
      await one.addKey(young);
      await one.addKey(old);
      await one.revokeKey(old.id, new Date(START));
      const ids = (await one.listKeys()).map(({ id }) => id);
      assert.deepEqual(ids.slice(0, 2), [young.id, old.id]);
    });

    test('a key is renewed', async () => {
      const key = keyRecord();
      await one.addKey(key);
      const later = new Date(START + 90 * DAY_MS);
      assert.equal(await one.renewKey(key.id, later), true);
      assert.deepEqual(await other.findKeyByHash(key.hash), { ...key, expiresAt: later });
      assert.equal(await one.renewKey('nobody', later), false);
    });

    test('a revoked key is found no more, cannot be renewed, nor revoked again', async () => {
      const key = keyRecord();
      await one.addKey(key);
      const at = new Date(START + DAY_MS);
      assert.equal(await one.revokeKey(key.id, at), true);
      assert.equal(await other.findKeyByHash(key.hash), null);
      assert.deepEqual(await other.findKeyById(key.id), { ...key, revokedAt: at });
      assert.equal(await one.renewKey(key.id, at), false);
      assert.equal(await one.revokeKey(key.id, new Date(START)), false);
      assert.equal(await one.revokeKey('nobody', at), false);
    });

    test('last use goes forward only, of the keys named', async () => {
      const [used, unused] = [keyRecord(), keyRecord()];
      await one.addKey(used);
      await one.addKey(unused);
      const [earlier, later] = [new Date(START + 1000), new Date(START + 2000)];
      await one.touchKeys([used.hash, 'f'.repeat(64)], later);
      await other.touchKeys([used.hash], earlier);
      assert.deepEqual((await one.findKeyByHash(used.hash))?.lastUsedAt, later);
      assert.equal((await one.findKeyByHash(unused.hash))?.lastUsedAt, null);
      await one.touchKeys([], later);
    });

    test('usage adds up by caller, endpoint and minute', async () => {
      const caller = name();
      await one.addUsage([row(caller, 'GET /v1/cves', 0, 2), row(caller, 'GET /v1/cve/{cve_id}', 0, 3)]);
      await other.addUsage([
        row(caller, 'GET /v1/cves', 0, 4),
        row(caller, 'GET /v1/cves', 1, 5),
        row(name(), 'GET /v1/cves', 0, 7),
      ]);
      assert.deepEqual(await one.countUsage([caller], minute(0)), [
        { endpoint: 'GET /v1/cves', count: 11 },
        { endpoint: 'GET /v1/cve/{cve_id}', count: 3 },
      ]);
      assert.deepEqual(await one.countUsage([caller], minute(1)), [{ endpoint: 'GET /v1/cves', count: 5 }]);
      assert.deepEqual(await one.countUsage([caller], minute(2)), []);
      await one.addUsage([]);
    });

    test('usage of several names is one sum', async () => {
      const [a, b] = [name(), name()];
      await one.addUsage([row(a, 'GET /v1/cves', 0, 1), row(b, 'GET /v1/cves', 0, 2)]);
      assert.deepEqual(await one.countUsage([a, b], minute(0)), [{ endpoint: 'GET /v1/cves', count: 3 }]);
    });

    test('usage from before a moment is forgotten, and only that', async () => {
      const caller = name();
      await one.addUsage([
        row(caller, 'GET /v1/cves', -50, 1),
        row(caller, 'GET /v1/cves', -49, 2),
        row(caller, 'GET /v1/cves', 0, 4),
      ]);
      assert.equal(await one.purgeUsage(minute(-49)), 1);
      assert.deepEqual(await one.countUsage([caller], minute(-100)), [{ endpoint: 'GET /v1/cves', count: 6 }]);
      assert.equal(await one.purgeUsage(minute(-49)), 0);
    });

    test('a thousand rows at once, from both sides in opposite order: all are there', async () => {
      const callers = Array.from({ length: 1000 }, name);
      const rows = callers.map((caller) => row(caller, 'GET /v1/status', 5, 1));
      await Promise.all([one.addUsage(rows), other.addUsage(rows.toReversed())]);
      const [found] = await one.countUsage(callers, minute(5));
      assert.deepEqual(found, { endpoint: 'GET /v1/status', count: 2000 });
    });

    test('text is text: nothing in it is obeyed', async () => {
      const orderId = `x'; DROP TABLE api_key; -- "\\ \u00e4\u{1f511}`;
      const key = keyRecord({ orderId });
      await one.addKey(key);
      assert.equal((await one.findKeyById(key.id))?.orderId, orderId);
      assert.equal(await one.findKeyByHash(`' OR 1=1 --`), null);
    });
  });
}

function keyRecord(more: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  const { id, hash } = generateApiKey();
  const createdAt = new Date(START);
  return {
    id,
    hash,
    orderId: 'order-1',
    createdAt,
    expiresAt: new Date(START + 30 * DAY_MS),
    lastUsedAt: null,
    revokedAt: null,
    ...more,
  };
}

let names = 0;
const name = (): string => `caller ${++names}`;
const minute = (count: number): Date => new Date(Date.UTC(2026, 5, 2) + count * 60_000);

function row(caller: string, endpoint: string, at: number, count: number): UsageRow {
  return { caller, endpoint, minute: minute(at), count };
}
