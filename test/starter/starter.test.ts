import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readHandWritten } from '../../scripts/starter/hand-written.ts';
import { cveKey } from '../../src/analysis/cve/cve-id.ts';
import { scoreVector } from '../../src/analysis/cvss/score-vector.ts';
import { readStarterCatalog } from '../../src/feeds/starter-catalog.ts';

const folder = fileURLToPath(new URL('../../starter/', import.meta.url));
const path = `${folder}catalog.json`;
const starter = await readStarterCatalog(path);
const cves = new Map(starter.cves.map((cve) => [cve.cve_id, cve]));
const kev = new Map(starter.kev.map((row) => [row.cve_id, row]));
const cwes = new Map(starter.cwes.map((cwe) => [cwe.cwe_id, cwe]));

/** Categories and a deprecated entry that NVD still names: no weaknesses of view 1000. */
const OUTSIDE_OF_VIEW_1000 = new Set(['CWE-189', 'CWE-216', 'CWE-264', 'CWE-275', 'CWE-310', 'CWE-388']);
/** The pillars of view 1000 (cwe.mitre.org/data/definitions/1000.html). */
const PILLARS = new Set([284, 435, 664, 682, 691, 693, 697, 703, 707, 710].map((number) => `CWE-${number}`));

function ascending(keys: number[]): boolean {
  return keys.every((key, place) => place === 0 || keys[place - 1]! < key);
}

test('about 150 CVEs of 2012 to 2025, each once and in order', () => {
  assert.ok(starter.cves.length >= 150 && starter.cves.length <= 170, `${starter.cves.length}`);
  assert.ok(ascending(starter.cves.map((cve) => cveKey(cve.cve_id)!)));
  assert.ok(ascending(starter.kev.map((row) => cveKey(row.cve_id)!)));
  assert.ok(ascending(starter.epss.scores.map((row) => cveKey(row.cve_id)!)));
  assert.ok(ascending(starter.exploits.map((exploit) => exploit.edb_id)));
  assert.ok(ascending(starter.cwes.map((cwe) => Number(cwe.cwe_id.slice(4)))));
  const years = new Set(starter.cves.map((cve) => cve.cve_id.slice(4, 8)));
  assert.equal([...years].join(' '), '2012 2013 2014 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025');
});

test('the lists speak of the CVEs of the starter only, and EPSS of all of them', () => {
  for (const row of [...starter.kev, ...starter.epss.scores]) assert.ok(cves.has(row.cve_id), row.cve_id);
  for (const { edb_id, cve_ids } of starter.exploits) {
    assert.ok(cve_ids.length > 0 && cve_ids.every((id) => cves.has(id)), `exploit ${edb_id}`);
  }
  assert.equal(starter.epss.scores.length, starter.cves.length);
  assert.equal(starter.as_of, '2025-08-25');
  assert.equal(starter.epss.score_date, '2025-08-30');
});

test('every CVE has what a reader looks for first', () => {
  for (const cve of starter.cves) {
    const { cve_id } = cve;
    assert.equal(cve.status, 'Published', cve_id);
    assert.equal(cve.rejected, false, cve_id);
    assert.match(cve.published ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, cve_id);
    assert.ok(cve.modified !== null && cve.modified >= cve.published!, cve_id);
    assert.ok(cve.metrics.length > 0 && cve.metrics.length <= 3, `${cve_id} metrics`);
    assert.ok(cve.references.length > 0 && cve.references.length <= 6, `${cve_id} references`);
    assert.ok(cve.products.length > 0 && cve.products.length <= 12, `${cve_id} products`);
    assert.ok(
      cve.products.some((product) => product.vulnerable),
      `${cve_id} vulnerable product`,
    );
    for (const { cpe } of cve.products) {
      assert.match(cpe ?? '', /^cpe:2\.3:[aoh](?::(?:\\.|[^\\:\s])+){10}$/, `${cve_id} ${cpe}`);
    }
  }
});

test('scores follow from their vectors', () => {
  for (const { cve_id, metrics } of starter.cves) {
    for (const { vector, base_score } of metrics) {
      assert.equal(base_score, scoreVector(vector).base_score, `${cve_id} ${vector}`);
    }
  }
});

test('every weakness named is there, and every chain of parents ends at a pillar', () => {
  const named = [
    ...starter.cves.flatMap((cve) => cve.weaknesses.map((weakness) => weakness.cwe_id)),
    ...starter.kev.flatMap((row) => row.cwes),
  ];
  for (const id of named) assert.ok(cwes.has(id) || OUTSIDE_OF_VIEW_1000.has(id), id);
  for (const id of OUTSIDE_OF_VIEW_1000) assert.ok(!cwes.has(id), id);
  for (const cwe of starter.cwes) {
    assert.equal(cwe.in_view_1000, true, cwe.cwe_id);
    for (const parent of cwe.parents) assert.ok(cwes.has(parent), `${cwe.cwe_id} has the parent ${parent}`);
    assert.equal(cwe.parents.length === 0, PILLARS.has(cwe.cwe_id), cwe.cwe_id);
    assert.equal(cwe.abstraction === 'Pillar', PILLARS.has(cwe.cwe_id), cwe.cwe_id);
    for (const { reference } of cwe.examples) assert.ok(cves.has(reference), `${cwe.cwe_id} tells of ${reference}`);
  }
});

