import assert from 'node:assert/strict';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { abuseipdb } from '../../src/sources/abuseipdb.ts';
import { bimiFiles } from '../../src/sources/bimi.ts';
import { crtsh } from '../../src/sources/crtsh.ts';
import { githubAdvisories } from '../../src/sources/github-advisories.ts';
import { hibp } from '../../src/sources/hibp.ts';
import { malwarebazaar } from '../../src/sources/malwarebazaar.ts';
import { mtaSts } from '../../src/sources/mta-sts.ts';
import { rdapBootstrap, rdapDomain } from '../../src/sources/rdap.ts';
import { announcedPrefixes, announcedRoute, autonomousSystem } from '../../src/sources/ripestat.ts';
import { shodanCvedb } from '../../src/sources/shodan-cvedb.ts';
import { shodanHost } from '../../src/sources/shodan-host-api.ts';
import { internetdb } from '../../src/sources/shodan-internetdb.ts';
import { redirects } from '../../src/sources/site/redirects.ts';
import { robotsTxt } from '../../src/sources/site/robots-txt.ts';
import { site } from '../../src/sources/site/site.ts';
import { smtp } from '../../src/sources/smtp.ts';
import type { Source, SourceResult } from '../../src/sources/source.ts';
import { SourceClient } from '../../src/sources/source-client.ts';
import { threatfox } from '../../src/sources/threatfox.ts';
import { tls } from '../../src/sources/tls/tls.ts';
import { urlhausHost, urlhausUrl } from '../../src/sources/urlhaus.ts';
import { usernames } from '../../src/sources/usernames.ts';
import { wayback } from '../../src/sources/wayback.ts';
import { whoisDomain, whoisReferral } from '../../src/sources/whois.ts';
import { serveDns, zone } from '../net/dns-server.ts';
import { SITE } from '../net/site.ts';
import { AUTHORITIES } from '../net/tls-server.ts';
import type { Misbehaviour, Ports } from './misbehaviours.ts';

/** Every live source that reads what servers send, with a question to it, and a world in which they misbehave. */

/** In place of the sources' own times: several of these servers say nothing. */
const PATIENCE_MS = 3000;
/** What starting threads and a busy machine may add to that. */
const GRACE_MS = 30_000;

interface Owner {
  after(end: () => Promise<void> | void): void;
}

export interface Row<Question = unknown> {
  source: Source<Question, unknown>;
  question: Question;
  /** Whether an outcome other than a failure is true of what was sent; default: none is. */
  isTrue?: (found: never, misbehaviour: Misbehaviour) => boolean;
}

export const row = <Question, Found>(
  source: Source<Question, Found>,
  question: Question,
  isTrue?: (found: Found, misbehaviour: Misbehaviour) => boolean,
): Row => ({ source, question, isTrue }) as unknown as Row;

export const httpApis: Row[] = [
  row(abuseipdb, '203.0.113.7'),
  row(crtsh, { domain: 'site.example', subdomainsOnly: true }, (_, misbehaviour) => misbehaviour === 'certificates'),
  row(githubAdvisories, 'CVE-2021-44228'),
  row(hibp, { prefix: 'ABCDE' }),
  row(internetdb, '203.0.113.7'),
  row(malwarebazaar, { hash: 'a'.repeat(64) }),
  row(rdapBootstrap, 'dns'),
  row(announcedRoute, { routeOf: '203.0.113.7' }),
  row(autonomousSystem, { systemOf: 64_496 }),
  row(announcedPrefixes, { prefixesOf: 64_496 }),
  row(shodanCvedb, 'CVE-2021-44228'),
  row(shodanHost, '203.0.113.7'),
  row(threatfox, { search: 'site.example' }),
  row(urlhausHost, { host: 'site.example' }),
  row(urlhausUrl, { url: 'http://site.example/' }),
  row(wayback, { domain: 'site.example', lastOnly: false }),
];

