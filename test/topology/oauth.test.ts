import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type AuthorizationServer, makeKey, sign, startAuthorizationServer } from '../support/authorization-server.ts';
import { clientFrom, freePort, type ServeProcess, startServe } from '../support/serve-process.ts';

/** The service as a process, with one worker and with two: public clients of MCP find the authorization server by themselves. */

const INFO = { name: 'sextant-test', version: '1.0.0' };
const REDIRECT = 'http://127.0.0.1:9/callback';
const PATH = '/v1/cve/CVE-2021-44228';

// biome-ignore lint/suspicious/noExplicitAny: the two clients have types of their own for the same things.
type Loose = any;

/** A client's store of what it gets, whose user agrees at once. */
class Provider {
  authorizationUrl: URL | null = null;
  readonly #kept: Record<string, Loose> = {};
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
  };
  clientInformation = (): Loose => this.#kept['client'];
  saveClientInformation = (client: Loose): void => void (this.#kept['client'] = client);
  tokens = (): Loose => this.#kept['tokens'];
  saveTokens = (tokens: Loose): void => void (this.#kept['tokens'] = tokens);
  codeVerifier = (): Loose => this.#kept['verifier'];
  saveCodeVerifier = (verifier: string): void => void (this.#kept['verifier'] = verifier);
  discoveryState = (): Loose => this.#kept['discovery'];
  saveDiscoveryState = (discovery: Loose): void => void (this.#kept['discovery'] = discovery);
  redirectToAuthorization = (url: URL): void => {
    this.authorizationUrl = url;
  };
}

const CLIENTS: Record<string, { client: () => Loose; transport: (url: URL, authProvider: Provider) => Loose }> = {
  'sdk v1': {
    client: () => new ClientV1(INFO),
    transport: (url, authProvider) => new HttpV1(url, { authProvider: authProvider as Loose }),
  },
  'client v2, 2025': {
    client: () => new ClientV2(INFO, { versionNegotiation: { mode: 'legacy' } }),
    transport: (url, authProvider) => new HttpV2(url, { authProvider: authProvider as Loose }),
  },
  'client v2, 2026': {
    client: () => new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } }),
    transport: (url, authProvider) => new HttpV2(url, { authProvider: authProvider as Loose }),
  },
};

async function serving(
  t: TestContext,
  workers: number,
): Promise<{ server: AuthorizationServer; service: ServeProcess }> {
  const server = await startAuthorizationServer(t, [await makeKey('ES256')]);
  const port = String(await freePort());
  const settings = {
    SEXTANT_PORT: port,
    SEXTANT_OIDC_ISSUER: server.issuer,
    SEXTANT_OIDC_RESOURCE: `http://127.0.0.1:${port}`,
    SEXTANT_OIDC_SCOPE: 'sextant:read',
    SEXTANT_QUOTA_OIDC: '1000',
  };
  const service = await startServe(settings, ['--workers', String(workers)]);
  t.after(() => service.stop());
  return { server, service };
}

for (const workers of [1, 2]) {
  describe(`with ${workers} worker(s)`, () => {
    test('clients of MCP go from 401 over metadata, registration and sign-in to a call', async (t) => {
      const { server, service } = await serving(t, workers);
      const url = new URL('/mcp', service.base);
      for (const [name, { client: newClient, transport: newTransport }] of Object.entries(CLIENTS)) {
        server.asked.length = server.grants.length = 0;
        const provider = new Provider();
        const transport = newTransport(url, provider);
        await assert.rejects(newClient().connect(transport), /Unauthorized|unauthorized/, name);
        assert.ok(provider.authorizationUrl !== null, name);
        const response = await fetch(provider.authorizationUrl, { redirect: 'manual' });
        const code = new URL(response.headers.get('location')!).searchParams.get('code')!;
        await transport.finishAuth(code);
        await transport.close();
        // RFC 8707: both requests name the resource that the metadata names.
        const [authorization, token] = server.grants;
        assert.deepEqual(
          [authorization, token].map((given) => given!.get('resource')),
          [url.href, url.href],
        );
        assert.equal(authorization!.get('scope'), 'sextant:read');
        assert.equal(authorization!.get('code_challenge_method'), 'S256');

        const client = newClient();
        await client.connect(newTransport(url, provider));
        for (let round = 0; round < 4; round++) {
          const { structuredContent } = await client.callTool({
            name: 'cve_lookup',
            arguments: { cve_id: 'CVE-2021-44228' },
          });
          assert.equal(structuredContent.cve_id, 'CVE-2021-44228', name);
        }
        await client.close();
      }
      for (const secret of ['eyJ', 'alice', 'code-1']) assert.ok(!service.log().includes(secret), secret);
    });

    test('a subject has one quota over all processes; repeated requests on one connection are checked each time', async (t) => {
      const { server, service } = await serving(t, workers);
      const exp = Math.floor(Date.now() / 1000) + 600;
      const claims = { iss: server.issuer, aud: service.base, sub: 'bob', scope: 'sextant:read', exp };
      const token = await sign(server.keys[0]!, claims);
      const headers = { authorization: `Bearer ${token}` };
      const connections = Array.from({ length: 4 }, () => clientFrom('127.0.0.1'));
      t.after(() => connections.forEach((connection) => connection.close()));
      const left: number[] = [];
      for (let round = 0; round < 5; round++) {
        for (const connection of connections) {
          const { status, headers: answered } = await connection.get(service.base + PATH, headers);
          assert.equal(status, 200);
          left.push(Number(answered['x-ratelimit-remaining']));
        }
      }
      assert.deepEqual(
        left,
        left.map((_, index) => 999 - index),
      );
      assert.equal((await connections[0]!.get(service.base + PATH)).status, 200);
      const wrong = { authorization: `Bearer ${token.slice(0, -6)}AAAAAA` };
      assert.equal((await connections[0]!.get(service.base + PATH, wrong)).status, 401);
    });
  });
}

test('tool calls that are answered without the parser need a token each time', async (t) => {
  const { server, service } = await serving(t, 1);
  const exp = Math.floor(Date.now() / 1000) + 600;
  const claims = { iss: server.issuer, aud: `${service.base}/mcp`, sub: 'carol', scope: 'sextant:read', exp };
  const token = await sign(server.keys[0]!, claims);
  const call = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(service.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'cve_lookup', arguments: { cve_id: 'CVE-2021-44228' } },
      }),
    });
  const statuses = async (path: string, headers: Record<string, string>): Promise<number[]> => {
    const found: number[] = [];
    for (let round = 0; round < 4; round++) {
      const response = await call(path, headers);
      await response.text();
      found.push(response.status);
    }
    return found;
  };
  const authorized = { authorization: `Bearer ${token}` };
  assert.deepEqual(await statuses('/mcp', authorized), [200, 200, 200, 200]);
  assert.deepEqual(await statuses('/mcp', {}), [401, 401, 401, 401]);
  assert.deepEqual(await statuses(`/mcp?access_token=${token}`, authorized), [400, 400, 400, 400]);
  assert.deepEqual(
    await statuses('/mcp', { authorization: `Bearer ${token.slice(0, -6)}AAAAAA` }),
    [401, 401, 401, 401],
  );
});
