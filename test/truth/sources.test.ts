import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullCatalog, noFeeds } from '../support/full-catalog.ts';
import { chance } from '../support/random.ts';
import { gathered } from './raw/gathered.ts';
import { advisories, cvelistRecords, epssScores, exploitIds, knownExploited } from './raw/parts.ts';

const skip = noFeeds;

test('each source holds as many records as the description of the feeds counts', { skip }, async () => {
  const { catalog, ask } = await fullCatalog();
  const documented = {
    nvd: 237_666,
    cvelist: 1500,
    ghsa: 5298,
    kev: 1404,
    epss: 291_657,
    cwe: 964,
    exploitdb: 46_093,
  };
  const counted = Object.keys(documented).map((id) => [id, catalog.generation.sources[id]?.records] as const);
  assert.deepEqual(Object.fromEntries(counted), documented);
  const { data_sources } = await ask('status', {});
  for (const [id, records] of Object.entries(documented)) {
    assert.equal(data_sources[id].records, records, id);
    assert.equal(data_sources[id].skipped_records, 0, id);
    assert.equal(data_sources[id].last_error, null, id);
  }
});

test('all 1,404 known-exploited CVEs have their entry, the 230 without an NVD record too', { skip }, async () => {
  const { ask, catalog } = await fullCatalog();
  const entries = knownExploited();
  let withoutNvd = 0;
  for (const entry of entries) {
    const detail = await ask('kev_detail', { cve_id: entry.cveID });
    assert.deepEqual(
      [
        detail['vendor_project'],
        detail['product'],
        detail['vulnerability_name'],
        detail['date_added'],
        detail['due_date'],
      ],
      [entry.vendorProject, entry.product, entry.vulnerabilityName, entry.dateAdded, entry.dueDate].map((text) =>
        text.trim(),
      ),
      entry.cveID,
    );
    assert.equal(detail['known_ransomware_use'], entry.knownRansomwareCampaignUse === 'Known' || null, entry.cveID);
    assert.deepEqual(detail['cwe_list'], entry.cwes, entry.cveID);
    const cve = await ask('cve_lookup', { cve_id: entry.cveID });
    assert.deepEqual(cve['kev'], { in_kev: true, date_added: entry.dateAdded, due_date: entry.dueDate }, entry.cveID);
    const record = catalog.cve(entry.cveID, false)!.record;
    if (record?.sources.includes('nvd')) continue;
    withoutNvd++;
    assert.notEqual(cve['verdict'].completeness, 'complete', entry.cveID);
    assert.ok(cve['verdict'].gaps.length > 0, entry.cveID);
    assert.ok(cve['description'], entry.cveID);
    if (record !== null) continue;
    assert.equal(cve['verdict'].completeness, 'minimal', entry.cveID);
    assert.deepEqual([cve['severity'], cve['cvss_v3'], cve['published']], [null, null, null], entry.cveID);
    assert.deepEqual(cve['cwe_ids'], entry.cwes, entry.cveID);
    const risk = await ask('calculate_risk_score', { cve_id: entry.cveID });
    assert.ok(risk['missing_inputs'].includes('cvss_v3'), entry.cveID);
    assert.match(risk['recommendation'], /lower bound/, entry.cveID);
    assert.ok(risk['score'] >= 30, entry.cveID);
  }
  assert.equal(withoutNvd, 230);
});

