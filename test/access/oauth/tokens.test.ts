import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import type { JWTPayload } from 'jose';
import { makeKey, sign, type SigningKey, startAuthorizationServer } from '../../support/authorization-server.ts';
import { clientFrom } from '../../support/serve-process.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../operations/fixture-catalog.ts';
import { NOW } from '../../operations/fixture-facts.ts';
import { ask } from '../../mcp/rpc.ts';

/** What RFC 9068, RFC 8725 and RFC 6750 say of tokens, over REST and MCP, with a real authorization server and real keys. */

const RESOURCE = 'https://sextant.example.com';
const PATH = '/v1/cve/CVE-2021-44228';
const NOW_SECONDS = Math.floor(NOW.getTime() / 1000);
const [rsa, ec, ed] = await Promise.all([makeKey('RS256'), makeKey('ES256'), makeKey('EdDSA')]);
const server = await startAuthorizationServer({ after }, [rsa, ec, ed]);
const oauth = {
  issuer: server.issuer,
  resource: RESOURCE,
  audiences: [],
  jwksUrl: null,
  scopes: ['sextant:read'],
  required: 'mcp',
} as const;
const service = await startService({ after }, { oauth, quota: { keyless: 30, pro: 500 }, quotaOidc: 70 });

const claims = (changed: Record<string, unknown> = {}): JWTPayload => ({
  iss: server.issuer,
  sub: 'alice',
  aud: `${RESOURCE}/mcp`,
  scope: 'openid sextant:read',
  client_id: 'client-1',
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 300,
  ...changed,
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const replaceBigInt = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The same token over REST and MCP: both give the same status. */
async function statusOf(token: string): Promise<{ status: number; text: string; challenge: string }> {
  const rest = await service.get(PATH, bearer(token));
  const mcp = await ask(service, 'tools/list', {}, bearer(token));
  assert.equal(mcp.status, rest.status, `${rest.text}\n${mcp.text}`);
  return { status: rest.status, text: rest.text, challenge: String(mcp.headers['www-authenticate']) };
}

async function assertRefused(token: string, message: RegExp): Promise<void> {
  const { status, text, challenge } = await statusOf(token);
  assert.equal(status, 401, text);
  assert.equal(JSON.parse(text).error.code, 'invalid_access_token');
  assert.match(text, message);
  assert.match(challenge, /^Bearer error="invalid_token", /);
  assert.ok(!text.includes(token.slice(0, 40)));
}

describe('a token is accepted', () => {
  for (const [name, key] of [
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ] as const) {
    test(`signed by ${name}`, async () => {
      const token = await sign(key, claims());
      const { status, headers } = await service.get(PATH, bearer(token));
      assert.deepEqual([status, headers['x-ratelimit-tier'], headers['x-ratelimit-limit']], [200, 'pro', '70']);
      assert.equal((await statusOf(token)).status, 200);
    });
  }

  for (const typ of ['application/at+jwt', 'AT+JWT', 'JWT', undefined]) {
    test(`with typ ${typ}`, async () => {
      const header = typ === undefined ? { typ: undefined } : { typ };
      assert.equal((await statusOf(await sign(rsa, claims(), header as object))).status, 200);
    });
  }

  for (const aud of [RESOURCE, `${RESOURCE}/`, `${RESOURCE}/mcp`, ['https://other.example', `${RESOURCE}/mcp`]]) {
    test(`for ${JSON.stringify(aud)}`, async () => {
      assert.equal((await statusOf(await sign(rsa, claims({ aud })))).status, 200);
    });
  }

  test('with its scopes in scp, as a list', async () => {
    assert.equal((await statusOf(await sign(rsa, claims({ scope: undefined, scp: ['sextant:read'] })))).status, 200);
  });

  test('within half a minute of its times, for clocks that differ', async () => {
    assert.equal((await statusOf(await sign(rsa, claims({ exp: NOW_SECONDS - 20 })))).status, 200);
    assert.equal((await statusOf(await sign(rsa, claims({ nbf: NOW_SECONDS + 20 })))).status, 200);
  });

  test('and a key by the same headers is a key as before', async () => {
    const { status, headers } = await service.get(PATH, await service.proHeaders());
    assert.deepEqual([status, headers['x-ratelimit-limit']], [200, '500']);
    const { authorization } = await service.proHeaders();
    const asked = await ask(service, 'tools/list', {}, { 'x-api-key': authorization!.replace('Bearer ', '') });
    assert.equal(asked.status, 200);
  });
});

describe('a token is refused', () => {
  const cases: [name: string, changed: Record<string, unknown>, message: RegExp][] = [
    ['of another issuer', { iss: 'https://evil.example' }, /issuer \(iss\)/],
    ['of the issuer with a slash more', { iss: 'SLASH' }, /issuer \(iss\)/],
    ['for another resource', { aud: 'https://other.example/mcp' }, /another resource/],
    ['for a name that begins like this one', { aud: `${RESOURCE}.evil.example` }, /another resource/],
    ['without an audience', { aud: undefined }, /another resource/],
    ['that has expired', { exp: NOW_SECONDS - 31 }, /has expired/],
    ['without a time of expiry', { exp: undefined }, /\(exp\)/],
    ['that is not valid yet', { nbf: NOW_SECONDS + 31 }, /not valid yet/],
    ['without a subject', { sub: undefined }, /\(sub\)/],
    ['with an empty subject', { sub: '' }, /sub is not a text/],
    ['with an endless subject', { sub: 's'.repeat(256) }, /sub is not a text/],
    ['that is bound to a key of its client', { cnf: { jkt: 'x' } }, /bound to a key/],
  ];
  for (const [name, changed, message] of cases) {
    test(name, async () => {
      if (changed['iss'] === 'SLASH') changed['iss'] = `${server.issuer}/`;
      await assertRefused(await sign(rsa, claims(changed)), message);
    });
  }

  test('without a signature (alg none)', async () => {
    for (const alg of ['none', 'None', 'NONE'])
      await assertRefused(`${encode({ alg, typ: 'at+jwt' })}.${encode(claims())}.`, /alg is not one of/);
  });

  test('signed by HMAC with the public key as its secret', async () => {
    const pem = createPublicKey({ key: rsa.jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    for (const secret of [pem, JSON.stringify(rsa.jwk)]) {
      const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: rsa.kid })}.${encode(claims())}`;
      const signature = createHmac('sha256', secret).update(input).digest('base64url');
      await assertRefused(`${input}.${signature}`, /alg is not one of/);
    }
  });

  test('signed by a key that it brings along: jwk, jku, x5u and x5c are not read', async () => {
    const own = await makeKey('RS256', rsa.kid);
    const thief = await startAuthorizationServer({ after }, [own]);
    const address = `${thief.issuer}/jwks`;
    for (const header of [{ jwk: own.jwk }, { jku: address }, { x5u: address }, { x5c: ['MIIB'] }]) {
      await assertRefused(await sign(own, claims(), header as object), /signature or its form/);
    }
    assert.deepEqual(thief.asked, []);
    // With the right key they do no harm.
    const honest = await sign(rsa, claims(), { jku: address, jwk: own.jwk } as object);
    assert.equal((await statusOf(honest)).status, 200);
  });

  test('whose claims were changed after it was signed', async () => {
    const [header, , signature] = (await sign(rsa, claims())).split('.');
    await assertRefused(`${header}.${encode(claims({ sub: 'bob' }))}.${signature}`, /signature or its form/);
  });

  test('by the kid of one key and the alg of another', async () => {
    await assertRefused(await sign(ec, claims(), { kid: rsa.kid }), /no such key/);
  });

  test('of another type', async () => {
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'id+jwt'])
      await assertRefused(await sign(rsa, claims(), { typ }), /typ is not at\+jwt/);
  });

  test('with a critical header that nobody here knows', async () => {
    const token = `${encode({ alg: 'RS256', kid: rsa.kid, crit: ['x'], x: 1 })}.${encode(claims())}.AAAA`;
    await assertRefused(token, /signature or its form/);
  });

  test('that is huge', async () => {
    await assertRefused(`${encode({ alg: 'RS256', kid: rsa.kid })}.${'A'.repeat(9000)}.AAAA`, /longer than 8192/);
  });

  test('with JSON that is nested without end', async () => {
    const deep = Buffer.from(`{"alg":"RS256","x":${'['.repeat(2800)}${']'.repeat(2800)}}`).toString('base64url');
    await assertRefused(`${deep}.${encode(claims())}.AAAA`, /header is not a JSON object/);
    for (const text of ['[]', 'null', '{', '"x"'])
      await assertRefused(`${Buffer.from(text).toString('base64url')}.e30.AAAA`, /header is not a JSON object/);
  });

  test('whatever it is made of: no input is a failure of the service', async () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    const header = fc.record(
      {
        alg: fc.oneof(fc.constantFrom('RS256', 'ES256', 'EdDSA'), fc.anything()),
        kid: fc.oneof(fc.constantFrom(rsa.kid, ec.kid), fc.anything()),
        typ: fc.oneof(fc.constant('at+jwt'), fc.anything()),
        crit: fc.anything(),
        b64: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const encoded = header.map((value) => Buffer.from(JSON.stringify(value, replaceBigInt)).toString('base64url'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, part), part, part, async (first, second, third) => {
        const token = `${first}.${second}.${third}`.replace(/[^\w.-]/g, '');
        const { status, text } = await service.get(PATH, bearer(token));
        assert.equal(status, 401, text);
      }),
      { numRuns: 300 },
    );
  });

  test('by a key that is published, and broken', async (t) => {
    const jwk = { ...ec.jwk, x: 'AAAA', kid: 'broken' };
    const weak = { kty: 'RSA', e: 'AQAB', n: 'wJKR', alg: 'RS256', kid: 'weak' };
    const other = await startAuthorizationServer(t, [
      { ...ec, jwk },
      { ...rsa, jwk: weak },
    ]);
    const broken = await startService(t, { oauth: { ...oauth, issuer: other.issuer } });
    for (const [key, kid] of [
      [ec, 'broken'],
      [rsa, 'weak'],
    ] as const) {
      const token = await sign(key, claims({ iss: other.issuer }), { kid });
      const { status, text } = await broken.get(PATH, bearer(token));
      assert.deepEqual([status, JSON.parse(text).error.code], [401, 'invalid_access_token']);
    }
  });

  test('in the query, where nothing is read and MCP says so', async () => {
    const token = await sign(rsa, claims());
    const mcp = await service.post(
      `/mcp?access_token=${token}`,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { accept: '*/*' },
    );
    assert.equal(mcp.status, 400);
    assert.match(String(mcp.headers['www-authenticate']), /^Bearer error="invalid_request"/);
    assert.ok(!mcp.text.includes(token));
    const alongside = await service.post(`/mcp?x=1&access_token=${token}`, {}, { accept: '*/*', ...bearer(token) });
    assert.equal(alongside.status, 400);
    assert.equal((await service.get(`${PATH}?access_token=${token}`)).status, 422);
    const usage = await service.get(`/v1/usage?access_token=${token}`);
    assert.notEqual(usage.status, 200);
  });

  test('as an API key, beside one, or twice', async () => {
    const token = await sign(rsa, claims());
    const { authorization } = await service.proHeaders();
    const key = authorization!.replace('Bearer ', '');
    for (const headers of [{ 'x-api-key': token }, { ...bearer(token), 'x-api-key': key }] as Record<string, string>[])
      assert.equal((await service.get(PATH, headers)).status, 401);
    assert.equal((await service.get(PATH, bearer('opaque-token'))).status, 401);
  });
});

test('a token without the scope is 403 with the scope that it needs', async () => {
  for (const scope of ['openid', 'sextant:readers', undefined]) {
    const { status, text, challenge } = await statusOf(await sign(rsa, claims({ scope })));
    assert.equal(status, 403);
    assert.equal(JSON.parse(text).error.code, 'insufficient_scope');
    assert.equal(
      challenge,
      `Bearer error="insufficient_scope", resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource/mcp", scope="sextant:read"`,
    );
  }
});

test('without credentials MCP is 401 without an error code, for every method; REST goes on without a key', async () => {
  const challenge = `Bearer resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource/mcp", scope="sextant:read"`;
  for (const reply of [
    await ask(service, 'initialize'),
    await service.get('/mcp'),
    await service.get('/mcp', { accept: 'text/event-stream' }),
    await service.send('DELETE', '/mcp'),
  ]) {
    assert.deepEqual([reply.status, reply.headers['www-authenticate']], [401, challenge]);
    assert.match(reply.body.error.message, /access token or an API key/);
  }
  assert.equal((await service.get(PATH)).headers['x-ratelimit-tier'], 'keyless');
  const wrongKey = await service.get(PATH, bearer('sxt_x'));
  assert.equal(
    wrongKey.headers['www-authenticate'],
    `Bearer error="invalid_token", resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource", scope="sextant:read"`,
  );
});

test('metadata names the resource, the authorization server and the scope', async () => {
  for (const path of ['', '/mcp']) {
    const { status, headers, body } = await service.get(`/.well-known/oauth-protected-resource${path}`);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.deepEqual(body, {
      resource: `${RESOURCE}${path}`,
      authorization_servers: [server.issuer],
      scopes_supported: ['sextant:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'Sextant',
      resource_documentation: `${RESOURCE}/docs`,
    });
  }
});

describe('who has a token', () => {
  test('has one quota with all tokens, over REST and MCP; others have theirs', async () => {
    const remaining = async (sub: string, key: SigningKey): Promise<number> => {
      const { headers } = await service.get(PATH, bearer(await sign(key, claims({ sub, jti: `${Math.random()}` }))));
      return Number(headers['x-ratelimit-remaining']);
    };
    assert.deepEqual([await remaining('carol', rsa), await remaining('carol', ec)], [69, 68]);
    assert.equal(await remaining('dave', rsa), 69);
    const token = await sign(ed, claims({ sub: 'carol' }));
    await ask(service, 'tools/call', { name: 'kev_detail', arguments: { cve_id: 'CVE-2021-44228' } }, bearer(token));
    assert.equal(await remaining('carol', rsa), 66);
  });

  test('sees its own usage, as the holder of a key does', async () => {
    const headers = bearer(await sign(rsa, claims({ sub: 'erin' })));
    await service.get(PATH, headers);
    const { status, body } = await service.get('/v1/usage', headers);
    assert.equal(status, 200);
    assert.deepEqual([body.hourly_limit, body.top_endpoints[0].endpoint], [70, 'GET /v1/cve/{cve_id}']);
    const data = await service.get('/v1/my-data', headers);
    assert.ok(!data.text.includes('erin') && !data.text.includes(server.issuer), data.text);
  });

  test('is out when it has expired, also on the quick ways', async () => {
    const token = await sign(rsa, claims({ sub: 'frank', exp: NOW_SECONDS + 10 }));
    assert.equal((await service.get(PATH, bearer(token))).status, 200);
    service.clock.now = new Date((NOW_SECONDS + 41) * 1000);
    const { status, text } = await service.get(PATH, bearer(token));
    service.clock.now = NOW;
    assert.equal(status, 401, text);
  });
});

test('no token, subject or issuer is in the log or in what is stored', async (t) => {
  const dataDir = temporaryFolder();
  const service = await startService(t, { oauth, dataDir, quota: { keyless: 30, pro: 500 } });
  const token = await sign(rsa, claims({ sub: 'grace-the-subject' }));
  await service.get(PATH, bearer(token));
  await service.get(PATH, bearer(`${token.slice(0, -8)}AAAAAAAA`));
  await ask(service, 'tools/list', {}, bearer(token));
  await service.post(`/mcp?access_token=${token}`, {});
  // Usage is written before it is answered.
  assert.equal((await service.get('/v1/usage', bearer(token))).status, 200);
  const stored = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
  const [, payload, signature] = token.split('.');
  for (const text of [service.logLines().join('\n'), ...stored]) {
    for (const secret of [token, payload!, signature!, 'grace-the-subject', server.issuer])
      assert.ok(!text.includes(secret));
  }
});

test('without an authorization server nothing is different', async (t) => {
  const plain = await startService(t, { quota: { keyless: 30, pro: 500 } });
  const token = await sign(rsa, claims());
  const { status, headers, body } = await plain.get(PATH, bearer(token));
  assert.deepEqual([status, headers['www-authenticate'], body.error.code], [401, 'Bearer', 'invalid_api_key']);
  assert.equal((await ask(plain, 'tools/list')).status, 200);
  for (const path of ['', '/mcp']) {
    const { status } = await plain.get(`/.well-known/oauth-protected-resource${path}`);
    assert.equal(status, 404);
  }
});

test('an authorization server may know this service by another name; its ID tokens do not pass', async (t) => {
  const named = await startService(t, { oauth: { ...oauth, audiences: ['api://sextant'] } });
  const statusWith = async (changed: Record<string, unknown>): Promise<number> =>
    (await named.get(PATH, bearer(await sign(rsa, claims(changed), { typ: 'JWT' })))).status;
  assert.equal(await statusWith({ aud: 'api://sextant' }), 200);
  assert.equal(await statusWith({}), 200);
  assert.equal(await statusWith({ aud: 'api://other' }), 401);
  assert.equal(await statusWith({ aud: 'api://sextant', scope: undefined, nonce: 'n', at_hash: 'x' }), 403);
});

test('with SEXTANT_OIDC_REQUIRED=off MCP answers without credentials, and still refuses wrong ones', async (t) => {
  const open = await startService(t, { oauth: { ...oauth, required: 'off' } });
  assert.equal((await ask(open, 'tools/list')).status, 200);
  assert.equal((await ask(open, 'tools/list', {}, bearer(await sign(rsa, claims({ aud: 'x' }))))).status, 401);
  assert.equal((await ask(open, 'tools/list', {}, bearer(await sign(rsa, claims())))).status, 200);
});

test('with SEXTANT_OIDC_REQUIRED=all nobody is answered without credentials: REST, pages, and the quick ways', async (t) => {
  const closed = await startService(t, { oauth: { ...oauth, required: 'all' }, quota: { keyless: 30, pro: 500 } });
  const authorized = bearer(await sign(rsa, claims()));
  const given = await closed.get(PATH, authorized);
  assert.equal(given.status, 200);
  const tag = { 'if-none-match': String(given.headers['etag']) };
  assert.equal((await closed.get(PATH, { ...authorized, ...tag })).status, 304);
  // The answer is in memory, and the path is known.
  for (const headers of [{}, tag]) {
    const { status, headers: answered, body } = await closed.get(PATH, headers);
    assert.deepEqual([status, body.error.code, answered['x-ratelimit-remaining']], [401, 'api_key_required', '30']);
    assert.match(String(answered['www-authenticate']), /^Bearer resource_metadata=/);
  }
  assert.equal((await closed.post('/v1/cves/bulk', { cve_ids: ['CVE-2021-44228'] })).status, 401);
  assert.equal((await ask(closed, 'tools/list')).status, 401);
  const page = await closed.get('/cve/CVE-2021-44228', { accept: 'text/html' });
  assert.equal(page.status, 401, page.text.slice(0, 200));
  assert.match(page.text, /Only with a key.*href="\/key"/s);
  assert.equal((await closed.get('/cve/CVE-2021-44228', { accept: 'text/html', ...authorized })).status, 200);
  for (const path of ['/docs', '/privacy', '/key', '/healthz', '/v1/privacy/my-data'])
    assert.equal((await closed.get(path)).status, 200, path);
  assert.equal((await closed.get(PATH, await closed.proHeaders())).status, 200);
  const base = await closed.listen();
  const connection = clientFrom('127.0.0.1');
  t.after(() => connection.close());
  const statuses: number[] = [];
  for (const headers of [authorized, authorized, authorized, {}, {}, {}, authorized] as Record<string, string>[])
    statuses.push((await connection.get(base + PATH, headers)).status);
  assert.deepEqual(statuses, [200, 200, 200, 401, 401, 401, 200]);
});
