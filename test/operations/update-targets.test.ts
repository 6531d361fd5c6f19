import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareRecord } from '../../src/analysis/affected/match-record.ts';
import { subjectOfProduct } from '../../src/analysis/affected/subject.ts';
import { findAffected } from '../../src/operations/cve/lib/find-affected.ts';
import { findUpdateTargets } from '../../src/operations/cve/lib/find-update-targets.ts';

type Range = readonly [from: string | null, before: string | null];

/** A catalog of CVEs in one product, each with its affected ranges. */
function contextOf(cves: Readonly<Record<string, readonly Range[]>>, exploited: readonly string[] = []) {
  const facts = (ranges: readonly Range[]) => [
    {
      source: 'nvd',
      configurations: [],
      products: ranges.map(([start_including, end_excluding]) => ({
        vendor: 'openssl',
        product: 'openssl',
        cpe: 'cpe:2.3:a:openssl:openssl:*:*:*:*:*:*:*:*',
        version: null,
        start_including,
        start_excluding: null,
        end_including: null,
        end_excluding,
        vulnerable: true,
        ecosystem: null,
      })),
    },
  ];
  const all = Object.entries(cves).map(([cve_id, ranges]) => ({ cve_id, records: facts(ranges) }));
  const evidence = { addGap: () => {} };
  const catalog = {
    kevLoaded: true,
    sameProduct: (name: object) => [name],
    productsOfPurl: () => [],
    packageAdvisories: () => [],
    vexOfProduct: () => [],
    cvesOfProducts: () => ({
      add: () => {},
      read: () =>
        all.map(({ cve_id, records }) => ({ cve_id, records: records.map((one) => prepareRecord(one as never)) })),
    }),
    affectedFacts: (id: string) => all.find(({ cve_id }) => cve_id === id)?.records ?? [],
    kev: (id: string) => (exploited.includes(id) ? { date_added: '2024-01-01' } : null),
    epss: () => null,
    remember: () => new Map(),
  };
  return { catalog, evidence, signal: new AbortController().signal } as never;
}

async function targetsOf(version: string, ...given: Parameters<typeof contextOf>) {
  const context = contextOf(...given);
  const subject = subjectOfProduct('openssl', 'openssl', version);
  return findUpdateTargets(await findAffected(subject, null, context), subject);
}

test('the target is of the release line of the version, where that has the fixes', async () => {
  const { most, exploited, reason } = await targetsOf('3.0.6', {
    'CVE-2022-3602': [['3.0.0', '3.0.7']],
    'CVE-2023-2650': [
      ['3.0.0', '3.0.9'],
      ['3.1.0', '3.1.1'],
    ],
  });
  assert.deepEqual(most, { version: '3.0.9', ends: 2, still_affected: 0 });
  assert.deepEqual([exploited, reason], [null, null]);
});

test('a fix of another line that has flaws of its own is not the target', async () => {
  // The fix of the first one, 3.1.0, is affected by the second, which does not affect 3.0.6.
  const cves = { 'CVE-2024-0001': [['3.0.0', '3.1.0']], 'CVE-2024-0002': [['3.1.0', '3.1.4']] } as const;
  assert.deepEqual((await targetsOf('3.0.6', cves)).most, { version: '3.1.4', ends: 1, still_affected: 0 });
});

test('the smallest version that ends the known exploited ones comes first', async () => {
  const cves = { 'CVE-2024-0001': [['3.0.0', '3.0.7']], 'CVE-2024-0002': [['3.0.0', '3.0.9']] } as const;
  const { exploited, most } = await targetsOf('3.0.6', cves, ['CVE-2024-0001']);
  assert.deepEqual(exploited, { version: '3.0.7', ends: 1, still_affected: 1 });
  assert.deepEqual(most, { version: '3.0.9', ends: 2, still_affected: 0 });
});

test('what has no fix is left, and one that is exploited without a fix leaves no target', async () => {
  const cves = { 'CVE-2024-0001': [['3.0.0', '3.0.7']], 'CVE-2024-0002': [['3.0.0', null]] } as const;
  const { exploited, most, reason } = await targetsOf('3.0.6', cves, ['CVE-2024-0002']);
  assert.deepEqual(most, { version: '3.0.7', ends: 1, still_affected: 1 });
  assert.equal(exploited, null);
  assert.match(reason!, /no source names a fixed version/);
});

test('the hash of a commit or a day is no target', async () => {
  for (const end of ['66116556076f', '2022-08-10']) {
    assert.deepEqual(await targetsOf('3.0.6', { 'CVE-2024-0001': [['3.0.0', end]] }), {
      exploited: null,
      most: null,
      reason: null,
    });
  }
});

test('nothing affects it: no target', async () => {
  const targets = await targetsOf('3.0.7', { 'CVE-2022-3602': [['3.0.0', '3.0.7']] });
  assert.deepEqual(targets, { exploited: null, most: null, reason: null });
});
