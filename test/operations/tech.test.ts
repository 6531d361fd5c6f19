import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { type Lab, openLab } from '../lab/lab.ts';
import { call } from '../mcp/rpc.ts';
import { facts, product } from '../support/facts.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildFixtureCatalog, type MoreEntries, temporaryFolder } from './fixture-catalog.ts';

const any = (vendor: string, name: string, version = '*', target = '*'): string =>
  `cpe:2.3:a:${vendor}:${name}:${version}:*:*:*:*:${target}:*:*`;

/** Products and ranges as the NVD has them; made-up CVEs are of 2099. */
const CVES: MoreEntries['cve'] = [
  facts({ cve_id: 'CVE-2021-40438', products: [product(any('apache', 'http_server'), { end_including: '2.4.48' })] }),
  facts({ cve_id: 'CVE-2021-41773', products: [product(any('apache', 'http_server', '2.4.49'))] }),
  facts({
    cve_id: 'CVE-2019-11043',
    products: [
      product(any('php', 'php'), { start_including: '7.1.0', end_excluding: '7.1.33' }),
      product(any('php', 'php'), { start_including: '7.3.0', end_excluding: '7.3.11' }),
    ],
  }),
  facts({
    cve_id: 'CVE-2020-11022',
    products: [product(any('jquery', 'jquery'), { start_including: '1.2', end_excluding: '3.5.0' })],
  }),
  facts({ cve_id: 'CVE-2022-21661', products: [product(any('wordpress', 'wordpress'), { end_excluding: '5.8.3' })] }),
  facts({
    cve_id: 'CVE-2020-35489',
    products: [product(any('rocklobster', 'contact_form_7', '*', 'wordpress'), { end_excluding: '5.3.2' })],
  }),
  // Another vendor's product of the same name.
  facts({ cve_id: 'CVE-2099-1000', products: [product(any('someone', 'http_server'))] }),
  ...[1, 2, 3, 4, 5, 6, 7].map((number) =>
    facts({
      cve_id: `CVE-2099-200${number}`,
      products: [product(any('woocommerce', 'woocommerce', '*', 'wordpress'), { end_excluding: '4.0.0' })],
    }),
  ),
];
const MORE: MoreEntries = {
  cve: CVES,
  kev: [
    {
      cve_id: 'CVE-2021-40438',
      vendor_project: 'Apache',
      product: 'Apache',
      vulnerability_name: 'Apache HTTP Server-Side Request Forgery (SSRF)',
      date_added: '2021-12-01',
      due_date: '2021-12-15',
      required_action: 'Apply updates per vendor instructions.',
      short_description: 'A crafted request makes mod_proxy forward to a server of the sender.',
      known_ransomware_use: false,
      notes: null,
      cwes: ['CWE-918'],
    },
  ],
  epss: [1, 2, 3, 4, 5, 6, 7].map((number) => ({
    cve_id: `CVE-2099-200${number}`,
    score: number / 10,
    percentile: number / 10,
  })),
  exploit: [
    {
      edb_id: 50663,
      cve_ids: ['CVE-2022-21661'],
      title: "WordPress Core 5.8.2 - 'WP_Query' SQL Injection",
      date_published: '2022-01-13',
      author: 'Aryan Chehreghani',
      type: 'webapps',
      platform: 'php',
      verified: false,
    },
  ],
};

let lab: Lab;
let net: NetworkClient;
let service: TestService;
let catalog: string;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => ends.push(end) };

