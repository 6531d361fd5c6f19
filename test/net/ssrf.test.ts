import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { isPublicIp, parseIp } from '../../src/analysis/ip-address.ts';
import { followRedirects } from '../../src/net/follow-redirects.ts';
import type { IpEndpoint, NetworkClient } from '../../src/net/network-client.ts';
import { NetError } from '../../src/net/net-error.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { sharedPath } from '../support/shared.ts';
import { serveDns, zone } from './dns-server.ts';
import { dottedOf, embeddedFormsOf, FORBIDDEN_V4, FORBIDDEN_V6, notationsOf } from './forbidden-addresses.ts';
import { serve } from './servers.ts';

/**
 * Attempts to have the service connect to where it must not. Whatever it dials, but for the one public address that each test lets
 * it reach, ends at a trap on loopback that counts.
 */

const bounds = { timeoutMs: 20_000, maxBytes: 10_000 };
const REFUSALS = new Set(['refused_address', 'no_such_name', 'protocol']);
const PUBLIC = '93.184.216.34';

interface Trap {
  net: NetworkClient;
  port: number;
  dialled: IpEndpoint[];
  /** Whether anything came, as the listeners saw it. */
  reached(): number;
}

/** Names by `respond`; `open`: where the public address is served. */
async function trap(t: TestContext, respond: Parameters<typeof serveDns>[1], open?: { port: number }): Promise<Trap> {
  const dns = await serveDns(t, respond);
  const listener = await serve(t, (_request, response) => response.end('secret'));
  const port = Number(new URL(listener.url).port);
  const dialled: IpEndpoint[] = [];
  const net = openNetworkClient({
    dnsServers: [dns.address],
    allowedPrivate: [],
    proxy: null,
    extraCa: [],
    mapEndpoint: (to) => {
      if (open !== undefined && to.address === PUBLIC) return { address: '127.0.0.1', port: open.port };
      dialled.push(to);
      return { address: '127.0.0.1', port };
    },
  });
  t.after(() => net.close());
  return { net, port, dialled, reached: () => listener.connections + dialled.length };
}

async function refuses(attempt: Promise<unknown>, what: string): Promise<void> {
  await attempt.then(
    () => assert.fail(`${what} was answered`),
    (error) => assert.ok(error instanceof NetError && REFUSALS.has(error.code), `${what}: ${String(error)}`),
  );
}

const LITERALS = [
  ...FORBIDDEN_V4.flatMap((four) => [...notationsOf(four), ...embeddedFormsOf(four)]),
  ...FORBIDDEN_V6.map((address) => `[${address}]`),
];

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  'metadata.google.internal',
  'printer.local',
  'router.home.arpa',
  'facebookwkhpilnemxj7asaniu7vnjjbiltxjqhye3mhbshg7kx5tfyd.onion',
];

/** The URL as `URL` understands it; null where it is no URL, so that nobody could be sent anywhere by it. */
function urlsOf(host: string, port: number): URL[] {
  return [`http://${host}:${port}/`, `https://${host}/`, `http://${host}/latest/meta-data/`].flatMap(
    (text) => URL.parse(text) ?? [],
  );
}

