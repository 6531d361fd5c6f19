import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { CatalogView } from '../../src/catalog/catalog-view.ts';
import { Evidence } from '../../src/engine/evidence.ts';
import { findProductCves } from '../../src/operations/web/lib/product-cves.ts';
import { FEEDS_NOW, fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { startService } from '../support/service.ts';
import { IDS } from './fixture-facts.ts';

type Body = Record<string, any>;

describe('over the small catalog', async () => {
  const service = await startService({ after });
  const ask = async (body: object): Promise<Body> => (await service.post('/v1/affected', body)).body;

  test('a package: its advisory decides, and says the fix', async () => {
    const body = await ask({ purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1' });
    const [first] = body.results;
    assert.equal(first.cve_id, IDS.log4shell);
    assert.equal(first.status, 'affected');
    assert.equal(first.rule.kind, 'advisory');
    assert.equal(first.fixed_in, '2.15.0');
    assert.deepEqual(body.counts, { affected: body.total, not_affected: 0, unknown: 0 });
    assert.equal(body.subject.ecosystem, 'Maven');
  });

  test('a CVE that no source knows is unknown, and the summary says the decision first', async () => {
    const body = await ask({ product: 'log4j', version: '2.14.1', cve_ids: [IDS.unknown] });
    assert.deepEqual(body.counts, { affected: 0, not_affected: 0, unknown: 1 });
    assert.equal(body.results[0].rule.kind, 'none');
    assert.match(
      body.summary,
      new RegExp(`^${IDS.unknown} may or may not affect log4j 2.14.1: no source has a record of it.$`),
    );
  });

  test('a product that nothing names is no sign of safety', async () => {
    const body = await ask({ product: 'no_such_product', version: '1.0' });
    assert.equal(body.total, 0);
    assert.equal(body.verdict.completeness, 'minimal');
    assert.match(body.summary, /No source names no_such_product/);
  });

  test('a CVE that only the known-exploited catalog ties to the product cannot be told, and is counted', async () => {
    const kev = (await service.get(`/v1/kev/${IDS.kevOnly}`)).body;
    const body = await ask({ vendor: kev.vendor_project, product: kev.product, version: '1.0' });
    const found = body.results.find(({ cve_id }: Body) => cve_id === IDS.kevOnly);
    assert.deepEqual([found.status, found.rule.source, found.kev.in_kev], ['unknown', 'kev', true]);
    assert.ok(body.known_exploited.unknown >= 1);
  });

  test('pages: the rows of all pages are all rows, once', async () => {
    const all = await ask({ product: 'log4j', version: '2.14.1', limit: 200 });
    const ids: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Body = await ask({ product: 'log4j', version: '2.14.1', limit: 1, offset });
      ids.push(...page.results.map(({ cve_id }: Body) => cve_id));
      offset = page.next_offset;
    }
    assert.deepEqual(
      ids,
      all.results.map(({ cve_id }: Body) => cve_id),
    );
    assert.equal(ids.length, all.total);
  });

  for (const [what, body, field] of [
    ['nothing', {}, 'product'],
    ['two subjects', { product: 'a', purl: 'pkg:npm/a@1' }, 'product'],
    ['a broken purl', { purl: 'lodash' }, 'purl'],
    ['a purl of no known type', { purl: 'pkg:conan/zlib@1.2' }, 'purl'],
    ['a Debian package without its release', { purl: 'pkg:deb/debian/curl@7.88.1-10' }, 'purl'],
    ['a range for a version', { purl: 'pkg:npm/lodash@%5E4.17.0' }, 'version'],
    ['a CPE name without a product', { cpe: 'cpe:2.3:a:apache' }, 'cpe'],
    ['a text for a CVE id', { product: 'a', cve_ids: ['log4shell'] }, 'cve_ids'],
  ] as const) {
    test(`${what}: 422 with the field`, async () => {
      const { status, body: answer } = await service.post('/v1/affected', body);
      assert.equal(status, 422);
      assert.equal(answer.detail[0].loc[1], field);
    });
  }
});

describe('over the full catalog', { skip: noFeeds }, () => {
  const ask = async (input: Record<string, unknown>): Promise<Body> =>
    (await fullCatalog()).ask('affected_check', input);
  test('what ends all that affects Struts 2.3.31 ends the known exploited ones, too', async () => {
    const { counts, update_targets } = await ask({ vendor: 'apache', product: 'struts', version: '2.3.31' });
    assert.equal(update_targets.most.ends, counts.affected);
    assert.deepEqual(update_targets.exploited, update_targets.most);
    assert.equal(update_targets.reason, null);
  });

  test('CVE-2021-41773 and CVE-2021-42013 of Apache 2.4.49 are known exploited, in whichever record', async () => {
    const body = await ask({ vendor: 'apache', product: 'http_server', version: '2.4.49', limit: 200 });
    const exploited = body['results'].filter(({ status, kev }: Body) => status !== 'not_affected' && kev.in_kev);
    for (const id of ['CVE-2021-41773', 'CVE-2021-42013'])
      assert.ok(
        exploited.some(({ cve_id }: Body) => cve_id === id),
        id,
      );
    assert.match(body['summary'], /known exploited/);
  });

  test('a name without a vendor is that of the product which is named most, or a choice', async () => {
    const node = await ask({ product: 'node', version: '14.0.0', limit: 1 });
    assert.deepEqual([node['subject'].vendor, node['candidates']], ['nodejs', []]);
    assert.match(node['verdict'].gaps.join(), /ovirt node has the name, too/);
    const netscaler = await ask({ product: 'netscaler', version: '13.0', limit: 1 });
    assert.match(netscaler['summary'], /^"netscaler" may mean several products/);
    assert.ok(netscaler['candidates'].length > 1);
  });

  test('Log4Shell is not in Log4j 1.2', async () => {
    const { status } = await decide({
      vendor: 'apache',
      product: 'log4j',
      version: '1.2.17',
      cve_ids: ['CVE-2021-44228'],
    });
    assert.equal(status, 'not_affected');
  });

  const decide = async (input: Record<string, unknown>): Promise<Body> => (await ask(input)).results[0];

  // Truths that can be read at the vendor: each with the version and the decision.
  for (const [cve, input, status, fixed] of [
    ['CVE-2021-44228', { vendor: 'apache', product: 'log4j', version: '2.14.1' }, 'affected', '2.15.0'],
    ['CVE-2021-44228', { vendor: 'apache', product: 'log4j', version: '2.17.1' }, 'not_affected', null],
    ['CVE-2014-0160', { cpe: 'cpe:2.3:a:openssl:openssl:1.0.1f' }, 'affected', '1.0.1g'],
    ['CVE-2014-0160', { cpe: 'cpe:2.3:a:openssl:openssl:1.0.1g' }, 'not_affected', null],
    ['CVE-2014-0160', { cpe: 'cpe:2.3:a:openssl:openssl:1.0.0' }, 'not_affected', null],
    ['CVE-2021-23017', { product: 'nginx', vendor: 'nginx', version: '1.20.0' }, 'affected', '1.20.1'],
    ['CVE-2021-23017', { product: 'nginx', vendor: 'nginx', version: '1.20.1' }, 'not_affected', null],
    // Chrome on Windows alone: without the platform it cannot be told.
    ['CVE-2025-2783', { vendor: 'google', product: 'chrome', version: '134.0.6998.100' }, 'unknown', '134.0.6998.177'],
    [
      'CVE-2025-2783',
      { vendor: 'google', product: 'chrome', version: '134.0.6998.100', platform: 'windows' },
      'affected',
      '134.0.6998.177',
    ],
    [
      'CVE-2025-2783',
      { vendor: 'google', product: 'chrome', version: '134.0.6998.100', platform: 'linux' },
      'not_affected',
      null,
    ],
    // Two numberings of one product: 15.0.2 is 2023.0.2.
    ['CVE-2023-34362', { vendor: 'progress', product: 'moveit_transfer', version: '15.0.0' }, 'affected', '2023.0.2'],
    ['CVE-2023-34362', { vendor: 'progress', product: 'moveit_transfer', version: '15.0.2' }, 'not_affected', null],
    // Names of 2007 without a version.
    ['CVE-2007-2627', { product: 'wordpress', version: '6.1.1' }, 'unknown', null],
    ['CVE-2007-3205', { product: 'php', version: '7.4' }, 'unknown', null],
    // sudo.ws, "Buffer overflow in command line unescaping": fixed in 1.9.5p2; the NVD names 1.9.5 and its patch1.
    ['CVE-2021-3156', { product: 'sudo', vendor: 'sudo_project', version: '1.9.5p1' }, 'affected', null],
    ['CVE-2021-3156', { product: 'sudo', vendor: 'sudo_project', version: '1.9.5p2' }, 'not_affected', null],
    // The NVD names cumulative updates and releases: the version alone may be any of them.
    ['CVE-2021-26855', { product: 'exchange_server', version: '2016' }, 'unknown', null],
    ['CVE-2021-26855', { product: 'exchange_server', version: '2016 CU18' }, 'affected', null],
    ['CVE-2025-0282', { product: 'connect_secure', version: '22.7' }, 'unknown', null],
    ['CVE-2025-0282', { product: 'connect_secure', version: '22.7R2.4' }, 'affected', null],
    ['CVE-2025-0282', { product: 'connect_secure', version: '22.7R2.5' }, 'not_affected', null],
    // Three branches with a fix each: without a version none of them is the fix.
    ['CVE-2021-44228', { vendor: 'apache', product: 'log4j' }, 'unknown', null],
    ['CVE-2021-44228', { purl: 'pkg:maven/org.apache.logging.log4j/log4j-core' }, 'unknown', null],
  ] as const) {
    test(`${cve}, ${JSON.stringify(input)}: ${status}`, async () => {
      const row = await decide({ ...input, cve_ids: [cve] });
      assert.equal(row['status'], status);
      assert.equal(row['fixed_in'], fixed);
    });
  }

  test('what is not known is said so that one can go on', async () => {
    const reasonOf = async (cve_id: string, input: Record<string, unknown>) =>
      (await decide({ ...input, cve_ids: [cve_id] }))['reason'];
    // EternalBlue: the NVD names the SMBv1 server, running on Windows 7.
    assert.equal(
      await reasonOf('CVE-2017-0144', { product: 'windows_7' }),
      'named only as what microsoft server_message_block runs on: ask about that, with this as its platform',
    );
    assert.equal(await reasonOf('CVE-2024-6387', { product: 'openssh' }), 'no source says which products it affects');
    assert.equal(await reasonOf('CVE-2014-0160', { product: 'acme' }), 'no source names this product');
    assert.match(
      await reasonOf('CVE-2014-0160', { product: 'openssl' }),
      /affected: from 1\.0\.1 and before 1\.0\.1g$/,
    );
    const { summary } = await ask({ product: 'openssl', cve_ids: ['CVE-2014-0160'] });
    assert.doesNotMatch(summary, /says nvd/);
  });

  test('not affected: the reason has the affected versions of every branch', async () => {
    const { reason } = await decide({ product: 'confluence_server', version: '8.5.2', cve_ids: ['CVE-2023-22515'] });
    assert.equal(
      reason,
      '8.5.2 is outside the affected versions: from 8.0.0 and before 8.3.3, from 8.4.0 and before 8.4.3, from 8.5.0 and before 8.5.2',
    );
  });

  // The NVD: up to 3.4.8, 3.5.0 to 3.5.2. GitHub's and OSV's advisories of the package do not have it.
  for (const [version, status] of [
    ['3.4.8', 'affected'],
    ['3.4.9', 'not_affected'],
  ] as const) {
    test(`ZooKeeper ${version} by its package URL: the CPE names of purl2cpe decide, as the less certain ones`, async () => {
      const body = await ask({
        purl: `pkg:maven/org.apache.zookeeper/zookeeper@${version}`,
        cve_ids: ['CVE-2016-5017'],
      });
      const [row] = body['results'];
      assert.deepEqual([row.status, row.rule.source, row.rule.kind], [status, 'nvd', 'configuration']);
      assert.equal(row.reason.includes('by a CPE name alone'), status === 'affected');
      assert.ok(body['verdict'].sources_queried.includes('purl2cpe'));
    });
  }

  // The NVD names lodash:lodash before 4.17.21; GHSA-35jh-r3h4-6jhm has the CVE.
  test('where an advisory of the package has the CVE, it decides, not the CPE name of purl2cpe', async () => {
    const row = await decide({ purl: 'pkg:npm/lodash@4.17.20', cve_ids: ['CVE-2021-23337'] });
    assert.deepEqual([row['status'], row['rule'].kind, row['fixed_in']], ['affected', 'advisory', '4.17.21']);
  });

  test('a statement of the maker: Rancher says that RKE2 does not have CVE-2020-8911', async () => {
    const row = await decide({ purl: 'pkg:golang/github.com/rancher/rke2@v1.30.1', cve_ids: ['CVE-2020-8911'] });
    assert.equal(row['status'], 'not_affected');
    assert.equal(row['reason'], 'not affected: vulnerable code not present, says Rancher Security team');
    assert.equal(row['rule'].source, 'vex');
  });

  test('an SBOM: a CVE of 2007 without a version range is undecided, and what product names alone say is of low confidence', async () => {
    const component = { name: 'wordpress', cpe: 'cpe:2.3:a:wordpress:wordpress:6.1.1:*:*:*:*:*:*:*' };
    const sbom = { bomFormat: 'CycloneDX', specVersion: '1.5', components: [component] };
    const body = await (await fullCatalog()).ask('check_dependencies', { sbom });
    const ids = (rows: Body[]): string[] => rows.map(({ cve_id }) => cve_id);
    assert.ok(!ids(body['findings']).includes('CVE-2007-2627'));
    const row = body['undecided'].find(({ cve_id }: Body) => cve_id === 'CVE-2007-2627');
    assert.equal(row?.reason, 'named as affected, without its versions');
    assert.ok(body['findings'].length > 0);
    for (const { matched_by, confidence } of body['findings']) {
      assert.deepEqual([matched_by, confidence], [['cpe'], 'low']);
    }
  });

  test('a technology of a site: PHP 7.4.0 is not told to have CVE-2007-3205', async () => {
    const { catalog } = await fullCatalog();
    const evidence = new Evidence(catalog.generation.sources, FEEDS_NOW);
    const { signal } = new AbortController();
    const deps = { catalog: new CatalogView(catalog, evidence), evidence, now: FEEDS_NOW, signal };
    const php = { name: 'PHP', category: 'language', version: '7.4.0', cpe: { vendor: 'php', product: 'php' } };
    const [row] = (await findProductCves([php as never], 500, deps)).rows;
    assert.ok(!row!.cves.some(({ cve_id }) => cve_id === 'CVE-2007-3205'));
    assert.ok(row!.undecided_count >= row!.undecided.length && row!.undecided_count > 0);
    // CVE-2019-11043: PHP-FPM, fixed in 7.1.33, 7.2.24 and 7.3.11; CVE-2020-7066: 7.4 before 7.4.4.
    assert.ok(!row!.cves.some(({ cve_id }) => cve_id === 'CVE-2019-11043'));
    assert.ok(row!.cves.some(({ cve_id }) => cve_id === 'CVE-2020-7066'));
  });

  test('all CVEs of a product: Heartbleed is among those of OpenSSL 1.0.1f, and known exploited ones come first', async () => {
    const body = await ask({ vendor: 'openssl', product: 'openssl', version: '1.0.1f', limit: 200 });
    assert.equal(body['results'][0].cve_id, 'CVE-2014-0160');
    assert.match(body['summary'], /^openssl 1\.0\.1f is affected by \d+ of \d+ CVEs, 1 known exploited\./);
  });
});