before(async () => {
  lab = await openLab();
  net = openNetworkClient({ ...lab.netOptions, allowedPrivate: [], proxy: null });
  catalog = buildFixtureCatalog([], temporaryFolder(), MORE);
  ends.push(
    () => lab.close(),
    () => net.close(),
  );
});
beforeEach(async () => {
  service = await startService(owner, { net, catalog });
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

describe('technologies of a site', () => {
  const named = (body: { technologies: { name: string; version: string | null; source: string }[] }) =>
    Object.fromEntries(body.technologies.map(({ name, version, source }) => [name, [version, source]]));

  test('WordPress with plugins, as its own pages say', async () => {
    const body = await ok('/v1/tech/wordpress.lab');
    assert.deepEqual(named(body), {
      nginx: ['1.18.0', 'header: server'],
      PHP: ['7.4.33', 'header: x-powered-by'],
      WordPress: ['5.8.1', 'meta: generator'],
      'Contact Form 7': ['5.3.1', 'plugin: contact-form-7'],
      WooCommerce: [null, 'plugin: woocommerce'],
      'Twenty Twenty-One': ['1.4', 'theme: twentytwentyone'],
      jQuery: ['3.6.0', 'script'],
    });
    assert.equal(body.count, 7);
    assert.ok(body.categories.includes('CMS') && body.categories.includes('web server'));
    assert.deepEqual(body.technologies.find(({ name }: { name: string }) => name === 'nginx').cpe, {
      vendor: 'f5',
      product: 'nginx',
    });
  });

  test('a server that tells all', async () => {
    assert.deepEqual(named(await ok('/v1/tech/poor.lab')), {
      'Apache HTTP Server': ['2.4.29', 'header: server'],
      OpenSSL: ['1.0.2k', 'header: server'],
      Ubuntu: [null, 'header: server'],
      PHP: ['5.6.40', 'header: x-powered-by'],
      'ASP.NET': ['4.0.30319', 'header: x-aspnet-version'],
      jQuery: ['1.8.3', 'script'],
      Bootstrap: ['3.3.7', 'script'],
    });
  });

  test('an application of Next.js on Vercel, and a site behind Cloudflare', async () => {
    const next = named(await ok('/v1/tech/next.lab'));
    assert.deepEqual(Object.keys(next).toSorted(), ['Next.js', 'Node.js', 'React', 'Vercel']);
    assert.deepEqual(named(await ok('/v1/tech/cdn.lab')), { Cloudflare: [null, 'header: server'] });
  });

  test('one look serves technologies, vulnerabilities and the other pages', async () => {
    await ok('/v1/tech/wordpress.lab');
    await ok('/v1/domain/wordpress.lab/vulns');
    await ok('/v1/seo/wordpress.lab');
    assert.equal(lab.requests.count('https', 'wordpress.lab', '/'), 1);
  });

  for (const path of ['/v1/tech/', '/v1/domain/']) {
    test(`${path}: what robots.txt forbids is not fetched`, async () => {
      const rest = path === '/v1/domain/' ? '/vulns' : '';
      const { status, body } = await service.get(`${path}robots-us.lab${rest}`);
      assert.deepEqual([status, body.error.code], [403, 'robots_txt_disallow']);
      assert.equal(lab.requests.count('https', 'robots-us.lab', '/'), 0);
      assert.equal((await service.get(`${path}no-such-name-at-all.lab${rest}`)).status, 404);
      assert.equal((await service.get(`${path}private.lab${rest}`)).status, 400);
      assert.deepEqual(lab.escapes, []);
    });
  }

  test('what is no page is told by its headers', async () => {
    assert.equal((await ok('/v1/tech/json.lab')).count, 0);
  });
});

describe('vulnerabilities of the technologies', () => {
  // The CVEs of PHP that are here affect later versions; its branch 5.6 ended on 2018-12-31, as php.net says.
  test('a release that has ended says so, without any CVE; "none" says in which catalog', async () => {
    const body = await ok('/v1/domain/poor.lab/vulns');
    const php = body.technologies.find(({ name }: { name: string }) => name === 'PHP');
    assert.deepEqual([php.version, php.support.is_supported, php.support.ends_at], ['5.6.40', false, '2018-12-31']);
    assert.equal(
      body.vulnerabilities.some(({ technology }: { technology: string }) => technology === 'PHP'),
      false,
    );
    for (const { name, cpe, cves_looked_up } of body.technologies) assert.equal(cves_looked_up, cpe !== null, name);
    assert.equal(body.catalog.is_starter, false);
    assert.match(body.catalog.as_of, /^\d{4}-\d\d-\d\d$/);
    const { text } = await service.get('/domain/poor.lab?part=technologies', { accept: 'text/html' });
    assert.match(text, /PHP 5\.6\.40 gets no more security fixes/);
    assert.match(text.replace(/<[^>]*>/g, ''), /no security fixes since 2018-12-31[\s]*none in this catalog/);
    assert.match(text, /looked for in the catalog \(NVD of \d{4}-\d\d-\d\d, CVE List of \d{4}/);
    assert.deepEqual(
      body.catalog.feeds.map(({ feed }: { feed: string }) => feed),
      ['nvd', 'cvelist', 'ghsa'],
    );
  });

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
  const byName = (body: any) => new Map<string, any>(body.vulnerabilities.map((row: any) => [row.technology, row]));
  const ids = (row: { cves: { cve_id: string }[] }): string[] => row.cves.map(({ cve_id }) => cve_id);

  test('of a version, those whose range holds it, of that vendor', async () => {
    const body = await ok('/v1/domain/poor.lab/vulns');
    const rows = byName(body);
    assert.deepEqual(ids(rows.get('Apache HTTP Server')), ['CVE-2021-40438']);
    assert.deepEqual(ids(rows.get('jQuery')), ['CVE-2020-11022']);
    assert.equal(rows.get('Apache HTTP Server').version, '2.4.29');
    assert.equal(rows.get('Apache HTTP Server').cves[0].in_kev, true);
    assert.equal(rows.has('PHP'), false, '5.6.40 is in no range of CVE-2019-11043');
    assert.equal(body.vulnerabilities[0].technology, 'Apache HTTP Server', 'what is exploited comes first');
    assert.equal(body.total_cves, 2);
    assert.match(body.summary, /1 known to be exploited/);
  });

  test('the same CVEs and the same update as a check of the product says', async () => {
    const { vulnerabilities, technologies } = await ok('/v1/domain/poor.lab/vulns');
    for (const { technology, version, cves, update } of vulnerabilities) {
      const { cpe } = technologies.find(({ name }: { name: string }) => name === technology);
      const { status, body } = await service.post('/v1/affected', { ...cpe, version });
      assert.equal(status, 200, JSON.stringify(body));
      const affected = body.results.filter((row: { status: string }) => row.status === 'affected');
      assert.deepEqual(ids({ cves }).toSorted(), ids({ cves: affected }).toSorted(), technology);
      assert.equal(update?.version, body.update_targets.most?.version, technology);
    }
  });

  test('of an unknown version the five riskiest, and it says so', async () => {
    const body = await ok('/v1/domain/wordpress.lab/vulns');
    const rows = byName(body);
    assert.deepEqual(ids(rows.get('WordPress')), ['CVE-2022-21661']);
    assert.deepEqual(ids(rows.get('Contact Form 7')), ['CVE-2020-35489']);
    assert.equal(rows.has('jQuery'), false, '3.6.0 has the fix');
    const { version, version_unknown, cve_count, cves } = rows.get('WooCommerce');
    assert.deepEqual([version, version_unknown, cve_count], [null, true, 7]);
    assert.deepEqual(
      cves.map(({ cve_id }: { cve_id: string }) => cve_id),
      [7, 6, 5, 4, 3].map((number) => `CVE-2099-200${number}`),
    );
    assert.equal(body.total_cves, 2, 'of versions that are known');
    assert.equal(body.vulnerabilities.at(-1).technology, 'WooCommerce');
  });

  test('the audit keeps to robots.txt as all others do', async () => {
    const { isError, body } = await call(service, 'tech_stack_cve_audit', { domain: 'robots-us.lab' });
    assert.deepEqual([isError, body.error.code], [true, 'robots_txt_disallow']);
    assert.equal(lab.requests.count('https', 'robots-us.lab', '/'), 0);
  });

  test('the audit adds what is known of exploitation, over MCP alone', async () => {
    const { isError, body } = await call(service, 'tech_stack_cve_audit', { domain: 'poor.lab' });
    assert.equal(isError, false, JSON.stringify(body));
    const [apache] = byName(body).get('Apache HTTP Server').cves;
    assert.deepEqual(apache.kev, {
      date_added: '2021-12-01',
      due_date: '2021-12-15',
      required_action: 'Apply updates per vendor instructions.',
      known_ransomware_use: null,
    });
    assert.deepEqual([apache.exploit_count, apache.exploits], [0, []]);
    const wordpress = byName((await call(service, 'tech_stack_cve_audit', { domain: 'wordpress.lab' })).body);
    const [flaw] = wordpress.get('WordPress').cves;
    assert.equal(flaw.kev, null);
    assert.deepEqual(flaw.exploits, [
      { edb_id: 50663, title: "WordPress Core 5.8.2 - 'WP_Query' SQL Injection", verified: false },
    ]);
    assert.equal((await service.get('/v1/tech_stack_cve_audit/poor.lab')).status, 404);
  });
});
