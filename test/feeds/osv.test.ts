import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ghsaFeed } from '../../src/feeds/ghsa/ghsa.ts';
import { packageAdvisoriesOf } from '../../src/feeds/ghsa/package-advisories.ts';
import { osvFeed } from '../../src/feeds/osv/osv.ts';
import { parseFeed, upstreamOf } from './parse-feed.ts';
import { zipOf } from './zip-of.ts';

/** An advisory of our own, in the OSV format. */
function advisory(id: string, of: object = {}): object {
  return {
    schema_version: '1.6.0',
    id,
    modified: '2025-03-01T00:00:00Z',
    published: '2025-02-01T00:00:00Z',
    aliases: ['CVE-2025-1000'],
    summary: 'Too much trust in a header',
    details: 'Long story.',
    affected: [
      {
        package: { ecosystem: 'PyPI', name: 'anvil' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0' }] }],
        versions: ['1.0', '1.5', '3.0'],
      },
    ],
    ...of,
  };
}

const archive = (...advisories: object[]): Buffer =>
  zipOf(advisories.map((one, index) => ({ name: `A-${index}.json`, content: JSON.stringify(one) })));

const parse = (zip: Uint8Array, name = 'PyPI/all.zip') => parseFeed(osvFeed, zip, { name });

describe('an archive', () => {
  test('gives one entry for each package of its ecosystem', async () => {
    const affected = [
      {
        package: { ecosystem: 'PyPI', name: 'anvil' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0' }] }],
      },
      { package: { ecosystem: 'npm', name: 'anvil' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] },
    ];
    const { entries, told } = await parse(archive(advisory('PYSEC-2025-1', { affected })));
    assert.deepEqual(
      entries.map(({ ecosystem, name, advisory: { id } }) => [ecosystem, name, id]),
      [['PyPI', 'anvil', 'PYSEC-2025-1']],
    );
    assert.equal(told.asOf, '2025-03-01T00:00:00.000Z');
  });

  test('listed versions stay only where no range holds them', async () => {
    const { entries } = await parse(archive(advisory('PYSEC-2025-1')));
    assert.deepEqual(entries[0]?.advisory.versions, ['3.0']);
    assert.equal(entries[0]?.advisory.spans[0]?.fixed, '2.0');
  });

  test('withdrawn advisories are left out, ranges of commits too', async () => {
    const commits = {
      affected: [{ package: { ecosystem: 'PyPI', name: 'x' }, ranges: [{ type: 'GIT', events: [] }] }],
    };
    const { entries, told } = await parse(
      archive(advisory('PYSEC-1', { withdrawn: '2025-01-01T00:00:00Z' }), advisory('PYSEC-2', commits)),
    );
    assert.deepEqual(
      entries.map(({ advisory }) => advisory.spans.length),
      [0],
    );
    assert.deepEqual(told.skipped, []);
  });

  test('the severity is that of its vector, its score or its word', async () => {
    const severity = [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }];
    const { entries } = await parse(
      archive(
        advisory('A-1', { severity }),
        advisory('A-2', { database_specific: { cvss_v3: 5.4 } }),
        advisory('A-3', { database_specific: { severity: 'MODERATE' } }),
      ),
    );
    assert.deepEqual(
      entries.map(({ advisory: { cvss_v3, severity } }) => [cvss_v3, severity]),
      [
        [9.8, null],
        [5.4, null],
        [null, 'MEDIUM'],
      ],
    );
  });

  test('a broken advisory is skipped with its reason, the others stay', async () => {
    const unreadable = [
      { package: { ecosystem: 'npm', name: 'x' }, ranges: [{ type: 'SEMVER', events: [{ introduced: 'one' }] }] },
    ];
    const zip = zipOf([
      { name: 'broken.json', content: '{' },
      { name: 'other.json', content: '{"id":"X-1"}' },
      { name: 'odd.json', content: JSON.stringify(advisory('X-2', { affected: unreadable })) },
      { name: 'good.json', content: JSON.stringify(advisory('X-3', { affected: [] })) },
    ]);
    const { told } = await parse(zip, 'npm/all.zip');
    assert.deepEqual(
      told.skipped.map(({ what }) => what),
      ['broken.json', 'other.json', 'odd.json'],
    );
    assert.match(told.skipped[2]!.why, /one is no version/);
  });

  test('what is no archive of advisories is refused', async () => {
    await assert.rejects(parse(Buffer.from('<html></html>')), /HTML/);
    await assert.rejects(parse(zipOf([{ name: 'readme.txt', content: 'hello' }])), /no advisory/);
    await assert.rejects(parse(archive(advisory('A-1')), 'Bitnami/all.zip'), /no known ecosystem/);
  });
});

describe('which archives', () => {
  const memory = { asOf: null, files: new Set<string>() };

  test('of the upstream all that can be checked', async () => {
    const files = await osvFeed.files(upstreamOf('origin', {}), memory);
    const names = files.map(({ name }) => name);
    for (const ecosystem of ['npm', 'PyPI', 'Maven', 'Go', 'crates.io', 'RubyGems', 'Packagist', 'NuGet']) {
      assert.ok(names.includes(`${ecosystem}/all.zip`), ecosystem);
    }
    assert.ok(files.every(({ extent, fingerprint }) => extent === 'whole' && fingerprint === null));
  });

  test('of the publisher not those distributions whose archives are largest', async () => {
    const origin = { ...upstreamOf('origin', {}), readText: async () => 'npm\nAlpine\nUbuntu\n' };
    const files = await osvFeed.files(origin, memory);
    assert.deepEqual(
      files.map(({ name }) => name),
      ['npm/all.zip', 'Alpine/all.zip'],
    );
  });

  test('of a copy those that its list names', async () => {
    const copy = { ...upstreamOf('folder', {}), readText: async () => 'Bitnami\nGo\nnpm\nAlpine\nUbuntu\n' };
    const files = await osvFeed.files(copy, memory);
    assert.deepEqual(
      files.map(({ name }) => name),
      ['npm/all.zip', 'Go/all.zip', 'Ubuntu/all.zip', 'Alpine/all.zip'],
    );
    await assert.rejects(osvFeed.files({ ...copy, readText: async () => 'Bitnami\n' }, memory), /names none of/);
  });
});

test("GitHub's ranges become spans, by package; a withdrawn advisory has none", async () => {
  const page = [
    {
      ghsa_id: 'GHSA-2222-3333-4444',
      cve_id: 'CVE-2025-1000',
      summary: 'Anvils fall',
      severity: 'high',
      published_at: '2025-01-01T00:00:00Z',
      updated_at: '2025-01-02T00:00:00Z',
      vulnerabilities: [
        vulnerability('pip', '>= 1.0, < 1.5', '1.5'),
        vulnerability('pip', '<= 0.9', null),
        vulnerability('pip', '= 2.0', '2.0.1'),
        vulnerability('pip', 'sometimes', null),
        vulnerability('swift', '< 1', null),
      ],
    },
  ];
  const { entries } = await parseFeed(ghsaFeed, Buffer.from(JSON.stringify(page)));
  const [found, ...others] = packageAdvisoriesOf(entries[0]!);
  assert.deepEqual(others, []);
  assert.equal(found?.ecosystem, 'PyPI');
  assert.equal(found.advisory.severity, 'HIGH');
  const ends = found.advisory.spans.map((span) => [
    span.start_including,
    span.end_including ?? span.end_excluding,
    span.fixed,
  ]);
  assert.deepEqual(ends, [
    ['1.0', '1.5', '1.5'],
    [null, '0.9', null],
    ['2.0', '2.0', '2.0.1'],
  ]);
  assert.deepEqual(packageAdvisoriesOf({ ...entries[0]!, withdrawn: '2025-02-01T00:00:00.000Z' }), []);
});

function vulnerability(ecosystem: string, range: string, patched: string | null): object {
  return {
    package: { ecosystem, name: 'anvil' },
    vulnerable_version_range: range,
    first_patched_version: patched,
  };
}