test('sentences are of sensible length and end as sentences do', () => {
  const sentence = (text: string | null, place: string, least: number, most: number) => {
    assert.match(text ?? '', /^\S.*[.!]$/s, `${place}: ${text}`);
    assert.ok(text!.length >= least && text!.length <= most, `${place}: ${text!.length} characters`);
    assert.doesNotMatch(text!, /[\n\t]| {2}/, place);
  };
  const heading = (text: string | null, place: string) => {
    assert.match(text ?? '', /^\S.*[^.\s]$/, `${place}: ${text}`);
    assert.ok(text!.length >= 15 && text!.length <= 100, `${place}: ${text!.length} characters`);
  };
  for (const { cve_id, title, description } of starter.cves) {
    heading(title, cve_id);
    sentence(description, cve_id, 200, 450);
  }
  for (const row of starter.kev) {
    heading(row.vulnerability_name, row.cve_id);
    sentence(row.short_description, row.cve_id, 40, 200);
    sentence(row.required_action, row.cve_id, 20, 160);
  }
  for (const { edb_id, title } of starter.exploits) heading(title, `exploit ${edb_id}`);
  for (const { cwe_id, description, mitigations, examples } of starter.cwes) {
    sentence(description, cwe_id, 50, 300);
    assert.ok(mitigations.length >= 2 && mitigations.length <= 3, cwe_id);
    for (const mitigation of mitigations) sentence(mitigation.description, cwe_id, 20, 160);
    for (const example of examples) sentence(example.description, cwe_id, 20, 160);
  }
});

test('no sentence serves twice', () => {
  const descriptions = [...starter.cves, ...starter.cwes].map((entry) => entry.description);
  const titles = starter.cves.map((cve) => cve.title);
  const names = starter.kev.map((row) => row.vulnerability_name);
  for (const texts of [descriptions, titles, names]) assert.equal(new Set(texts).size, texts.length);
});

test('the catalog says what the texts say', () => {
  const own = readHandWritten(folder);
  assert.deepEqual(new Set(own.cves.keys()), new Set(cves.keys()));
  assert.deepEqual(new Set(own.cwes.keys()), new Set(cwes.keys()));
  for (const [id, text] of own.cves) {
    assert.equal(cves.get(id)!.title, text.title);
    assert.equal(cves.get(id)!.description, text.description);
    assert.equal(kev.get(id)?.short_description, text.kev?.summary, id);
  }
  for (const [id, text] of own.cwes) assert.equal(cwes.get(id)!.description, text.description);
});

test('one record stands on one line, and the file stays small', () => {
  const text = readFileSync(path, 'utf8');
  const records = text.split('\n').filter((line) => line.startsWith('{"') || line.startsWith('["'));
  const { cves: c, kev: k, exploits: e, cwes: w, epss } = starter;
  assert.equal(records.length, c.length + k.length + e.length + w.length + epss.scores.length);
  for (const record of records) JSON.parse(record.replace(/,$/, ''));
  assert.ok(text.length < 500_000, `${text.length} bytes`);
});

test('well-known facts', () => {
  const first = (id: string) => cves.get(id)!.metrics[0]!;
  assert.equal(first('CVE-2021-44228').base_score, 10);
  assert.equal(first('CVE-2021-44228').vector, 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H');
  assert.equal(first('CVE-2021-44228').scorer, 'nvd@nist.gov');
  assert.equal(first('CVE-2014-0160').base_score, 7.5);
  assert.equal(first('CVE-2014-3566').base_score, 3.4);
  assert.equal(first('CVE-2019-0708').base_score, 9.8);
  assert.equal(first('CVE-2024-3094').base_score, 10);
  assert.equal(cves.get('CVE-2021-44228')!.published, '2021-12-10T10:15:09.143Z');
  assert.equal(cves.get('CVE-2014-0160')!.published!.slice(0, 10), '2014-04-07');

  assert.equal(kev.get('CVE-2021-44228')!.date_added, '2021-12-10');
  assert.equal(kev.get('CVE-2021-44228')!.due_date, '2021-12-24');
  assert.equal(kev.get('CVE-2021-44228')!.known_ransomware_use, true);
  assert.equal(kev.get('CVE-2017-0144')!.date_added, '2022-02-10');
  assert.equal(kev.get('CVE-2024-3094'), undefined);

  const openssl = cves.get('CVE-2014-0160')!.products.find((product) => product.cpe!.includes(':openssl:openssl:'))!;
  assert.deepEqual([openssl.start_including, openssl.end_excluding], ['1.0.1', '1.0.1g']);
  assert.ok(starter.exploits.find((exploit) => exploit.edb_id === 42315)!.cve_ids.includes('CVE-2017-0144'));
});

test('well-known weaknesses and their place in view 1000', () => {
  const xss = cwes.get('CWE-79')!;
  assert.equal(xss.name, "Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')");
  assert.equal(xss.abstraction, 'Base');
  assert.deepEqual(xss.parents, ['CWE-74']);
  assert.deepEqual(cwes.get('CWE-74')!.parents, ['CWE-707']);
  assert.deepEqual(cwes.get('CWE-89')!.parents, ['CWE-943']);
  assert.deepEqual(cwes.get('CWE-787')!.parents, ['CWE-119']);
  assert.equal(cwes.get('CWE-664')!.abstraction, 'Pillar');
});
