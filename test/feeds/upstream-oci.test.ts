import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createFileUpstream } from '../../src/feeds/create-upstream.ts';
import type { FileUpstream } from '../../src/feeds/upstream.ts';
import { catalogAddressSchema } from '../../src/setting-schemas.ts';
import { poolFor, serve, type TestServer } from '../net/servers.ts';

/** Answers of a registry by the OCI Distribution specification 1.1; the login is that of the Distribution project ("token authentication"). */

const TIMESTAMP = 'timestamp\n{"version":1}\n';
const TOKEN = 'eyJ.a.b';
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const MANIFEST = {
  schemaVersion: 2,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  artifactType: 'application/vnd.unknown.artifact.v1',
  config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: digestOf('{}'), size: 2 },
  layers: [
    {
      mediaType: 'application/vnd.oci.image.layer.v1.tar',
      digest: digestOf(TIMESTAMP),
      size: TIMESTAMP.length,
      annotations: { 'org.opencontainers.image.title': 'timestamp.txt' },
    },
    { mediaType: 'application/octet-stream', digest: digestOf('without a title'), size: 15 },
  ],
};

interface Registry {
  upstream: FileUpstream;
  server: TestServer;
}

/** A registry with one tag. `storage`: where blobs are redirected to; null: it serves them. */
async function registry(
  t: TestContext,
  { login = '', needsToken = false, storage = null as string | null, manifest = MANIFEST as unknown } = {},
): Promise<Registry> {
  const server = await serve(t, (request, response) => {
    const { pathname } = new URL(request.url!, 'http://x');
    const { authorization } = request.headers;
    if (pathname === '/token') return void response.end(JSON.stringify({ token: TOKEN }));
    if (needsToken && authorization !== `Bearer ${TOKEN}`) {
      const realm = `${server.url}token`;
      response.setHeader(
        'www-authenticate',
        `Bearer realm="${realm}",service="registry.example",scope="repository:a/b:pull"`,
      );
      return void response.writeHead(401).end('{}');
    }
    if (pathname === '/v2/a/b/manifests/schema-9') return void response.end(JSON.stringify(manifest));
    if (pathname !== `/v2/a/b/blobs/${digestOf(TIMESTAMP)}`) return void response.writeHead(404).end('{}');
    if (storage !== null) return void response.writeHead(307, { location: `${storage}blob` }).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (from > 0) {
      response.setHeader('content-range', `bytes ${from}-${TIMESTAMP.length - 1}/${TIMESTAMP.length}`);
      response.writeHead(206);
    }
    response.end(TIMESTAMP.slice(from));
  });
  const address = `oci://${login}127.0.0.1:${new URL(server.url).port}/a/b`;
  const upstream = createFileUpstream({ address, layout: 'mirror', web: { pool: poolFor(t), backoffMs: 1 } });
  return { upstream, server };
}

test('files are layers with a title; those of one tag come from one manifest', async (t) => {
  const { upstream, server } = await registry(t);
  assert.equal(await upstream.readText('schema-9/timestamp.txt'), TIMESTAMP);
  assert.equal(await upstream.readText('schema-9/1.root.txt'), null);
  assert.equal(await upstream.readText('schema-10/timestamp.txt'), null);
  const opened = await upstream.readFrom('schema-9/timestamp.txt', 4);
  assert.equal(opened?.from, 4);
  assert.equal(Buffer.concat(await Array.fromAsync(opened.bytes)).toString(), TIMESTAMP.slice(4));
  const asked = server.requests.map(({ url }) => url);
  assert.equal(asked.filter((url) => url === '/v2/a/b/manifests/schema-9').length, 1);
  assert.match(String(server.requests[0]!.headers.accept), /application\/vnd\.oci\.image\.manifest\.v1\+json/);
});

test('a token is fetched once, with the login of the address, for what the registry names', async (t) => {
  const { upstream, server } = await registry(t, { needsToken: true, login: 'reader:s%40crt@' });
  assert.equal(await upstream.readText('schema-9/timestamp.txt'), TIMESTAMP);
  const tokens = server.requests.filter(({ url }) => url!.startsWith('/token'));
  assert.equal(tokens.length, 1);
  assert.equal(tokens[0]!.url, '/token?service=registry.example&scope=repository%3Aa%2Fb%3Apull');
  assert.equal(tokens[0]!.headers.authorization, `Basic ${Buffer.from('reader:s@crt').toString('base64')}`);
});

test('a store of blobs elsewhere gets no token', async (t) => {
  const storage = await serve(t, (_request, response) => response.end(TIMESTAMP));
  const { upstream } = await registry(t, { needsToken: true, storage: storage.url });
  assert.equal(await upstream.readText('schema-9/timestamp.txt'), TIMESTAMP);
  assert.equal(storage.requests[0]!.headers.authorization, undefined);
});

test('a token is not fetched over http from elsewhere, and other logins are refused', async (t) => {
  const elsewhere = await serve(t, (_request, response) => response.end(JSON.stringify({ token: TOKEN })));
  for (const challenge of [`Bearer realm="${elsewhere.url}token"`, 'Basic realm="x"', 'Bearer', '']) {
    const server = await serve(t, (_request, response) => {
      response.writeHead(401, challenge === '' ? {} : { 'www-authenticate': challenge }).end();
    });
    const address = `oci://127.0.0.1:${new URL(server.url).port}/a/b`;
    const upstream = createFileUpstream({ address, layout: 'mirror', web: { pool: poolFor(t), backoffMs: 1 } });
    await assert.rejects(upstream.readText('schema-9/timestamp.txt'), /asks for a login that is not known/, challenge);
  }
  assert.equal(elsewhere.requests.length, 0);
});

test('what is no manifest of an artifact is refused', async (t) => {
  for (const manifest of [{ manifests: [] }, { layers: [{ digest: '../../secret' }] }, 7]) {
    const { upstream } = await registry(t, { manifest });
    await assert.rejects(upstream.readText('schema-9/timestamp.txt'), /manifest of schema-9 is not/);
  }
});

test('the setting takes repositories, and says what one is', () => {
  const accepted = 'oci://reader:secret@registry.example.com:5000/team/catalog';
  assert.equal(catalogAddressSchema.parse(accepted), accepted);
  for (const wrong of [
    'oci:catalog',
    'oci://registry.example.com',
    'oci://registry.example.com/a/../b?x',
    'oci://r/A:b',
  ])
    assert.match(String(catalogAddressSchema.safeParse(wrong).error), /for example oci:\/\/registry/, wrong);
});