test('a weakness that only the known-exploited catalog names is named', { skip }, async () => {
  const { ask, catalog } = await fullCatalog();
  const unnamed = knownExploited().filter(({ cveID, cwes }) => {
    const record = catalog.cve(cveID, true)!.record;
    return cwes.length > 0 && record !== null && record.weaknesses.every(({ source }) => source === 'kev');
  });
  assert.ok(unnamed.length > 100, `${unnamed.length}`);
  const wrong: string[] = [];
  for (const { cveID, cwes } of unnamed) {
    const { cwe_ids } = await ask('cve_lookup', { cve_id: cveID });
    const { results } = await ask('cve_search', { cwe_id: cwes[0], kev: true, include_rejected: true, limit: 200 });
    const isFound = results.some(({ cve_id }: any) => cve_id === cveID);
    if (cwe_ids.join() !== cwes.join() || !isFound) wrong.push(`${cveID}: ${cwe_ids}, not ${cwes}; found: ${isFound}`);
  }
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} CVEs`);
});

test('a CVE that only EPSS knows is answered from that, as minimal', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const known = new Set(rows.map(({ id }) => id));
  const onlyEpss = [...epssScores()].filter(([id]) => !known.has(id));
  assert.ok(onlyEpss.length > 40_000, `${onlyEpss.length}`);
  const dice = chance(5);
  for (let turn = 0; turn < 200; turn++) {
    const [id, [score, percentile]] = dice.pick(onlyEpss);
    const cve = await ask('cve_lookup', { cve_id: id });
    assert.equal(cve['verdict'].completeness, 'minimal', id);
    assert.deepEqual(cve['sources'], ['epss'], id);
    assert.deepEqual(cve['epss'], { score, percentile }, id);
    assert.deepEqual(cve['kev'], { in_kev: false, date_added: null, due_date: null }, id);
    assert.deepEqual(
      [cve['severity'], cve['description'], cve['references'], cve['affected_products']],
      [null, null, [], []],
      id,
    );
  }
});

test('a CVE that no source knows is not found', { skip }, async () => {
  const { ask } = await fullCatalog();
  await assert.rejects(ask('cve_lookup', { cve_id: 'CVE-2025-99999999' }), { code: 'not_found' });
  await assert.rejects(ask('kev_detail', { cve_id: 'CVE-1999-0095' }), { code: 'not_found' });
});

test('the 600 CVEs that the CVE list has and the NVD has not are there', { skip }, async () => {
  const { ask } = await fullCatalog();
  const { rows } = await gathered();
  const leading = new Set(rows.filter((row) => row.leading).map(({ id }) => id));
  let alone = 0;
  for (const { cveMetadata, containers } of cvelistRecords()) {
    const cve = await ask('cve_lookup', { cve_id: cveMetadata.cveId });
    assert.ok(cve['sources'].includes('cvelist'), cveMetadata.cveId);
    if (cve['sources'].includes('nvd')) continue;
    alone++;
    const description = containers.cna.descriptions.find(({ lang }: any) => /^en/i.test(lang)).value as string;
    assert.equal(plain(cve['description']), plain(description), cveMetadata.cveId);
    assert.equal(cve['published'], new Date(cveMetadata.datePublished).toISOString(), cveMetadata.cveId);
    assert.notEqual(cve['verdict'].completeness, 'complete', cveMetadata.cveId);
    assert.ok(leading.has(cveMetadata.cveId), cveMetadata.cveId);
  }
  assert.equal(alone, 600);
});

test('a fact that is said to be from a source is what that source says', { skip }, async () => {
  const { ask } = await fullCatalog();
  const list = new Map(cvelistRecords().map((record) => [record.cveMetadata.cveId as string, record]));
  const ghsa = Map.groupBy(advisories(), ({ cve_id }) => cve_id as string | null);
  let joined = 0;
  for (const id of new Set([...list.keys(), ...[...ghsa.keys()].filter((id) => id !== null)])) {
    const { fact_sources, sources, description, published } = await ask('cve_lookup', { cve_id: id });
    if (sources.includes('nvd')) continue;
    joined++;
    const texts = (ghsa.get(id) ?? []).map((advisory) => plain(advisory.description ?? ''));
    const times = (ghsa.get(id) ?? []).map((advisory) => new Date(advisory.published_at).toISOString());
    const record = list.get(id);
    if (fact_sources.description === 'ghsa') assert.ok(texts.includes(plain(description)), id);
    if (fact_sources.published === 'ghsa') assert.ok(times.includes(published), id);
    if (fact_sources.published === 'cvelist')
      assert.equal(published, new Date(record.cveMetadata.datePublished).toISOString(), id);
    assert.equal(published === null, fact_sources.published === null, id);
  }
  assert.ok(joined > 1000, `${joined}`);
});

test('exploits of 300 random CVEs are those of the archive', { skip }, async () => {
  const { ask, catalog } = await fullCatalog();
  const byCve = exploitIds();
  assert.equal([...byCve.values()].reduce((sum, { length }) => sum + length, 0) > 27_042, true);
  const ids = [...byCve.keys()];
  const dice = chance(9);
  for (let turn = 0; turn < 300; turn++) {
    const id = dice.pick(ids);
    const expected = byCve.get(id)!.toSorted((a, b) => a - b);
    const { exploits, exploits_found, has_public_exploit } = await ask('exploit_lookup', { cve_id: id });
    assert.equal(exploits_found, expected.length, id);
    assert.equal(has_public_exploit, true, id);
    assert.deepEqual(
      exploits.map(({ edb_id }: any) => edb_id),
      expected.slice(0, 50),
      id,
    );
    if (catalog.cve(id, false) !== null) {
      assert.equal((await ask('calculate_risk_score', { cve_id: id }))['has_public_poc'], true, id);
    }
  }
});

function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ').trim();
}
