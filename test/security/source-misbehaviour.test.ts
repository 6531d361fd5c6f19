import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Net } from '../../src/net/net.ts';
import { openNet } from '../../src/net/open-net.ts';
import { abuseipdb } from '../../src/sources/abuseipdb.ts';
import { Asker } from '../../src/sources/asker.ts';
import { crtsh } from '../../src/sources/crtsh.ts';
import { dns } from '../../src/sources/dns.ts';
import { dnsSweep } from '../../src/sources/dns-sweep.ts';
import { dnssec } from '../../src/sources/dnssec.ts';
import { githubAdvisories } from '../../src/sources/github-advisories.ts';
import { hibp } from '../../src/sources/hibp.ts';
import type { HttpSource } from '../../src/sources/http-source.ts';
import { internetdb } from '../../src/sources/internetdb.ts';
import { malwarebazaar } from '../../src/sources/malwarebazaar.ts';
import { mtaSts } from '../../src/sources/mta-sts.ts';
import { rdapDomain, rdapServices } from '../../src/sources/rdap.ts';
import { READERS } from '../../src/sources/readers.ts';
import { LIVE_SOURCES } from '../../src/sources/registry.ts';
import { prefixesOf, routeOf, systemOf } from '../../src/sources/ripestat.ts';
import { shodanCvedb } from '../../src/sources/shodan-cvedb.ts';
import { shodanHost } from '../../src/sources/shodan-host.ts';
import { redirects } from '../../src/sources/site/redirects.ts';
import { robotsTxt } from '../../src/sources/site/robots-txt.ts';
import { site } from '../../src/sources/site/site.ts';
import type { Outcome, Source } from '../../src/sources/source.ts';
import { threatfox } from '../../src/sources/threatfox.ts';
import { tls } from '../../src/sources/tls/tls.ts';
import { urlhausHost, urlhausUrl } from '../../src/sources/urlhaus.ts';
import { usernames } from '../../src/sources/usernames.ts';
import { wayback } from '../../src/sources/wayback.ts';
import { whoisDomain, whoisReferral } from '../../src/sources/whois.ts';
import { serveDns, zone } from '../net/dns-server.ts';
import { SITE } from '../net/site.ts';
import { AUTHORITIES } from '../net/tls-server.ts';
import { longestTurnIn } from '../support/loop-delay.ts';
import { MISBEHAVIOURS, type Misbehaviour, type Ports } from './misbehaviours.ts';

/** Every live source, and every way in which it may misbehave: an outcome within the bounds, and nobody else waits for it. */

const MEGABYTE = 1024 * 1024;
/** In place of the sources' own times: several of these servers say nothing. */
const PATIENCE_MS = 3000;
/** What starting threads and a busy machine may add to that. */
const GRACE_MS = 10_000;
const MAX_HELD_UP_MS = 50;
/** All sources at once, or 17 large answers of one; a single source stays far below. */
const MAX_GROWTH_MB = 200;

interface Row<Question = unknown> {
  source: Source<Question, unknown>;
  question: Question;
  /** Whether an outcome other than a failure is true of what was sent; default: none is. */
  isTrue?: (found: never, misbehaviour: Misbehaviour) => boolean;
}

const row = <Question, Found>(
  source: Source<Question, Found>,
  question: Question,
  isTrue?: (found: Found, misbehaviour: Misbehaviour) => boolean,
): Row => ({ source, question, isTrue }) as unknown as Row;

const httpApis: Row[] = [
  row(abuseipdb, '203.0.113.7'),
  row(crtsh, { domain: 'site.example', below: true }, (_, misbehaviour) => misbehaviour === 'certificates'),
  row(githubAdvisories, 'CVE-2021-44228'),
  row(hibp, { prefix: 'ABCDE' }),
  row(internetdb, '203.0.113.7'),
  row(malwarebazaar, { hash: 'a'.repeat(64) }),
  row(rdapServices, 'dns'),
  row(routeOf, { routeOf: '203.0.113.7' }),
  row(systemOf, { systemOf: 64_496 }),
  row(prefixesOf, { prefixesOf: 64_496 }),
  row(shodanCvedb, 'CVE-2021-44228'),
  row(shodanHost, '203.0.113.7'),
  row(threatfox, { search: 'site.example' }),
  row(urlhausHost, { host: 'site.example' }),
  row(urlhausUrl, { url: 'http://site.example/' }),
  row(wayback, { domain: 'site.example', last: false }),
];

