import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { Lab } from '../lab/lab.ts';
import { openLabNetwork } from '../support/lab-network.ts';
import { startService, type TestService } from '../support/service.ts';

let lab: Lab;
let net: NetworkClient;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };

before(async () => {
  ({ lab, net } = await openLabNetwork(ends));
});
beforeEach(async () => {
  // A service of its own for each test: nothing is cached or counted before.
  service = await startService(owner, { net });
  lab.requests.clear();
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const ok = async (path: string) => {
  const { status, body } = await service.get(path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const fetched = (host: string, path: string): number =>
  lab.requests.count('https', host, path) + lab.requests.count('http', host, path);

describe('the pages of a well-kept site', () => {
  test('brand', async () => {
    const body = await ok('/v1/brand/www.kept.lab');
    assert.equal(body.favicon_url_untrusted, 'https://www.kept.lab/favicon.svg');
    assert.equal(body.og_image_url_untrusted, 'https://www.kept.lab/cover.png');
    assert.equal(body.logo_url_untrusted, 'https://www.kept.lab/logo.png');
    assert.deepEqual([body.theme_color, body.site_name_untrusted], ['#1d4e89', 'Kept']);
    assert.equal(body.cache_respected, false);
  });

  test('seo: its page breaks one of the ten rules, the title has 37 characters', async () => {
    const body = await ok('/v1/seo/kept.lab');
    assert.equal(body.fetched_url, 'https://www.kept.lab/');
    assert.equal(body.title_untrusted, 'Kept: how a web site is looked after');
    assert.deepEqual([body.score, body.missing_signals], [100, []]);
    assert.deepEqual([body.h1_count, body.h2_count, body.images_total, body.images_missing_alt], [1, 3, 1, 0]);
  });

  test('geo: all but comparison content', async () => {
    const body = await ok('/v1/geo/www.kept.lab');
    assert.deepEqual([body.score, body.missing_signals], [95, ['comparison_content']]);
    assert.deepEqual([body.llms_txt_present, body.sitemap_count, body.client_side_rendered], [true, 1, false]);
    assert.deepEqual(body.ai_crawlers_blocked, []);
  });

  test('robots', async () => {
    const body = await ok('/v1/robots/www.kept.lab');
    assert.deepEqual(body.user_agents, { '*': { allow: ['/'], disallow: ['/private/'], crawl_delay: null } });
    assert.deepEqual(body.sitemaps, ['https://www.kept.lab/sitemap.xml']);
    const none = await ok('/v1/robots/robots-404.lab');
    assert.deepEqual([none.status_code, none.user_agents, none.sitemaps, none.host], [404, {}, [], null]);
  });

  test('a robots.txt that could not be read is not an empty one', async () => {
    const body = await ok('/v1/robots/robots-500.lab');
    assert.deepEqual([body.status_code, body.user_agents, body.sitemaps], [500, null, null]);
    assert.equal(body.verdict.completeness, 'partial');
    // RFC 9309, 2.3.1.3: a file that is not available (4xx) allows all.
    const forbidden = await ok('/v1/robots/robots-403.lab');
    assert.deepEqual(
      [forbidden.status_code, forbidden.user_agents, forbidden.verdict.completeness],
      [403, {}, 'complete'],
    );
  });

  test('one look serves several questions, but not where the target forbids it', async () => {
    await ok('/v1/seo/www.kept.lab');
    await ok('/v1/brand/www.kept.lab');
    assert.equal(fetched('www.kept.lab', '/'), 1);
    for (const host of ['no-store.lab', 'private-cache.lab']) {
      assert.equal((await ok(`/v1/seo/${host}`)).cache_respected, true);
      assert.equal((await ok(`/v1/seo/${host}`)).cache_respected, true);
      assert.equal(fetched(host, '/'), 2, host);
    }
  });

  test('a site without https is read without it', async () => {
    assert.equal((await ok('/v1/seo/http-only.lab')).fetched_url, 'http://http-only.lab/');
  });
});

describe('the ethical floor', () => {
  const PAGES = ['brand', 'seo', 'geo'];
  for (const name of ['all', 'us', 'others', '500', 'redirect']) {
    test(`robots-${name}.lab is not fetched by any of the endpoints`, async () => {
      for (const path of [
        ...PAGES.map((page) => `/v1/${page}/robots-${name}.lab`),
        `/v1/redirect/https://robots-${name}.lab/`,
      ]) {
        const { status, body } = await service.get(path);
        assert.deepEqual([status, body.error?.code], [403, 'robots_txt_disallow'], path);
      }
      assert.equal(fetched(`robots-${name}.lab`, '/'), 0);
    });
  }

  for (const name of ['allow', '404', '403', 'html', 'bom', 'huge']) {
    test(`robots-${name}.lab is fetched`, async () => {
      await ok(`/v1/seo/robots-${name}.lab`);
      assert.equal(fetched(`robots-${name}.lab`, '/'), 1);
    });
  }

  test('a redirect to a site that keeps us out ends before it', async () => {
    const body = await ok('/v1/redirect/https://redirect.lab/abroad');
    assert.equal(body.final_url, 'https://poor.lab/');
  });

  test('a target is looked at 60 times a minute, over all endpoints and its subdomains, cached or not', async () => {
    const paths = [...PAGES.map((page) => `/v1/${page}/www.kept.lab`), '/v1/robots/kept.lab'];
    const statuses: number[] = [];
    for (let at = 0; at < 61; at++) statuses.push((await service.get(paths[at % 3 === 0 ? 3 : at % 3]!)).status);
    const { status, headers, body } = await service.get('/v1/seo/www.kept.lab');
    assert.deepEqual([status, body.error.code], [429, 'target_throttled']);
    assert.ok(Number(headers['retry-after']) <= 60 && Number(headers['retry-after']) > 0);
    assert.equal(statuses.filter((each) => each === 200).length, 60);
    assert.equal((await service.get('/v1/seo/poor.lab')).status, 200, 'another target');
  });

  test('a redirect counts its start, and each host that it newly reaches', async () => {
    for (let at = 0; at < 59; at++) await service.get('/v1/robots/www.kept.lab');
    const last = await ok('/v1/redirect/https://redirect.lab/chain');
    assert.equal(last.final_url, 'https://www.kept.lab/');
    const over = await ok('/v1/redirect/https://redirect.lab/chain');
    assert.match(over.stopped_because, /asked about too often/);
    assert.equal(over.hops.at(-1).location, 'https://www.kept.lab/');
  });
});

describe('a chain of redirects', () => {
  for (const [path, expected] of [
    [
      'chain',
      { hop_count: 4, final_url: 'https://www.kept.lab/', final_status: 200, loop_detected: false, truncated: false },
    ],
    ['loop', { loop_detected: true, truncated: true }],
    ['loop-a', { loop_detected: true, hop_count: 2 }],
    ['hop1', { hop_count: 10, truncated: true, loop_detected: false }],
    ['javascript', { hop_count: 1, truncated: true }],
    ['file', { hop_count: 1, truncated: true }],
    ['data', { hop_count: 1, truncated: true }],
    ['private', { hop_count: 1, truncated: true }],
    ['loopback', { hop_count: 1, truncated: true }],
    ['mapped', { hop_count: 1, truncated: true }],
    ['metadata', { hop_count: 1, truncated: true }],
    ['private-name', { hop_count: 1, truncated: true }],
    ['nowhere', { hop_count: 1, truncated: true }],
    ['downgrade', { final_url: 'http://poor.lab/', truncated: false }],
  ] as const) {
    test(path, async () => {
      const body = await ok(`/v1/redirect/https://redirect.lab/${path}`);
      const found = Object.fromEntries(Object.keys(expected).map((field) => [field, body[field]]));
      assert.deepEqual(found, expected, JSON.stringify(body));
      assert.deepEqual(lab.escapes, []);
    });
  }

  test('takes the address as it is, encoded whole, and with its query', async () => {
    for (const url of [
      'https://redirect.lab/chain?x=1&y=a%20b',
      encodeURIComponent('https://redirect.lab/chain?x=1&y=a%20b'),
      'https:/redirect.lab/chain?x=1&y=a%20b',
    ]) {
      assert.equal((await ok(`/v1/redirect/${url}`)).start_url, 'https://redirect.lab/chain?x=1&y=a%20b');
    }
  });

  for (const [given, status] of [
    ['ftp://kept.lab/', 400],
    ['javascript:alert(1)', 400],
    ['kept.lab', 400],
    ['https://user:secret@kept.lab/', 400],
    ['http://127.0.0.1/', 400],
    ['http://2130706433/', 400],
    ['http://[::ffff:7f00:1]/', 400],
    ['https://private.lab/', 400],
    ['https://no-such-name-at-all.lab/', 502],
    ['https://redirect.lab:1/', 400],
  ] as const) {
    test(`${given} is ${status}`, async () => {
      const reply = await service.get(`/v1/redirect/${given}`);
      assert.equal(reply.status, status, reply.text);
      assert.doesNotMatch(reply.text, /secret/);
      assert.deepEqual(lab.escapes, []);
    });
  }
});

describe('what is no page', () => {
  for (const [domain, status] of [
    ['json.lab', 502],
    ['no-such-name-at-all.lab', 404],
    ['private.lab', 400],
    ['servfail.dns.lab', 502],
  ] as const) {
    test(`${domain} is ${status}`, async () => {
      for (const page of ['brand', 'seo', 'geo']) {
        const reply = await service.get(`/v1/${page}/${domain}`);
        assert.equal(reply.status, status, reply.text);
      }
    });
  }
});