export const others: Row[] = [
  row(rdapDomain, { url: 'http://site.example/domain/site.example' }),
  row(whoisReferral, { tld: 'example' }, (found) => found === null),
  row(
    whoisDomain,
    { server: 'site.example', domain: 'site.example' },
    ({ registration }) => registration.outcome === 'unreadable',
  ),
  row(mtaSts, 'site.example', (found) => 'problem' in found),
  row(
    bimiFiles,
    { domain: 'site.example', logo: 'https://site.example/logo.svg', evidence: null },
    ({ logoProblems }) => logoProblems !== null && logoProblems.length > 0,
  ),
  // Nobody listens on port 25 there; test/net/smtp.test.ts has what goes wrong in the dialogue.
  row(smtp, { host: 'site.example' }),
  row(usernames, { platform: 'github', username: 'somebody' }, ({ status }) => status === 'unknown'),
  // What is no file of rules has none; one that is too long was cut, and says so.
  row(robotsTxt, { origin: 'http://site.example' }, ({ robots }, misbehaviour) =>
    ['200 MB', 'endless', 'bomb', 'nested', 'nested objects', 'certificates', 'another shape'].includes(misbehaviour)
      ? robots.truncated && robots.groups.length === 0
      : robots.groups.length === 0,
  ),
  row(redirects, { url: 'http://site.example/' }, ({ stopReason, failedHop, hops }, misbehaviour) =>
    misbehaviour === 'redirect inside'
      ? failedHop?.failure === 'refused_address'
      : misbehaviour === 'redirect to itself'
        ? stopReason === 'loop' && hops.length === 1
        : stopReason === null && failedHop === null,
  ),
  row(site, { url: 'http://site.example/', files: [], probes: [] }, ({ page, truncated, stopped }, misbehaviour) =>
    misbehaviour === 'redirect to itself'
      ? stopped === 'loop'
      : misbehaviour === 'html'
        ? page !== null
        : page === null && truncated === ['200 MB', 'endless', 'bomb', 'certificates'].includes(misbehaviour),
  ),
  // Asks nothing over HTTP: certificate and protocol are right in most of these.
  row(tls, { host: 'site.example', port: 443, detail: 'certificate' }, () => true),
];

/** Asks in a world in which every server misbehaves in that way. */
export async function askerAmong(owner: Owner, { http, https, whois }: Ports): Promise<SourceClient> {
  const names = ['site.example', 'mta-sts.site.example', 'github.com', 'api.github.com'];
  const resolver = await serveDns(owner, zone(Object.fromEntries(names.map((name) => [name, [SITE]]))));
  const net: NetworkClient = openNetworkClient({
    dnsServers: [resolver.address],
    allowedPrivate: [],
    proxy: null,
    extraCa: [AUTHORITIES.root.pem],
    mapEndpoint: ({ address, port }) => {
      const own = [http, https, whois].includes(port);
      return {
        address: '127.0.0.1',
        port: own ? port : address === SITE ? ({ 80: http, 443: https, 43: whois }[port] ?? 9) : 9,
      };
    },
  });
  owner.after(() => net.close());
  const addressOf = ({ id, baseUrl }: { id: string; baseUrl: string | null }): string | null =>
    baseUrl === null ? null : id === 'whois' ? `whois://127.0.0.1:${whois}/` : `http://127.0.0.1:${http}/`;
  // A clock that runs: no source is left alone for having failed.
  let now = Date.now();
  return new SourceClient(net, { baseUrlOf: addressOf, keyOf: () => 'key' }, () => new Date((now += 60_000)));
}

export async function put(
  asker: SourceClient,
  { source, question, isTrue = () => false }: Row,
  misbehaviour: Misbehaviour,
) {
  const patient = { ...source, policy: { ...source.policy, timeoutMs: PATIENCE_MS } };
  const what = `${source.policy.id}, ${misbehaviour}`;
  const started = performance.now();
  const outcome: SourceResult<unknown> = await asker.ask(patient, question);
  const ms = performance.now() - started;
  assert.ok(ms < PATIENCE_MS + GRACE_MS, `${what} took ${ms} ms`);
  if (outcome.status === 'ok')
    assert.ok(isTrue(outcome.found as never, misbehaviour), `${what}: ${JSON.stringify(outcome).slice(0, 500)}`);
  else assert.equal(outcome.status, 'unavailable', what);
  assert.doesNotMatch(JSON.stringify(outcome).slice(0, 2000), /127\.0\.0\.1|ECONN/, what);
}