const others: Row[] = [
  row(rdapDomain, { url: 'http://site.example/domain/site.example' }),
  row(whoisReferral, { tld: 'example' }, (found) => found === null),
  row(
    whoisDomain,
    { server: 'site.example', domain: 'site.example' },
    ({ registration }) => registration.outcome === 'unreadable',
  ),
  row(mtaSts, 'site.example', (found) => 'fault' in found),
  row(usernames, { platform: 'github', username: 'somebody' }, ({ status }) => status === 'unknown'),
  // What is no file of rules has none; one that is too long was cut, and says so.
  row(robotsTxt, { origin: 'http://site.example' }, ({ robots }, misbehaviour) =>
    ['200 MB', 'endless', 'bomb', 'nested', 'nested objects', 'certificates', 'another shape'].includes(misbehaviour)
      ? robots.truncated && robots.groups.length === 0
      : robots.groups.length === 0,
  ),
  row(redirects, { url: 'http://site.example/' }, ({ stopped, broken, hops }, misbehaviour) =>
    misbehaviour === 'redirect inside'
      ? broken?.failure === 'refused_address'
      : misbehaviour === 'redirect to itself'
        ? stopped === 'loop' && hops.length === 1
        : stopped === null && broken === null,
  ),
  row(site, { url: 'http://site.example/', files: [], probes: [] }, ({ page, truncated, stopped }, misbehaviour) =>
    misbehaviour === 'redirect to itself'
      ? stopped === 'loop'
      : misbehaviour === 'html'
        ? page !== null
        : page === null && truncated === ['200 MB', 'endless', 'bomb', 'certificates'].includes(misbehaviour),
  ),
  // Asks nothing over HTTP: certificate and protocol are right in most of these.
  row(tls, { host: 'site.example', port: 443, brief: true }, () => true),
];

let servers: ChildProcess;
let ports: Record<Misbehaviour, Ports>;

before(async () => {
  servers = fork(new URL('children/misbehaving-server.ts', import.meta.url));
  ports = await new Promise((resolve) => servers.once('message', (message) => resolve(message as typeof ports)));
});
after(() => void servers.kill());

/** Asks in a world in which every server misbehaves in that way. */
async function askerAmong(t: TestContext, misbehaviour: Misbehaviour): Promise<Asker> {
  const { http, https, whois } = ports[misbehaviour];
  const names = ['site.example', 'mta-sts.site.example', 'github.com', 'api.github.com'];
  const resolver = await serveDns(t, zone(Object.fromEntries(names.map((name) => [name, [SITE]]))));
  const net: Net = openNet({
    dnsServers: [resolver.address],
    allowedPrivate: [],
    proxy: null,
    extraCa: [AUTHORITIES.root.pem],
    dial: ({ address, port }) => {
      const own = [http, https, whois].includes(port);
      return {
        address: '127.0.0.1',
        port: own ? port : address === SITE ? ({ 80: http, 443: https, 43: whois }[port] ?? 9) : 9,
      };
    },
  });
  t.after(() => net.close());
  const addressOf = ({ id, address }: { id: string; address: string | null }): string | null =>
    address === null ? null : id === 'whois' ? `whois://127.0.0.1:${whois}/` : `http://127.0.0.1:${http}/`;
  // A clock that runs: no source is left alone for having failed.
  let now = Date.now();
  return new Asker(net, { addressOf, keyOf: () => 'key' }, () => new Date((now += 60_000)));
}

async function put(asker: Asker, { source, question, isTrue = () => false }: Row, misbehaviour: Misbehaviour) {
  const patient = { ...source, policy: { ...source.policy, timeoutMs: PATIENCE_MS } };
  const what = `${source.policy.id}, ${misbehaviour}`;
  const started = performance.now();
  const outcome: Outcome<unknown> = await asker.ask(patient, question);
  const ms = performance.now() - started;
  assert.ok(ms < PATIENCE_MS + GRACE_MS, `${what} took ${ms} ms`);
  if (outcome.status === 'ok')
    assert.ok(isTrue(outcome.found as never, misbehaviour), `${what}: ${JSON.stringify(outcome).slice(0, 500)}`);
  else assert.equal(outcome.status, 'unavailable', what);
  assert.doesNotMatch(JSON.stringify(outcome).slice(0, 2000), /127\.0\.0\.1|ECONN/, what);
}

