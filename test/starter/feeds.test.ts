import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { feedEntries } from '../../scripts/starter/feed-entries.ts';
import { readHandWritten, sentences } from '../../scripts/starter/hand-written.ts';
import { OriginalityCheck } from '../../scripts/starter/originality.ts';
import { cweFeed } from '../../src/feeds/cwe/cwe.ts';
import { epssFeed } from '../../src/feeds/epss.ts';
import { exploitdbFeed } from '../../src/feeds/exploitdb.ts';
import { kevFeed } from '../../src/feeds/kev.ts';
import { nvdFeed } from '../../src/feeds/nvd/nvd.ts';
import { readStarterCatalog } from '../../src/feeds/starter-catalog.ts';
import { parseFeed } from '../feeds/parse-feed.ts';
import { sharedPath } from '../support/shared.ts';

const feeds = sharedPath('feeds');
const skip = feeds === null && 'no feeds';
const folder = fileURLToPath(new URL('../../starter/', import.meta.url));
const starter = await readStarterCatalog(`${folder}catalog.json`);

function ownSentences(): OriginalityCheck {
  const check = new OriginalityCheck();
  for (const { place, text } of sentences(readHandWritten(folder))) check.addOwn(place, text);
  return check;
}

test('KEV rows are those of CISA, in words of our own', { skip }, async () => {
  const ours = new Map(starter.kev.map((row) => [row.cve_id, row]));
  const all = new Set(starter.cves.map((cve) => cve.cve_id));
  const check = ownSentences();
  for await (const row of feedEntries(kevFeed, feeds!)) {
    for (const text of [row.vulnerability_name, row.short_description, row.required_action]) check.compare(text);
    if (!all.has(row.cve_id)) continue;
    const own = ours.get(row.cve_id);
    const { vulnerability_name, short_description, required_action } = own!;
    assert.deepEqual(own, { ...row, vulnerability_name, short_description, required_action, notes: null });
    ours.delete(row.cve_id);
  }
  assert.deepEqual([...ours.keys()], []);
  assert.deepEqual(check.repeated, []);
});

test('dates, scores and weaknesses are those of NVD (2014, for one)', { skip }, async () => {
  const { entries } = await parseFeed(nvdFeed, sharedPath('feeds', 'nvd', 'nvdcve-2.0-2014.json.gz')!);
  const theirs = new Map(entries.map((facts) => [facts.cve_id, facts]));
  const ours = starter.cves.filter((cve) => cve.cve_id.startsWith('CVE-2014-'));
  assert.ok(ours.length > 0);
  for (const { cve_id, published, assigner, metrics, weaknesses, references } of ours) {
    const nvd = theirs.get(cve_id)!;
    assert.deepEqual(
      [published, assigner, metrics, weaknesses],
      [nvd.published, nvd.assigner, nvd.metrics, nvd.weaknesses],
    );
    const addresses = new Map(nvd.references.map((reference) => [reference.url, reference]));
    for (const reference of references) assert.deepEqual(reference, addresses.get(reference.url));
  }
});

test('EPSS scores are those of FIRST', { skip }, async () => {
  const ours = new Map(starter.epss.scores.map((row) => [row.cve_id, row]));
  for await (const row of feedEntries(epssFeed, feeds!)) {
    if (!ours.has(row.cve_id)) continue;
    assert.deepEqual(ours.get(row.cve_id), row);
    ours.delete(row.cve_id);
  }
  assert.equal(ours.size, 0);
});

test('names and parents of weaknesses are those of MITRE, in words of our own', { skip }, async () => {
  const ours = new Map(starter.cwes.map((cwe) => [cwe.cwe_id, cwe]));
  const check = ownSentences();
  for await (const cwe of feedEntries(cweFeed, feeds!)) {
    const texts = [...cwe.mitigations, ...cwe.examples].map((part) => part.description);
    for (const text of [cwe.description, cwe.extended_description, ...texts]) check.compare(text);
    const own = ours.get(cwe.cwe_id);
    if (own === undefined) continue;
    assert.deepEqual(
      [own.name, own.abstraction, own.status, own.parents],
      [cwe.name, cwe.abstraction, cwe.status, cwe.parents],
    );
    ours.delete(cwe.cwe_id);
  }
  assert.equal(ours.size, 0);
  assert.deepEqual(check.repeated, []);
});

test('exploits are those of Exploit-DB, in words of our own', { skip }, async () => {
  const ours = new Map(starter.exploits.map((exploit) => [exploit.edb_id, exploit]));
  const check = ownSentences();
  for await (const row of feedEntries(exploitdbFeed, feeds!)) {
    check.compare(row.title);
    const own = ours.get(row.edb_id);
    if (own === undefined) continue;
    assert.deepEqual(own, { ...row, title: own.title, cve_ids: own.cve_ids });
    assert.ok(own.cve_ids.every((id) => row.cve_ids.includes(id)));
    ours.delete(row.edb_id);
  }
  assert.equal(ours.size, 0);
  assert.deepEqual(check.repeated, []);
});
