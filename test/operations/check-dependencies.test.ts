import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startService } from '../support/service.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { longestTurnIn } from '../support/loop-delay.ts';
import { IDS } from './fixture-facts.ts';
import { buildFixtureCatalog } from './fixture-catalog.ts';

/** For others, by work of this size. */
const MAX_HELD_UP_MS = 50;

const PATH = '/v1/check/dependencies';
const service = await startService({ after });

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
type Body = any;

async function check(input: object): Promise<Body> {
  const { status, body } = await service.post(PATH, input);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function faultOf(input: object): Promise<string> {
  const { status, body } = await service.post(PATH, input);
  assert.equal(status, 422, JSON.stringify(body));
  assert.equal(body.error.code, 'validation_error');
  return body.error.message;
}

const names = (body: Body): string[] => body.findings.map(({ package: name }: Body) => name);

describe('findings', () => {
  test('two ids of one flaw are one finding, with the fix that both agree on', async () => {
    const body = await check({ packages: [{ name: 'lodash', version: '4.17.20', ecosystem: 'npm' }] });
    assert.equal(body.total, 1);
    const [finding] = body.findings;
    assert.equal(finding.cve_id, 'CVE-2024-90011');
    assert.deepEqual(finding.aliases, ['GHSA-9999-9999-9999', 'OSV-2025-1', 'OSV-2025-2']);
    assert.equal(finding.fixed_in, '4.17.22');
    assert.deepEqual(finding.matched_by, ['osv']);
    assert.deepEqual(finding.evidence.toSorted(), ['OSV-2025-1', 'OSV-2025-2']);
    assert.match(finding.remediation, /4\.17\.22/);
  });

  test('CVE, EPSS and the known-exploited catalog are joined, and the riskiest comes first', async () => {
    const body = await check({
      packages: ['pkg:npm/lodash@4.17.20', 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'],
    });
    assert.deepEqual(names(body), ['org.apache.logging.log4j:log4j-core', 'lodash']);
    const [first] = body.findings;
    assert.equal(first.cve_id, IDS.log4shell);
    assert.equal(first.severity, 'CRITICAL');
    assert.equal(first.cvss_v3, 10);
    assert.equal(first.epss_score, 0.94358);
    assert.equal(first.in_kev, true);
    assert.equal(body.by_severity.CRITICAL, 1);
    assert.deepEqual(body.next_calls[0], {
      tool: 'cve_lookup',
      input: IDS.log4shell,
      value: IDS.log4shell,
      reason: body.next_calls[0].reason,
    });
  });

  test('the ends of ranges are told apart, and listed versions count', async () => {
    const affected = async (version: string): Promise<number> =>
      (await check({ packages: [{ name: 'two-branches', version, ecosystem: 'npm' }] })).total;
    for (const [version, expected] of [
      ['0.9.9', 0],
      ['1.0.0-rc.1', 0],
      ['1.0.0', 1],
      ['1.4.1', 1],
      ['1.4.2', 0],
      ['2.0.0', 1],
      ['2.3.0', 1],
      ['2.3.1', 0],
      ['3.0.0-odd', 1],
    ] as const) {
      assert.equal(await affected(version), expected, version);
    }
  });

  test('names are those of the ecosystem: PyPI ignores case and separators', async () => {
    assert.equal((await check({ packages: [{ name: 'JINJA2', version: '2.7', ecosystem: 'pypi' }] })).total, 1);
    assert.equal((await check({ packages: [{ name: 'JINJA2', version: '2.7.3', ecosystem: 'pip' }] })).total, 0);
  });

  test('an advisory without a CVE has its own severity, and no CVE', async () => {
    const { findings } = await check({ purls: ['pkg:pypi/jinja2@2.0'] });
    assert.equal(findings[0].cve_id, null);
    assert.equal(findings[0].severity, 'MEDIUM');
    assert.equal(findings[0].cvss_v3, null);
    assert.equal(findings[0].in_kev, false);
  });

  test('a package that was published to do harm is critical, and the remedy is not an upgrade', async () => {
    const { findings } = await check({ packages: ['pkg:npm/evil-left-pad@1.0.0'] });
    assert.equal(findings[0].severity, 'CRITICAL');
    assert.equal(findings[0].fixed_in, null);
    assert.match(findings[0].remediation, /^Remove evil-left-pad/);
  });

  test('without an ecosystem a name is matched in all of them, and each finding says which', async () => {
    const body = await check({ packages: [{ name: 'lodash', version: '4.17.20' }] });
    assert.deepEqual(body.findings.map(({ ecosystem }: Body) => ecosystem).toSorted(), ['PyPI', 'npm']);
  });

  test('packages are counted as they were given: one name in two ecosystems is one package', async () => {
    const body = await check({ packages: [{ name: 'lodash', version: '4.17.20' }] });
    assert.equal(body.packages_vulnerable, 1);
    assert.match(body.summary, /^2 known flaws in 1 of the 1 package checked/);
  });

  test('a Go package URL in lower case, as the purl specification has it, is the module of the advisory', async () => {
    for (const purl of [
      'pkg:golang/github.com/masterminds/goutils@v1.1.0',
      'pkg:golang/github.com/Masterminds/goutils@1.1.0',
    ]) {
      assert.equal((await check({ purls: [purl] })).total, 1, purl);
    }
    const fixed = await check({
      packages: [{ name: 'github.com/Masterminds/goutils', version: '1.1.1', ecosystem: 'Go' }],
    });
    assert.equal(fixed.total, 0);
  });

  test('an advisory that its title says is withdrawn is no finding', async () => {
    const { findings } = await check({ packages: [{ name: 'two-branches', version: '1.0.0', ecosystem: 'npm' }] });
    assert.deepEqual(
      findings.map(({ evidence }: Body) => evidence),
      [['OSV-2025-3']],
    );
  });

  test('a Maven artifact is found without its group, and by CPE where no advisory knows it', async () => {
    const artifact = await check({ packages: ['log4j-core@2.14.1'] });
    assert.deepEqual(names(artifact), ['org.apache.logging.log4j:log4j-core']);
    const given = await check({ packages: [{ name: 'log4j-core', version: '2.14.1', ecosystem: 'Maven' }] });
    assert.deepEqual(names(given), names(artifact));
    const product = await check({ packages: ['log4j@2.14.1', 'log4j@2.15.0', 'log4j@1.2'] });
    assert.equal(product.total, 1);
    assert.deepEqual(product.findings[0].matched_by, ['cpe']);
    assert.equal(product.findings[0].ecosystem, null);
    assert.equal(product.findings[0].fixed_in, '2.15.0');
    assert.match(product.findings[0].evidence[0], /^cpe:2\.3:a:apache:log4j:/);
  });
});

describe('what cannot be said is said', () => {
  test('an ecosystem that was never synced is a gap', async () => {
    const nuget = await check({ packages: [{ name: 'newtonsoft.json', version: '9.0.1', ecosystem: 'NuGet' }] });
    assert.equal(nuget.total, 0);
    assert.equal(nuget.verdict.completeness, 'partial');
    assert.match(nuget.verdict.gaps.join(), /OSV's advisories for NuGet have not been synced/);
    const npm = await check({ packages: [{ name: 'lodash', version: '5.0.0', ecosystem: 'npm' }] });
    assert.equal(npm.verdict.completeness, 'complete');
    assert.deepEqual(npm.verdict.sources_queried.includes('osv'), true);
  });

  test('also for a package without an ecosystem, which might be of any', async () => {
    const { verdict } = await check({ packages: [{ name: 'left-pad', version: '1.0.0' }] });
    assert.equal(verdict.completeness, 'partial');
    assert.match(verdict.gaps.join(), /OSV's advisories for .*NuGet.* have not been synced/);
    assert.doesNotMatch(verdict.gaps.join(), /advisories for [^:]*npm/);
  });

  test('an address is not the name of a package', async () => {
    const body = await check({ packages: ['git+https://example.com/x/y@v1.0'] });
    assert.equal(body.packages_checked, 0);
    assert.match(body.unchecked[0].reason, /address/);
  });

  test('ranges of a requirements.txt are unchecked, and lines that were not understood are a gap', async () => {
    const lockfile = 'jinja2!=2.7\njinja2<3\nhttps://example.com/a.zip\n';
    const body = await check({ lockfile, filename: 'requirements.txt' });
    assert.equal(body.total, 0);
    assert.deepEqual(
      body.unchecked.map(({ version }: Body) => version),
      ['!=2.7', '<3'],
    );
    assert.match(body.verdict.gaps.join(), /no package is named in line 3/);
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('without the feed it is unavailable, not clean', async (t) => {
    const without = await startService(t, { catalog: buildFixtureCatalog(['osv']) });
    const { body } = await without.post(PATH, { packages: ['pkg:npm/lodash@4.17.20'] });
    assert.ok(body.verdict.sources_unavailable.includes('osv'));
    assert.equal(body.verdict.completeness, 'partial');
  });

  test('versions and packages that cannot be read are listed with the reason', async () => {
    const odd = [
      'latest',
      '^1.0.0',
      '>=2',
      '1.x',
      '*',
      '',
      '${project.version}',
      '9'.repeat(257),
      '\u202e1.0',
      '1.0 || 2.0',
    ];
    const body = await check({
      packages: [
        ...odd.map((version) => ({ name: 'two-branches', version: version.slice(0, 256), ecosystem: 'npm' })),
        { name: 'x', version: '1', ecosystem: 'CRAN' },
        { purl: 'not a purl' },
        { purl: 'pkg:deb/debian/curl@7.50.3' },
        { version: '1.0' },
      ],
    });
    const readable = 1; // 256 nines are a version.
    assert.equal(body.total, 0);
    assert.equal(body.unchecked.length, odd.length - readable + 4);
    assert.equal(body.packages_checked, readable);
    assert.match(body.verdict.gaps.join(), /could not be checked/);
    for (const { reason } of body.unchecked) assert.ok(reason.length > 5);
    assert.doesNotMatch(JSON.stringify(body), /\u202e/);
  });

  test('fifty absurd versions take no time', async () => {
    const absurd = ['9', '1.', '1-', '1.a', '0', '1+', '-', '1~', 'v1!', '1e9'];
    const packages = absurd.flatMap((part) =>
      ['npm', 'PyPI', 'Maven', 'Go', 'Packagist'].map((ecosystem) => ({
        name: 'lodash',
        version: part.repeat(256).slice(0, 256),
        ecosystem,
      })),
    );
    const started = cpuMs();
    const body = await check({ packages });
    assert.ok(cpuMs() - started < 2500);
    assert.equal(body.packages_given, 50);
    assert.equal(body.packages_checked + body.unchecked.length, 50);
  });
});

describe('forms of input', () => {
  test('exactly one of them', async () => {
    assert.match(await faultOf({}), /exactly one of packages, purls, sbom, lockfile: none/);
    assert.match(await faultOf({ packages: [], purls: [] }), /packages and purls are there/);
    assert.match(await faultOf({ lockfile: 'x==1' }), /filename: missing/);
    assert.match(await faultOf({ packages: [], filename: 'go.mod' }), /goes with lockfile alone/);
    assert.match(await faultOf({ packages: [], offset: 5 }), /goes with sbom and lockfile alone/);
    assert.match(await faultOf({ packages: Array.from({ length: 51 }, () => 'a@1') }), /too many/);
    assert.match(await faultOf({ lockfile: 'x', filename: 'readme.md' }), /"readme\.md" is the name of no lockfile/);
  });

  test('an empty list costs nothing and finds nothing', async () => {
    const { status, headers, body } = await service.post(PATH, { packages: [] });
    assert.equal(status, 200);
    assert.equal(headers['x-ratelimit-cost'], '0');
    assert.equal(body.total, 0);
  });

  test('a lockfile', async () => {
    const body = await check({
      lockfile: 'Jinja2==2.7\n# a comment\nflask==3.0\n',
      filename: './app/requirements-dev.txt',
    });
    assert.deepEqual(names(body), ['Jinja2']);
    assert.equal(body.packages_given, 2);
  });

  test('of a long one the first fifty, and how to go on', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `package-${index}==1.0`);
    const lockfile = [...lines, 'jinja2==2.7'].join('\n');
    const first = await check({ lockfile, filename: 'requirements.txt' });
    assert.equal(first.packages_given, 121);
    assert.equal(first.packages_checked, 50);
    assert.equal(first.next_offset, 50);
    assert.equal(first.not_reached.length, 71);
    assert.equal(first.not_reached[0], 'pkg:pypi/package-50@1.0');
    assert.match(first.summary, /50 of 121 packages/);
    assert.match(first.verdict.gaps.join(), /71 packages not reached/);
    const last = await check({ lockfile, filename: 'requirements.txt', offset: 100 });
    assert.equal(last.next_offset, null);
    assert.deepEqual(names(last), ['jinja2']);
  });

  test('an SBOM as text or as an object', async () => {
    const sbom = {
      bomFormat: 'CycloneDX',
      components: [{ name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' }],
      dependencies: [
        { ref: 'a', dependsOn: ['b'] },
        { ref: 'b', dependsOn: ['a'] },
      ],
    };
    for (const form of [sbom, JSON.stringify(sbom)]) assert.deepEqual(names(await check({ sbom: form })), ['lodash']);
    assert.match(await faultOf({ sbom: { hello: 'world' } }), /neither a CycloneDX nor an SPDX/);
  });

  test('a component of an SBOM is matched by its CPE name, by vendor and product, whatever stands beside it', async () => {
    const component = (of: object): object => ({
      sbom: { bomFormat: 'CycloneDX', components: [{ name: 'liblog', ...of }] },
    });
    const found = async (of: object): Promise<string[]> =>
      (await check(component(of))).findings.map(({ cve_id, version }: Body) => `${cve_id} ${version}`);
    const hit = [`${IDS.log4shell} 2.14.1`];
    const rest = ':*:*:*:*:*:*:*';
    assert.deepEqual(await found({ cpe: `cpe:2.3:a:apache:log4j:2.14.1${rest}` }), hit);
    assert.deepEqual(await found({ version: '2.14.1-3ubuntu1', cpe: `cpe:2.3:a:apache:log4j:2.14.1${rest}` }), hit);
    assert.deepEqual(await found({ version: '2.14.1', cpe: `cpe:2.3:a:apache:log4j:*${rest}` }), hit);
    assert.deepEqual(await found({ version: '2.14.1', cpe: 'cpe:/a:apache:log4j:2.14.1' }), hit, 'a CPE 2.2 URI');
    assert.deepEqual(await found({ version: '2.14.1', cpe: 'cpe:2.3:a:apache:log4j:2.14.1' }), hit, 'without its end');
    assert.deepEqual(
      await found({ purl: 'pkg:deb/debian/liblog@2.14.1', cpe: `cpe:2.3:a:apache:log4j:2.14.1${rest}` }),
      hit,
    );
    assert.deepEqual(
      await found({ version: '2.14.1', cpe: `cpe:2.3:a:other:log4j:2.14.1${rest}` }),
      [],
      'of another vendor',
    );
    assert.deepEqual(await found({ version: '2.15.0', cpe: `cpe:2.3:a:apache:log4j:2.15.0${rest}` }), []);
  });

  test('a colon inside a CPE component is not the end of it (NISTIR 7695, section 6.2)', async () => {
    const cpe = 'cpe:2.3:a:vendor:a\\:b:1.0:*:*:*:*:*:*:*';
    const sbom = { bomFormat: 'CycloneDX', components: [{ name: '', cpe }] };
    const { unchecked, packages_checked } = await check({ sbom });
    assert.deepEqual([unchecked, packages_checked], [[], 1]);
  });

  test('the marker of a merge conflict is named with its line', async () => {
    const lockfile = '{\n "packages": {\n<<<<<<< HEAD\n "a": 1\n=======\n "b": 2\n>>>>>>> main\n}}';
    assert.match(
      await faultOf({ lockfile, filename: 'package-lock.json' }),
      /line 3 is the marker of a merge conflict/,
    );
  });

  test('a document of nearly a megabyte leaves the event loop alone', async () => {
    const components = Array.from({ length: 8500 }, (_, index) => ({
      name: `part-${index}`,
      version: '1.0.0',
      purl: `pkg:npm/part-${index}@1.0.0`,
    }));
    const sbom = JSON.stringify({ bomFormat: 'CycloneDX', components });
    await check({ sbom: '{"bomFormat":"CycloneDX"}' });
    const worst = await longestTurnIn(
      async () => assert.equal((await check({ sbom })).packages_given, 8500),
      MAX_HELD_UP_MS,
    );
    assert.ok(worst < MAX_HELD_UP_MS, `held up for ${worst.toFixed(0)} ms`);
  });
});

describe('cost', () => {
  const packages = ['pkg:npm/a@1', 'pkg:npm/b@1', { name: 'a', version: '1', ecosystem: 'npm' }, 'pkg:npm/c@1'];

  test('one for each different package', async (t) => {
    const metered = await startService(t, { quota: { keyless: 30 } });
    const { headers } = await metered.post(PATH, { packages });
    assert.equal(headers['x-ratelimit-cost'], '3');
    assert.equal(headers['x-ratelimit-remaining'], '27');
  });

  test('what the quota does not reach is listed, of a lockfile too', async (t) => {
    const metered = await startService(t, { quota: { keyless: 5 } });
    const { body } = await metered.post(PATH, { packages: packages.slice(0, 2) });
    assert.deepEqual(body.skipped_due_to_rate_limit, []);
    const lockfile = ['a==1', 'b==1', 'jinja2==2.7', 'c==1', 'd==1'].join('\n');
    const second = await metered.post(PATH, { lockfile, filename: 'requirements.txt' });
    assert.equal(second.status, 200);
    assert.deepEqual(names(second.body), ['jinja2']);
    assert.deepEqual(second.body.skipped_due_to_rate_limit, ['pkg:pypi/c@1', 'pkg:pypi/d@1']);
    assert.match(second.body.verdict.gaps.join(), /2 packages skipped/);
    assert.equal((await metered.post(PATH, { packages })).status, 429);
  });

  test('a broken document costs nothing', async (t) => {
    const metered = await startService(t, { quota: { keyless: 5 } });
    const broken = await metered.post(PATH, { lockfile: 'not json', filename: 'package-lock.json' });
    assert.equal(broken.status, 422);
    const { headers } = await metered.post(PATH, { packages: [] });
    assert.equal(headers['x-ratelimit-remaining'], '5');
  });
});