describe('attempts to reach what must not be reached', () => {
  let attempts = 0;

  test('literals in every notation, over every method', async (t) => {
    const { net, port, reached } = await trap(t, () => ({ rcode: 3 }));
    for (const host of LITERALS) {
      for (const url of urlsOf(host, port)) {
        attempts++;
        await refuses(net.fetch(url, bounds), url.href);
      }
      attempts += 3;
      await refuses(net.resolveAddresses(host, bounds), `resolve ${host}`);
      await refuses(net.tlsHandshake(host, { ...bounds, port }), `handshake ${host}`);
      await refuses(net.sendClientHello(host, { ...bounds, port, hello: { version: 'SSLv2' } }), `handshake ${host}`);
      await refuses(net.sendLine({ host, port }, 'x', bounds), `converse ${host}`);
    }
    assert.equal(reached(), 0);
  });

  test('names of this machine and of private networks, without asking the DNS', async (t) => {
    const { net, port, reached } = await trap(t, () => assert.fail('the DNS was asked'));
    for (const host of NAMES) {
      for (const url of urlsOf(host, port)) {
        attempts++;
        await refuses(net.fetch(url, bounds), url.href);
      }
      attempts += 2;
      await refuses(net.tlsHandshake(host, { ...bounds, port }), host);
      await refuses(net.sendClientHello(host, { ...bounds, port, hello: { version: 'SSLv2' } }), host);
      await refuses(net.queryDns(host, 'A', bounds), host);
    }
    assert.equal(reached(), 0);
  });

  test('zones, logins, and schemes other than http(s)', async (t) => {
    const { net, port, reached } = await trap(t, zone({ 'a.example': [PUBLIC] }));
    for (const host of [
      'fe80::1%eth0',
      '[fe80::1%25eth0]',
      '::1%lo',
      '127.0.0.1%2e',
      'a.example/@127.0.0.1',
      'a.example#@[::1]',
    ]) {
      attempts += 2;
      await refuses(net.tlsHandshake(host, { ...bounds, port }), host);
      await refuses(net.sendClientHello(host, { ...bounds, port, hello: { version: 'SSLv2' } }), host);
      await refuses(net.resolveAddresses(host, bounds), host);
    }
    for (const text of [
      `http://a.example@127.0.0.1:${port}/`,
      `http://a.example:80@127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}\\@a.example/`,
      `http://127.0.0.1:${port}#@a.example/`,
      `http://127.0.0.1:${port}?@a.example/`,
      `http://user:pass@a.example/`,
      `http://user@a.example/`,
      `http:127.0.0.1:${port}`,
      `http:\\\\127.0.0.1:${port}`,
      `http:////127.0.0.1:${port}`,
      `\thttp://127.0.0.1:${port}\n`,
      `file:///etc/passwd`,
      `ftp://127.0.0.1:${port}/`,
      `gopher://127.0.0.1:${port}/_x`,
      `ws://127.0.0.1:${port}/`,
      `data:text/plain,x`,
      `blob:http://127.0.0.1:${port}/x`,
      'http://a.example:25/',
      'http://a.example:6667/',
      'http://a.example:0/',
    ]) {
      attempts++;
      await refuses(net.fetch(new URL(text), bounds), text);
    }
    assert.equal(reached(), 0);
  });

  test('names that the DNS leads there, alone, by aliases, and beside public addresses', async (t) => {
    const addresses = [...FORBIDDEN_V4.map(dottedOf), ...FORBIDDEN_V6.filter((address) => !address.startsWith('0:'))];
    const records: Record<string, string[]> = {};
    const targets = addresses.flatMap((address, i) => {
      records[`direct${i}.example`] = [address];
      records[`alias${i}.example`] = [`direct${i}.example`];
      records[`alias-of-alias${i}.example`] = [`alias${i}.example`];
      const names = [`direct${i}.example`, `alias${i}.example`, `alias-of-alias${i}.example`];
      // NAT64 forms beside a public address are left out, the name is not refused for them.
      if (/^(64:ff9b::|2002:|2001:0:|::ffff:8)/.test(address)) return names;
      records[`before${i}.example`] = [address, PUBLIC];
      records[`after${i}.example`] = [PUBLIC, address];
      return [...names, `before${i}.example`, `after${i}.example`];
    });
    records['loopback.example'] = ['localhost'];
    const { net, port, reached } = await trap(t, zone(records));
    for (const name of targets) {
      attempts += 3;
      await refuses(net.fetch(new URL(`http://${name}:${port}/`), bounds), name);
      await refuses(net.tlsHandshake(name, { ...bounds, port }), name);
      await refuses(net.sendClientHello(name, { ...bounds, port, hello: { version: 'SSLv2' } }), name);
      await refuses(net.sendLine({ host: name, port }, 'x', bounds), name);
    }
    // An alias of a name that the DNS does not have exists, and has no address.
    attempts++;
    await assert.rejects(net.fetch(new URL(`http://loopback.example:${port}/`), bounds), { code: 'dns' });
    assert.equal(reached(), 0);
  });

  test('a resolver that answers differently the second time', async (t) => {
    let asked = 0;
    const rebind = () => (asked++ < 2 ? [PUBLIC] : ['127.0.0.1']);
    const site = await serve(t, (_request, response) => response.end('public'));
    const port = Number(new URL(site.url).port);
    const { net, reached } = await trap(t, zone({ 'rebind.example': rebind }), { port });
    // One resolution asks for A and AAAA. The first leads to the public address, and the connection goes there.
    const first = await net.fetch(new URL('http://rebind.example/'), bounds);
    assert.deepEqual([first.address, String(first.body)], [PUBLIC, 'public']);
    assert.equal(asked, 2);
    attempts++;
    await refuses(net.fetch(new URL('http://rebind.example/'), bounds), 'the second time');
    for (let i = 0; i < 20; i++) {
      // A public and a private address by turns, for each of both questions.
      attempts++;
      asked = i % 2;
      const answer = await net.fetch(new URL('http://rebind.example/'), bounds).catch((error: NetError) => error.code);
      assert.ok(answer === 'refused_address' || (typeof answer === 'object' && answer.address === PUBLIC));
    }
    assert.equal(reached(), 0);
  });

  test('redirects to each of those', async (t) => {
    let location = '';
    const site = await serve(t, (_request, response) => response.writeHead(302, { location }).end());
    const port = Number(new URL(site.url).port);
    const names = { 'site.example': [PUBLIC], 'private.example': ['10.0.0.1'], 'alias.example': ['private.example'] };
    const { net, port: inside, reached } = await trap(t, zone(names), { port });
    const locations = [
      ...[...LITERALS, ...NAMES, 'private.example', 'alias.example'].flatMap((host) => [
        `http://${host}:${inside}/`,
        `//${host}/`,
      ]),
      `http://site.example@127.0.0.1:${inside}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'ftp://site.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      'http://user:pass@site.example/x',
      'http://site.example:22/',
    ];
    for (const to of locations) {
      attempts++;
      location = Buffer.from(to).toString('latin1');
      // Where a redirect ends without a refused request, it has not been followed.
      const chain = await followRedirects(net, new URL('http://site.example/'), bounds).catch(
        (error: NetError) => error,
      );
      if (chain instanceof Error) assert.ok(REFUSALS.has(chain.code), `${to}: ${chain.message}`);
      else assert.ok(chain.stopReason !== null && chain.hops.length <= 2, to);
    }
    assert.equal(reached(), 0);
  });

  const suite = sharedPath('suites', 'urls');

  test('hosts and addresses of the URL suites', { skip: suite === null && 'no shared suites' }, async (t) => {
    const read = (file: string): unknown[] => JSON.parse(readFileSync(`${suite}/${file}`, 'utf8'));
    const addresses = (read('urltestdata.json') as { input: string; base: string | null }[])
      .filter((of) => typeof of === 'object')
      .flatMap(({ input, base }) => URL.parse(input, base ?? undefined) ?? []);
    const hosts = (read('toascii.json') as { input: string }[]).filter((of) => typeof of === 'object');
    const spelt = hosts.flatMap(({ input }) => URL.parse(`https://${input}/`) ?? []);
    // Every name leads to this machine.
    const { net, reached } = await trap(t, ({ name, type }) => ({
      answers: [{ name, type: type as 'A', data: type === 'A' ? '127.0.0.1' : '::1' }],
    }));
    for (const url of [...addresses, ...spelt]) {
      const literal = parseIp(url.hostname);
      if (literal !== null && isPublicIp(literal)) continue;
      attempts++;
      await refuses(net.fetch(url, bounds), url.href);
    }
    for (const { input } of hosts) {
      attempts++;
      await refuses(net.tlsHandshake(input, bounds), input);
      await refuses(net.sendClientHello(input, { ...bounds, hello: { version: 'SSLv2' } }), input);
    }
    assert.equal(reached(), 0);
  });

  test('were enough of them', (t) => {
    t.diagnostic(`${attempts} attempts, none arrived`);
    assert.ok(attempts >= 300);
  });
});

test('what the operator allows is reached, and nothing beside it', async (t) => {
  const site = await serve(t, (_request, response) => response.end('inside'));
  const { port } = new URL(site.url);
  const dns = await serveDns(
    t,
    zone({ 'app.internal': ['127.0.0.1'], 'other.internal': ['10.0.0.1'], 'mixed.example': ['127.0.0.1', PUBLIC] }),
  );
  const net = openNetworkClient({
    dnsServers: [dns.address],
    allowedPrivate: ['127.0.0.1/32'],
    proxy: null,
    extraCa: [],
  });
  t.after(() => net.close());
  for (const host of ['127.0.0.1', 'app.internal', '2130706433']) {
    assert.equal(String((await net.fetch(new URL(`http://${host}:${port}/`), bounds)).body), 'inside');
  }
  assert.deepEqual(await net.resolveAddresses('mixed.example', bounds), ['127.0.0.1', PUBLIC]);
  const connections = site.connections;
  for (const host of ['127.0.0.2', 'other.internal', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1']) {
    await refuses(net.fetch(new URL(`http://${host}:${port}/`), bounds), host);
  }
  assert.equal(site.connections, connections);
});

test('an address that the operator set is not vetted, but where it redirects to is', async (t) => {
  const inside = await serve(t, (_request, response) => response.end('inside'));
  const source = await serve(t, (request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: inside.url });
    response.end('source');
  });
  const net = openNetworkClient({ dnsServers: ['127.0.0.1:1'], allowedPrivate: [], proxy: null, extraCa: [] });
  t.after(() => net.close());
  const { port } = new URL(source.url);
  for (const host of ['127.0.0.1', 'localhost', 'user:pass@127.0.0.1']) {
    const answer = await net.fetch(new URL(`http://${host}:${port}/`), { ...bounds, trusted: true });
    assert.equal(String(answer.body), 'source', host);
  }
  assert.equal(source.requests.at(-1)?.headers.authorization, `Basic ${btoa('user:pass')}`);
  await refuses(followRedirects(net, new URL(`${source.url}away`), { ...bounds, trusted: true }), 'a redirect');
  assert.equal(inside.connections, 0);
});
