import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import { fetchKeySet } from '../../../src/access/oauth/fetch-key-set.ts';
import {
  FIRST_READ_INTERVAL_MS,
  KEYS_STALE_IF_ERROR_MS,
  KEYS_TTL_MS,
  REREAD_INTERVAL_MS,
  SigningKeys,
} from '../../../src/access/oauth/signing-keys.ts';
import { ApiError } from '../../../src/errors.ts';
import type { NetworkClient } from '../../../src/net/network-client.ts';
import { openNetworkClient } from '../../../src/net/open-network-client.ts';
import { NOW } from '../../operations/fixture-facts.ts';
import {
  type AuthorizationServer,
  makeKey,
  sign,
  type SigningKey,
  startAuthorizationServer,
} from '../../support/authorization-server.ts';
import { startService } from '../../support/service.ts';

/** How the keys of the authorization server are fetched and kept, where it is slow, lies, moves or is away. */

const realNet = openNetworkClient({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
after(() => realNet.close());
/** A tenth of the time, so that nobody waits for five seconds. */
const net: Pick<NetworkClient, 'fetch'> = {
  fetch: (url, options) => realNet.fetch(url, { ...options, timeoutMs: options.timeoutMs / 10 }),
};
const key = await makeKey('ES256');

/** The keys of a server, with a clock that the test moves. */
async function world(t: TestContext) {
  const server = await startAuthorizationServer(t, [key]);
  const state = { ms: 0, problems: [] as string[] };
  const settings = { issuer: server.issuer, jwksUrl: null };
  const onProblem = (problem: Error): void => void state.problems.push(problem.message);
  const keys = new SigningKeys({ net, settings, onProblem, nowMs: () => state.ms });
  const reads = (): number => server.asked.filter((path) => path === '/jwks').length;
  return { server, state, keys, settings, reads };
}

/** Every request fails. */
function shutDown(server: AuthorizationServer): void {
  server.behave = (_request, response) => {
    response.writeHead(500).end();
    return true;
  };
}

/** `/jwks` is answered with this text; everything else as always. */
function answerKeys(server: AuthorizationServer, body: string, status = 200, headers = {}): void {
  server.behave = (request, response) => {
    if (request.url !== '/jwks') return false;
    response.writeHead(status, headers).end(body);
    return true;
  };
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 503 &&
  error.retryAfterSeconds !== null &&
  /authorization server/.test(error.message);

describe('keys', () => {
  test('are read once, however many tokens come at once, and again after ten minutes', async (t) => {
    const { keys, state, reads } = await world(t);
    const sets = await Promise.all(Array.from({ length: 20 }, () => keys.current()));
    assert.equal(new Set(sets).size, 1);
    state.ms = KEYS_TTL_MS - 1;
    await keys.current();
    assert.equal(reads(), 1);
    state.ms = KEYS_TTL_MS;
    assert.notEqual(await keys.current(), sets[0]);
    assert.equal(reads(), 2);
  });

  test('are read at most once a minute because of tokens with an unknown key', async (t) => {
    const { keys, state, reads } = await world(t);
    const first = await keys.current();
    const second = await keys.newerThan(first);
    assert.ok(second !== null && second !== first);
    for (const ms of [0, 1, REREAD_INTERVAL_MS - 1]) {
      state.ms = ms;
      assert.equal(await keys.newerThan(second), null);
    }
    assert.equal(reads(), 2);
    // Who looked into the older ones gets the newer ones, without a reading.
    assert.equal(await keys.newerThan(first), second);
    state.ms = REREAD_INTERVAL_MS;
    const both = await Promise.all([keys.newerThan(second), keys.newerThan(second)]);
    assert.equal(both[0], both[1]);
    assert.equal(reads(), 3);
  });

  test('that are known go on for a day while the server is away; it is asked once a minute, and reported once', async (t) => {
    const { server, keys, state } = await world(t);
    const known = await keys.current();
    shutDown(server);
    state.ms = KEYS_TTL_MS;
    assert.equal(await keys.current(), known);
    const asked = server.asked.length;
    state.ms += REREAD_INTERVAL_MS - 1;
    assert.equal(await keys.current(), known);
    await assert.rejects(keys.newerThan(known), isUnavailable);
    assert.equal(server.asked.length, asked);
    state.ms += 1;
    assert.equal(await keys.current(), known);
    assert.ok(server.asked.length > asked);
    assert.deepEqual(state.problems, ['the keys of the authorization server cannot be read']);
    state.ms = KEYS_STALE_IF_ERROR_MS;
    await assert.rejects(keys.current(), isUnavailable);
    server.behave = () => false;
    state.ms += REREAD_INTERVAL_MS;
    assert.notEqual(await keys.current(), known);
    assert.equal(state.problems.at(-1), 'the authorization server is back');
  });

  test('that were never read are tried again after seconds', async (t) => {
    const { server, keys, state } = await world(t);
    shutDown(server);
    await assert.rejects(keys.current(), isUnavailable);
    const asked = server.asked.length;
    state.ms = FIRST_READ_INTERVAL_MS - 1;
    await assert.rejects(keys.current(), isUnavailable);
    assert.equal(server.asked.length, asked);
    server.behave = () => false;
    state.ms = FIRST_READ_INTERVAL_MS;
    assert.ok(await keys.current());
  });
});

describe('an answer with keys is refused', () => {
  const cases: [name: string, body: string, status: number, headers: object, message: RegExp][] = [
    ['that is a redirect', '', 302, { location: '/moved' }, /status 302/],
    ['that is no JSON', '<html>', 200, {}, /not JSON/],
    ['that is no set of keys', '{"keys":{}}', 200, {}, /no JSON Web Key Set/],
    ['nested 10,000 deep', `{"keys":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 200, {}, /100 levels/],
    ['that is huge', `{"keys":[],"x":"${'x'.repeat(300 * 1024)}"}`, 200, {}, /larger/],
    ['that is an error', '{"keys":[]}', 500, {}, /status 500/],
  ];
  for (const [name, body, status, headers, message] of cases) {
    test(name, async (t) => {
      const { server, settings } = await world(t);
      answerKeys(server, body, status, headers);
      await assert.rejects(fetchKeySet(net, settings), message);
      assert.ok(!server.asked.includes('/moved'));
    });
  }

  test('that never ends', async (t) => {
    const { server, settings } = await world(t);
    server.behave = (request, response) => {
      if (request.url !== '/jwks') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
      return true;
    };
    await assert.rejects(fetchKeySet(net, settings), { name: 'NetError', code: 'timeout' });
  });

  test('that does not come', async (t) => {
    const { server, settings } = await world(t);
    server.behave = (request) => request.url === '/jwks';
    await assert.rejects(fetchKeySet(net, settings), { name: 'NetError', code: 'timeout' });
  });
});

test('of a set only public signature keys are taken', async (t) => {
  const { server, settings } = await world(t);
  const secret = { kty: 'oct', k: 'AAAA', kid: 'secret', alg: 'HS256' };
  const leaked = { ...key.jwk, d: 'AAAA', kid: 'leaked' };
  const encryption = { ...key.jwk, use: 'enc', kid: 'encryption' };
  const gigantic = { kty: 'RSA', e: 'AQAB', n: 'A'.repeat(2000), kid: 'gigantic' };
  const given = [secret, leaked, encryption, gigantic, null, 7, 'x', [], {}, key.jwk];
  answerKeys(server, JSON.stringify({ keys: given }));
  assert.deepEqual(await fetchKeySet(net, settings), [key.jwk]);
});

describe('discovery', () => {
  test('asks by RFC 8414, then as OpenID Connect, also for an issuer with a path', async (t) => {
    const { server } = await world(t);
    const issuer = `${server.issuer}/realms/main`;
    server.behave = (request, response) => {
      if (request.url !== '/realms/main/.well-known/openid-configuration') return false;
      response.end(JSON.stringify({ issuer, jwks_uri: `${server.issuer}/jwks` }));
      return true;
    };
    assert.equal((await fetchKeySet(net, { issuer, jwksUrl: null })).length, 1);
    assert.deepEqual(server.asked, [
      '/.well-known/oauth-authorization-server/realms/main',
      '/.well-known/openid-configuration/realms/main',
      '/realms/main/.well-known/openid-configuration',
      '/jwks',
    ]);
  });

  for (const [name, changed, message] of [
    ['names another issuer', { issuer: 'https://evil.example' }, /another issuer/],
    ['names its issuer with a slash more', { issuer: 'SLASH' }, /another issuer/],
    ['names no keys', { jwks_uri: undefined }, /no jwks_uri/],
    ['names keys elsewhere without TLS', { jwks_uri: 'http://keys.example/jwks' }, /not https/],
    ['names a file', { jwks_uri: 'file:///etc/passwd' }, /not https/],
  ] as const) {
    test(`refuses metadata that ${name}`, async (t) => {
      const { server, settings, reads } = await world(t);
      Object.assign(server.metadata, changed);
      if (server.metadata['issuer'] === 'SLASH') server.metadata['issuer'] = `${server.issuer}/`;
      await assert.rejects(fetchKeySet(net, settings), message);
      assert.equal(reads(), 0);
    });
  }

  test('what only the metadata names is reached at public addresses alone', async (t) => {
    const { server, settings } = await world(t);
    const { port } = new URL(server.issuer);
    server.metadata['jwks_uri'] = `https://localhost:${port}/jwks`;
    await assert.rejects(fetchKeySet(net, settings), { name: 'NetError', code: 'refused_address' });
  });

  test('is not needed where the operator says where the keys are, also at a private address', async (t) => {
    const { server } = await world(t);
    const settings = { issuer: 'https://login.example.com', jwksUrl: `${server.issuer}/jwks` };
    assert.equal((await fetchKeySet(net, settings)).length, 1);
    assert.deepEqual(server.asked, ['/jwks']);
  });
});

test('over HTTP: a new key works at once, a withdrawn one no longer; while the server is away known keys go on, and others are 503', async (t) => {
  const [first, second, third] = await Promise.all([makeKey('RS256'), makeKey('ES256'), makeKey('ES256')]);
  const server = await startAuthorizationServer(t, [first]);
  const resource = 'https://sextant.example.com';
  const oauth = { issuer: server.issuer, resource, audiences: [], jwksUrl: null, scopes: [], required: 'mcp' } as const;
  const service = await startService(t, { oauth, onProblem: () => {} });
  const exp = Math.floor(NOW.getTime() / 1000) + 300;
  const statusWith = async (signer: SigningKey): Promise<[number, string]> => {
    const claims = { iss: server.issuer, aud: resource, sub: 'alice', exp, jti: `${Math.random()}` };
    const reply = await service.get('/v1/cve/CVE-2021-44228', {
      authorization: `Bearer ${await sign(signer, claims)}`,
    });
    return [reply.status, reply.text];
  };
  assert.equal((await statusWith(first))[0], 200);
  server.keys = [second];
  assert.equal((await statusWith(second))[0], 200);
  assert.match((await statusWith(first))[1], /no such key/);
  await server.close();
  assert.equal((await statusWith(second))[0], 200);
  assert.match((await statusWith(third))[1], /no such key/);

  const other = await startAuthorizationServer(t, [third]);
  shutDown(other);
  const late = await startService(t, { oauth: { ...oauth, issuer: other.issuer }, onProblem: () => {} });
  const token = await sign(third, { iss: other.issuer, aud: resource, sub: 'alice', exp });
  for (const reply of [
    await late.get('/v1/cve/CVE-2021-44228', { authorization: `Bearer ${token}` }),
    await late.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: `Bearer ${token}` }),
  ]) {
    assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '5'], reply.text);
    assert.match(reply.text, /authorization server does not give its keys/);
  }
  assert.equal((await late.get('/v1/cve/CVE-2021-44228', await late.proHeaders())).status, 200);
});
