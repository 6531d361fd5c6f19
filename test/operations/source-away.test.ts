import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { NetError } from '../../src/net/net-error.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { MALWARE_HOST, UPSTREAMS } from '../lab/upstreams.ts';
import { put, questionsAbout } from '../security/endpoints.ts';
import { startService, type TestService } from '../support/service.ts';

/**
 * Each live source taken away in turn: what it would have told is never an empty list or a zero, unless the answer says that
 * something is missing and which source did not answer; and where it is a list of nothing but that source, it is null.
 */

const KEYS = { SEXTANT_ABUSECH_KEY: 'k', SEXTANT_ABUSEIPDB_KEY: 'k', SEXTANT_SHODAN_KEY: 'k' };
/** The lab's own answers know it as leaked. */
const LEAKED = createHash('sha1').update('letmein').digest('hex');
const SAMPLE = createHash('sha256').update('a sample of the lab').digest('hex');
/** Ways out that are no imitated source: each is asked of the target, or of the resolvers. */
const WAYS = ['query', 'fetch', 'handshake', 'converse'] as const;
type Way = (typeof WAYS)[number];

/** Empty without being a claim: what was found is listed, and that not all was asked stands in the verdict. */
const MAY_BE_EMPTY = [
  // Findings and reasons: of what was seen.
  /(^|\.)(findings|all_findings|issues|factors|risk_factors|threat_reasons|warnings|caps|details|missing_signals|headers_missing)(\.|$)/,
  // What several sources show, of those that answered.
  /^(technologies|categories|count|successful)$/,
  // Counts and scores of what was seen.
  /score|points|findings_count|max$/,
];

let lab: Lab;
let direct: NetworkClient;
const away = new Set<Way>();
const ends: (() => void | Promise<void>)[] = [];

before(async () => {
  lab = await openLab();
  direct = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  ends.push(
    () => lab.close(),
    () => direct.close(),
  );
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

/** The way out of the lab, without what is away. Addresses that the operator set are sources, not targets. */
function net(): NetworkClient {
  const gone = (way: Way, host: string): void => {
    if (away.has(way)) throw new NetError(way === 'query' ? 'dns' : 'timeout', `${host}: away`);
  };
  return {
    ...direct,
    async queryDns(name, ...rest) {
      gone('query', name);
      return direct.queryDns(name, ...rest);
    },
    async fetch(url, options) {
      if (options.trusted !== true) gone('fetch', url.hostname);
      return direct.fetch(url, options);
    },
    async tlsHandshake(host, options) {
      gone('handshake', host);
      return direct.tlsHandshake(host, options);
    },
    async sendLine(endpoint, ...rest) {
      gone('converse', endpoint.host);
      return direct.sendLine(endpoint, ...rest);
    },
  };
}

const start = (): Promise<TestService> =>
  startService(
    { after: (end) => ends.push(end) },
    { net: net(), sources: Object.fromEntries(lab.sourceUrls), keys: KEYS },
  );

function questions(): { path: string; body?: unknown }[] {
  const address = lab.host(MALWARE_HOST).address;
  const about = (host: string) =>
    questionsAbout(host).map(({ path, body }) => ({ path, ...(body !== undefined && { body }) }));
  return [
    ...about('kept.lab'),
    ...about(MALWARE_HOST),
    `/v1/ip/${address}`,
    `/v1/threat-report/${address}`,
    `/v1/asn/${address}`,
    `/v1/ioc/${address}`,
    `/v1/hash/${SAMPLE}`,
    `/v1/ioc/${SAMPLE}`,
    `/v1/password/${LEAKED}`,
    '/v1/asn/AS64496',
    `/v1/phishing/${encodeURIComponent(`http://${MALWARE_HOST}/bin/loader.exe`)}`,
    '/v1/exploit/CVE-2021-44228',
  ].map((each) => (typeof each === 'string' ? { path: each } : each));
}

/** Lists with something in them, and numbers above zero, by path. */
function* facts(value: unknown, path: string): Iterable<[string, number]> {
  if (typeof value === 'number' && value > 0) yield [path, value];
  if (Array.isArray(value)) {
    if (value.length > 0) yield [path, value.length];
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!['verdict', 'next_calls', 'summary'].includes(key)) yield* facts(inner, path === '' ? key : `${path}.${key}`);
  }
}

function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], body);
}

const asks = (body: unknown, source: string): boolean =>
  (body as { verdict: { sources_queried: string[] } }).verdict.sources_queried.includes(source);

describe('a source that is away', () => {
  let baseline: Map<string, unknown>;
  before(async () => {
    const service = await start();
    baseline = new Map();
    for (const question of questions()) {
      const { status, body } = await put(service, question);
      if (status === 200) baseline.set(question.path, body);
    }
  });

  for (const source of [...Object.keys(UPSTREAMS), ...WAYS]) {
    test(source, { timeout: 120_000 }, async () => {
      const isWay = (WAYS as readonly string[]).includes(source);
      if (isWay) away.add(source as Way);
      else lab.source(source).mode = 'reset';
      const service = await start();
      const lies: string[] = [];
      let concerned = 0;
      try {
        for (const question of questions()) {
          const before = baseline.get(question.path);
          // Who did not ask the source does not miss it.
          if (!isWay && before !== undefined && !asks(before, source)) continue;
          if (before !== undefined) concerned++;
          const { status, body } = await put(service, question);
          if (before === undefined || status !== 200) {
            assert.notEqual(status, 500, question.path);
            continue;
          }
          for (const [path] of facts(before, '')) {
            const now = at(body, path);
            const isEmpty = now === 0 || (Array.isArray(now) && now.length === 0);
            const isTold = body.verdict?.completeness !== 'complete';
            if (isEmpty && !(isTold && MAY_BE_EMPTY.some((pattern) => pattern.test(path))))
              lies.push(`${question.path}: ${path} is ${JSON.stringify(now)}, ${body.verdict?.completeness}`);
          }
        }
      } finally {
        away.clear();
        if (!isWay) lab.source(source).mode = 'ok';
      }
      assert.ok(concerned > 0, 'no question asks this source');
      assert.deepEqual(lies, []);
    });
  }
});
