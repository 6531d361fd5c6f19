import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiKeyRecord } from '../../src/access/accounts.ts';
import { hashApiKey, generateApiKey } from '../../src/access/api-key.ts';
import { type Caller, CallerAuthenticator, type IncomingRequest } from '../../src/access/caller.ts';
import { ClientAddressResolver } from '../../src/access/client-address.ts';
import { KEY_TTL_MS, KEY_STALE_IF_ERROR_MS, ApiKeyCache } from '../../src/access/api-key-cache.ts';
import { Pseudonyms } from '../../src/access/pseudonyms.ts';
import { ApiError } from '../../src/errors.ts';

const NOW = Date.UTC(2026, 5, 1);
const valid = keyOf(NOW + 1000);
const expired = keyOf(NOW);
const unknown = generateApiKey().key;

function keyOf(expires: number): { key: string; record: ApiKeyRecord } {
  const { key, id, hash } = generateApiKey();
  const created = new Date(NOW - 86_400_000);
  const record = {
    id,
    hash,
    orderId: 'o',
    createdAt: created,
    expiresAt: new Date(expires),
    lastUsedAt: null,
    revokedAt: null,
  };
  return { key, record };
}

/** Accounts of the two keys above, that count how often they are asked and can be away. */
function world(trusted: string[] = []) {
  const state = { asked: 0, away: false, revoked: false, elapsed: 0, now: NOW };
  const keys = new ApiKeyCache(
    {
      async findKeyByHash(hash) {
        state.asked++;
        if (state.away) throw new Error('away');
        return (
          [valid, expired].map(({ record }) => record).find((record) => record.hash === hash && !state.revoked) ?? null
        );
      },
    },
    () => state.elapsed,
  );
  const callers = new CallerAuthenticator({
    addresses: new ClientAddressResolver(trusted),
    keys,
    pseudonyms: new Pseudonyms('s'.repeat(32)),
    now: () => new Date(state.now),
  });
  return { state, callers };
}

function request(headers: Record<string, string>, remoteAddress = '203.0.113.7'): IncomingRequest {
  return { headers, rawHeaders: Object.entries(headers).flat(), socket: { remoteAddress } };
}

