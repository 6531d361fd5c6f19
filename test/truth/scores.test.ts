import assert from 'node:assert/strict';
import { test } from 'node:test';
import { organizationShortName } from '../../src/analysis/cve/organization-short-name.ts';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { chance } from '../support/random.ts';
import { gathered } from './raw/gathered.ts';
import { advisories, cvelistRecords, epssScores } from './raw/parts.ts';

const skip = noFeeds;

test('every CVSS vector of the NVD feeds is kept with its score and scorer', { skip }, async () => {
  const { catalog } = await fullCatalog();
  const { vectors } = await gathered();
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (const [id, expected] of vectors) {
    const kept = (catalog.cve(id, false)?.record?.metrics ?? [])
      .filter(({ source }) => source === 'nvd')
      .map(({ version, vector, base_score, scorer }) => `${version} ${vector} ${base_score} ${scorer}`);
    if (kept.join('\n') !== expected.join('\n')) wrong.push(`${id}: ${kept.join(', ')}, not ${expected.join(', ')}`);
    for (const version of new Set(expected.map((text) => text.slice(0, 3))))
      counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  assert.deepEqual(wrong, []);
  // As the feeds' own description counts them.
  assert.deepEqual(Object.fromEntries(counts), { '2.0': 159_656, '3.0': 48_297, '3.1': 91_051, '4.0': 2269 });
});

test('every CVSS vector of the CVE list is kept with its scorer', { skip }, async () => {
  const { catalog } = await fullCatalog();
  let seen = 0;
  for (const { cveMetadata, containers } of cvelistRecords()) {
    const expected = [containers.cna, ...(containers.adp ?? [])].flatMap((container: any) =>
      (container.metrics ?? []).flatMap((metric: any) =>
        [metric.cvssV4_0, metric.cvssV3_1, metric.cvssV3_0, metric.cvssV2_0]
          .filter((cvss) => cvss !== undefined)
          .map((cvss) => `${cvss.vectorString} ${container.providerMetadata.shortName}`),
      ),
    );
    const kept = catalog.cve(cveMetadata.cveId, true)!.record!.metrics.filter(({ source }) => source === 'cvelist');
    assert.deepEqual(
      kept.map(({ vector, scorer }) => `${vector} ${scorer}`),
      expected,
      cveMetadata.cveId,
    );
    seen += expected.length;
  }
  assert.equal(seen, 190 + 840 + 126 + 102 + 180);
});

test('a CVE scored only under v4.0, or only by another than the NVD, has a severity and says whose', {
  skip,
}, async () => {
  const { ask } = await fullCatalog();
  const { vectors, rows } = await gathered();
  const only = (holds: (texts: string[]) => boolean) => vectors.filter(([, texts]) => holds(texts));
  const underV4 = only((texts) => texts.every((text) => text.startsWith('4.0 ')));
  const byOthers = only((texts) => texts.every((text) => !text.endsWith(' nvd@nist.gov')));
  assert.ok(
    underV4.length > 500 && byOthers.length > 20_000,
    `${underV4.length} under v4 alone, ${byOthers.length} by others`,
  );
  const severities = new Map(rows.map(({ id, severity }) => [id, severity]));
  const dice = chance(77);
  const drawn = [...underV4, ...Array.from({ length: 1000 }, () => dice.pick(byOthers))];
  for (const [id, texts] of drawn) {
    const { severity, severity_source, cvss_v3, cvss_v4 } = await ask('cve_lookup', { cve_id: id });
    assert.equal(severity, severities.get(id), id);
    if (severity === null) continue;
    const { version, vector, base_score, scorer, source } = severity_source;
    const named = texts.map((text) => text.replace(/\S+$/, organizationShortName));
    if (source === 'nvd') assert.ok(named.includes(`${version} ${vector} ${base_score} ${scorer}`), id);
    if (severity_source.version === '4.0') assert.deepEqual([cvss_v3, cvss_v4], [null, base_score], id);
  }
});

test('a score of 0.0 by one scorer does not take away the severity that another gives', { skip }, async () => {
  const { ask } = await fullCatalog();
  // CISA gave these 3.1 with no impact at all; the CNA, under 4.0, scored them 6.3 to 8.8.
  for (const [id, severity, scorer] of [
    ['CVE-2024-9124', 'HIGH', 'PSIRT@rockwellautomation.com'],
    ['CVE-2024-9286', 'HIGH', 'cve@usom.gov.tr'],
    ['CVE-2024-47534', 'HIGH', 'security-advisories@github.com'],
    ['CVE-2024-47609', 'MEDIUM', 'security-advisories@github.com'],
  ] as const) {
    const answer = await ask('cve_lookup', { cve_id: id, include_severity_breakdown: true });
    assert.deepEqual([answer['severity'], answer['severity_source']?.scorer], [severity, scorer], id);
    assert.equal(answer['severity_disagreement'], true, `${id}: NONE and ${severity} are not one opinion`);
  }
});

test('a vector that GitHub gives without its score, or with 0.0, has the score of the same vector elsewhere', {
  skip,
}, async () => {
  const { catalog } = await fullCatalog();
  const { vectors } = await gathered();
  const baseOf = (vector: string): string =>
    vector
      .split('/')
      .slice(0, vector.startsWith('CVSS:4') ? 12 : 9)
      .join('/');
  const texts = vectors.flatMap(([, assessments]) => assessments).map((text) => text.split(' '));
  const scores = new Map(texts.map(([, vector, score]) => [baseOf(vector!), Number(score)]));
  const wrong = new Set<string>();
  for (const { cve_id } of advisories()) {
    if (cve_id === null) continue;
    for (const { vector, base_score } of catalog.cve(cve_id, true)!.record!.metrics) {
      const score = scores.get(baseOf(vector)) ?? 0;
      if (score > 0 && (base_score ?? 0) === 0) wrong.add(`${cve_id} ${vector}: ${base_score}, not ${score}`);
    }
  }
  assert.deepEqual([...wrong], []);
});

test('EPSS scores are those of the file, for 2,000 random CVEs and for all that it lists', { skip }, async () => {
  const { ask, catalog } = await fullCatalog();
  const scores = [...epssScores()];
  assert.equal(scores.length, 291_657);
  for (const [id, [score, percentile]] of scores) {
    const kept = catalog.epss(id);
    if (kept?.score !== score || kept.percentile !== percentile) assert.deepEqual(kept, { score, percentile }, id);
  }
  const dice = chance(78);
  for (let turn = 0; turn < 2000; turn++) {
    const [id, [score, percentile]] = dice.pick(scores);
    const answer = await ask('epss_lookup', { cve_id: id });
    assert.deepEqual(
      [answer['score'], answer['percentile'], answer['score_date']],
      [score, percentile, '2025-08-30'],
      id,
    );
    assert.equal(answer['model_version'], 'v2025.03.14');
    assert.deepEqual((await ask('cve_lookup', { cve_id: id }))['epss'], { score, percentile }, id);
  }
});