/** How much memory the process took at most since, in megabytes. */
function growthSoFar(t: TestContext): () => number {
  const start = process.memoryUsage.rss();
  let peak = start;
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  t.after(() => clearInterval(sampling));
  return () => Math.round((peak - start) / MEGABYTE);
}

test('all live sources are in the table, and all that read HTTP have a reader for threads', () => {
  const asked = new Set([...httpApis, ...others].map(({ source }) => source.policy.id));
  const byDns = [dns, dnsSweep, dnssec].map(({ policy }) => policy.id);
  assert.deepEqual(
    LIVE_SOURCES.map(({ id }) => id).filter((id) => !asked.has(id) && !byDns.includes(id)),
    [],
  );
  const readers = httpApis.map(({ source }) => (source as unknown as HttpSource<unknown, unknown>).reader);
  assert.deepEqual([...readers, 'rdap_domain', 'robots_txt'].toSorted(), Object.keys(READERS).toSorted());
});

describe('a source that misbehaves', () => {
  for (const misbehaviour of MISBEHAVIOURS) {
    test(misbehaviour, { timeout: 60_000 }, async (t) => {
      const asker = await askerAmong(t, misbehaviour);
      const growth = growthSoFar(t);
      await Promise.all([...httpApis, ...others].map((each) => put(asker, each, misbehaviour)));
      assert.ok(growth() < MAX_GROWTH_MB, `${growth()} MB more at its worst`);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    });
  }
});

describe('a resolver that misbehaves', () => {
  const noise = Buffer.alloc(512, 0xc0);
  for (const [what, respond] of [
    ['says nothing', () => null],
    ['sends noise', () => noise],
    ['sends names that point at themselves', ({ id }: { id: number }) => pointerLoop(id)],
    ['fails', () => ({ rcode: 2 })],
  ] as const) {
    test(what, { timeout: 60_000 }, async (t) => {
      const resolver = await serveDns(t, respond);
      const net = openNet({ dnsServers: [resolver.address], allowedPrivate: [], proxy: null, extraCa: [] });
      t.after(() => net.close());
      const asker = new Asker(net, { addressOf: () => null, keyOf: () => null }, () => new Date());
      await Promise.all([
        put(asker, row(dns, { name: 'site.example', type: 'A' }), 'silent'),
        put(
          asker,
          row(dnsSweep, { names: ['a.site.example', 'b.site.example'] }, (found) => found.unknown.length === 2),
          'silent',
        ),
        put(
          asker,
          row(dnssec, { name: 'site.example' }, ({ security }) => security === 'indeterminate'),
          'silent',
        ),
      ]);
    });
  }
});

/** A header with one question and one answer, whose names are a pointer to itself. */
function pointerLoop(id: number): Buffer {
  const header = Buffer.from([id >> 8, id & 255, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  return Buffer.concat([header, Buffer.from([0xc0, 0x0c, 0, 1, 0, 1]), Buffer.from([0xc0, 0x12, 0, 1, 0, 1])]);
}

describe('nobody else waits', () => {
  let question = 0;
  const another = () => ({ domain: `d${++question}.site.example`, below: true });

  for (const [misbehaviour, expected] of [
    ['certificates', 'ok'],
    ['nested', 'unavailable'],
    ['nested objects', 'unavailable'],
    ['another shape', 'unavailable'],
  ] as const) {
    test(`while crt.sh answers with ${misbehaviour}, 17 times at once`, { timeout: 180_000 }, async (t) => {
      const many = { ...crtsh, policy: { ...crtsh.policy, timeoutMs: 60_000 } };
      const asker = await askerAmong(t, misbehaviour);
      const ask = async () => assert.equal((await asker.ask(many, another())).status, expected);
      await ask();
      const growth = growthSoFar(t);
      const ms = await longestTurnIn(() => Promise.all(Array.from({ length: 17 }, ask)));
      assert.ok(ms < MAX_HELD_UP_MS, `held up for ${ms} ms`);
      assert.ok(growth() < MAX_GROWTH_MB, `${growth()} MB more at its worst`);
    });
  }
});