async function refusal(callers: CallerAuthenticator, given: IncomingRequest): Promise<ApiError> {
  try {
    await callers.authenticate(given);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  assert.fail('was let in');
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('who asks', () => {
  test('without a key it is the address, under another name', async () => {
    const { callers } = world();
    const caller = callers.authenticate(request({})) as Caller;
    assert.deepEqual([caller.tier, caller.key, caller.pseudonym], ['keyless', null, caller.addressPseudonym]);
    assert.match(caller.pseudonym, /^[0-9a-f]{64}$/);
    assert.equal((await callers.authenticate(request({}, '::ffff:203.0.113.7'))).pseudonym, caller.pseudonym);
    assert.notEqual((await callers.authenticate(request({}, '203.0.113.8'))).pseudonym, caller.pseudonym);
    assert.doesNotMatch(JSON.stringify(caller), /203/);
  });

  test('a whole /64 is one caller', async () => {
    const { callers } = world();
    const names = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:3::1'].map(
      (from) => callers.identifyByAddress(request({}, from)).pseudonym,
    );
    assert.equal(names[0], names[1]);
    assert.notEqual(names[0], names[2]);
  });

  test('X-Forwarded-For is believed from trusted proxies alone, also when it is very long', async () => {
    const { callers } = world(['10.0.0.0/8']);
    const named = (peer: string, forwarded?: string): string =>
      callers.identifyByAddress(request(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, peer))
        .pseudonym;
    assert.equal(named('10.0.0.1', '198.51.100.1'), named('198.51.100.1'));
    assert.equal(named('203.0.113.7', '198.51.100.1'), named('203.0.113.7'));
    assert.equal(named('10.0.0.1', `${'1.1.1.1, '.repeat(1000)}198.51.100.1`), named('198.51.100.1'));
    const { callers: direct } = world();
    assert.equal(
      direct.identifyByAddress(request({ 'x-forwarded-for': '198.51.100.1' }, '10.0.0.1')).pseudonym,
      named('10.0.0.1'),
    );
  });

  for (const [what, headers] of [
    ['Bearer', bearer(valid.key)],
    ['bearer in any case', { authorization: `bEaReR ${valid.key}` }],
    ['X-API-Key', { 'x-api-key': valid.key }],
    ['both, with the same key', { ...bearer(valid.key), 'x-api-key': valid.key }],
  ] as const) {
    test(`a key as ${what} is its holder, from everywhere`, async () => {
      const { callers } = world();
      const here = await callers.authenticate(request(headers));
      const there = await callers.authenticate(request(headers, '198.51.100.1'));
      assert.deepEqual([here.tier, here.key], ['pro', valid.record]);
      assert.equal(here.pseudonym, there.pseudonym);
      assert.notEqual(here.addressPseudonym, there.addressPseudonym);
      assert.notEqual(here.pseudonym, here.addressPseudonym);
    });
  }

  for (const [what, headers] of [
    ['unknown', bearer(unknown)],
    ['unknown, as X-API-Key', { 'x-api-key': unknown }],
    ['malformed', bearer('sxt_123')],
    ['in upper case', bearer(valid.key.toUpperCase())],
    ['empty', { 'x-api-key': '' }],
    ['missing after Bearer', { authorization: 'Bearer' }],
    ['missing after Bearer and a blank', { authorization: 'Bearer ' }],
    ['empty Authorization', { authorization: '' }],
    ['of another scheme', { authorization: `Basic ${Buffer.from(`user:${valid.key}`).toString('base64')}` }],
    ['without a scheme', { authorization: valid.key }],
    ['with something after it', { authorization: `Bearer ${valid.key} x` }],
    ['with a comma and another', { 'x-api-key': `${valid.key}, ${unknown}` }],
    ['twice the same in one header', { 'x-api-key': `${valid.key}, ${valid.key}` }],
    ['with a line end', bearer(`${valid.key}\r\nX-Injected: 1`)],
    ['with a NUL', { 'x-api-key': `${valid.key}\0` }],
    ['different in the two headers', { ...bearer(valid.key), 'x-api-key': unknown }],
    ['good in one header and malformed in the other', { ...bearer(valid.key), 'x-api-key': 'x' }],
    ['16 kB long', bearer('x'.repeat(16_000))],
  ] as const) {
    test(`a key that is ${what} is 401, and never falls back to keyless`, async () => {
      const { callers } = world();
      const { code, status, message } = await refusal(callers, request(headers));
      assert.deepEqual([code, status], ['invalid_api_key', 401]);
      assert.ok(!message.includes(unknown) && !message.includes(valid.key));
    });
  }

  test('two Authorization headers are 401, although Node shows the first alone', async () => {
    const { callers } = world();
    const given = request(bearer(valid.key));
    const twice = {
      ...given,
      rawHeaders: ['Authorization', `Bearer ${valid.key}`, 'authorization', `Bearer ${unknown}`],
    };
    assert.equal((await refusal(callers, twice)).code, 'invalid_api_key');
  });

  test('an expired key has a code of its own, from the moment it expires', async () => {
    const { callers, state } = world();
    const { code, message } = await refusal(callers, request(bearer(expired.key)));
    assert.equal(code, 'expired_api_key');
    assert.match(message, /2026-06-01T00:00:00/);
    await callers.authenticate(request(bearer(valid.key)));
    state.now += 1000;
    assert.equal((await refusal(callers, request(bearer(valid.key)))).code, 'expired_api_key');
  });
});

describe('keys in memory', () => {
  test('are read once in five seconds, however many ask at once', async () => {
    const { callers, state } = world();
    await Promise.all(Array.from({ length: 100 }, async () => callers.authenticate(request(bearer(valid.key)))));
    assert.equal(state.asked, 1);
    state.elapsed += KEY_TTL_MS - 1;
    assert.ok(!(callers.authenticate(request(bearer(valid.key))) instanceof Promise), 'is known at once');
    state.elapsed += 1;
    await callers.authenticate(request(bearer(valid.key)));
    assert.equal(state.asked, 2);
  });

  test('a revoked key works for five seconds more at most', async () => {
    const { callers, state } = world();
    await callers.authenticate(request(bearer(valid.key)));
    state.revoked = true;
    state.elapsed += KEY_TTL_MS;
    assert.equal((await refusal(callers, request(bearer(valid.key)))).code, 'invalid_api_key');
    assert.ok(KEY_TTL_MS <= 5000);
  });

  test('while the accounts are away, known keys go on for ten minutes, others are told to come back', async () => {
    const { callers, state } = world();
    await callers.authenticate(request(bearer(valid.key)));
    state.away = true;
    state.elapsed += KEY_STALE_IF_ERROR_MS - 1;
    assert.equal((await callers.authenticate(request(bearer(valid.key)))).tier, 'pro');
    state.elapsed += 1;
    for (const key of [valid.key, unknown]) {
      const { code, retryAfterSeconds } = await refusal(callers, request(bearer(key)));
      assert.deepEqual([code, retryAfterSeconds], ['not_ready', 5]);
    }
    state.away = false;
    assert.equal((await callers.authenticate(request(bearer(valid.key)))).tier, 'pro');
  });

  test('an unknown key is not one that is away', async () => {
    const { callers, state } = world();
    assert.equal((await refusal(callers, request(bearer(unknown)))).code, 'invalid_api_key');
    state.away = true;
    state.elapsed += KEY_TTL_MS;
    assert.equal((await refusal(callers, request(bearer(unknown)))).code, 'not_ready');
  });

  test('is held by its SHA-256', () => assert.equal(valid.record.hash, hashApiKey(valid.key)));
});

describe('the person at this machine', () => {
  const callers = (localUnlimited: boolean, trusted: string[] = []) =>
    new CallerAuthenticator({
      addresses: new ClientAddressResolver(trusted),
      keys: new ApiKeyCache({ findKeyByHash: async () => null }),
      pseudonyms: new Pseudonyms('s'.repeat(32)),
      now: () => new Date(),
      unlimitedLocalCallers: localUnlimited,
    });
  const request = (remoteAddress: string, headers: Record<string, string> = {}) => ({
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: { remoteAddress },
  });

  test('has no limit where the installation is for one person', () => {
    const own = callers(true);
    for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) {
      assert.equal(own.identifyByAddress(request(address)).isUnlimited, true, address);
      assert.equal(callers(false).identifyByAddress(request(address)).isUnlimited, undefined, address);
    }
    for (const address of ['192.168.1.7', '10.0.0.1', '203.0.113.1', '::ffff:10.0.0.1', 'fd00::1', '']) {
      assert.equal(own.identifyByAddress(request(address)).isUnlimited, undefined, address);
    }
  });

  test('is not who is at the other side of a proxy on this machine', () => {
    const own = callers(true);
    for (const headers of [
      { forwarded: 'for=203.0.113.1' },
      { 'x-forwarded-for': '203.0.113.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-real-ip': '203.0.113.1' },
      { via: '1.1 proxy' },
      { via: '' },
    ]) {
      assert.equal(
        own.identifyByAddress(request('127.0.0.1', headers as Record<string, string>)).isUnlimited,
        undefined,
      );
      assert.equal(
        own.identifyByAddress(request('127.0.0.1')).isUnlimited,
        true,
        'and what is remembered is kept apart',
      );
    }
  });
});
