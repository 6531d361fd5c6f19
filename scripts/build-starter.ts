/**
 * Builds starter/catalog.json: facts from a folder of upstream feeds joined with the sentences in starter/texts.
 *
 *     node scripts/build-starter.ts <feeds folder>
 *
 * Fails if a sentence in starter/texts repeats eight words of NVD, CISA, MITRE or Exploit-DB, or if a record is incomplete.
 */

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CveFacts } from '../src/analysis/cve/cve-facts.ts';
import { cveKey } from '../src/analysis/cve/cve-id.ts';
import { cweFeed } from '../src/feeds/cwe/cwe.ts';
import type { EpssEntry, ExploitEntry, KevEntry, WeaknessEntry } from '../src/feeds/entries.ts';
import { epssFeed } from '../src/feeds/epss.ts';
import { exploitdbFeed } from '../src/feeds/exploitdb.ts';
import { kevFeed } from '../src/feeds/kev.ts';
import { nvdFeed } from '../src/feeds/nvd/nvd.ts';
import { readStarterCatalog } from '../src/feeds/starter-catalog.ts';
import { cveRecord } from './starter/cve-record.ts';
import { feedEntries, type FeedNotes } from './starter/feed-entries.ts';
import { type CveText, type HandWritten, readHandWritten, sentences } from './starter/hand-written.ts';
import { OriginalityCheck } from './starter/originality.ts';

const STARTER = fileURLToPath(new URL('../starter/', import.meta.url));

async function build(feeds: string): Promise<void> {
  const own = readHandWritten(STARTER);
  const check = new OriginalityCheck();
  for (const { place, text } of sentences(own)) check.addOwn(place, text);

  const kevNotes: FeedNotes = { asOf: null, notes: {} };
  const epssNotes: FeedNotes = { asOf: null, notes: {} };
  const kev = await kevRows(feeds, own, check, kevNotes);
  const exploits = await exploitRows(feeds, own, check);
  const scores = await epssRows(feeds, own, epssNotes);
  const cves = await cveRecords(feeds, own, check);
  const cwes = await cweRecords(feeds, own, check, wantedWeaknesses(cves, kev));
  if (check.repeated.length > 0) {
    const lines = check.repeated.map(({ place, words }) => `  ${place}: ${words}`);
    throw new Error(`texts that repeat words of others:\n${lines.join('\n')}`);
  }

  const document = `{
"as_of": ${JSON.stringify(kevNotes.asOf?.slice(0, 10))},
"cves": ${rows(cves)},
"kev": ${rows(kev)},
"epss": {"model_version": ${JSON.stringify(epssNotes.notes['model_version'])}, "score_date": ${JSON.stringify(epssNotes.asOf?.slice(0, 10))}, "scores": ${rows(scores.map(({ cve_id, score, percentile }) => [cve_id, score, percentile]))}},
"exploits": ${rows(exploits)},
"cwes": ${rows(cwes)}
}
`;
  const made = join(STARTER, 'catalog.json.new');
  writeFileSync(made, document);
  await readStarterCatalog(made);
  renameSync(made, join(STARTER, 'catalog.json'));
  console.log(
    `${cves.length} CVEs, ${kev.length} KEV, ${scores.length} EPSS, ${exploits.length} exploits, ${cwes.length} CWEs, ${document.length} bytes`,
  );
}

/** A JSON array with one element in each line. */
function rows(elements: readonly unknown[]): string {
  return `[\n${elements.map((element) => JSON.stringify(element)).join(',\n')}\n]`;
}

function sorted<T extends { cve_id: string }>(entries: Iterable<T>): T[] {
  return [...entries].sort((a, b) => (cveKey(a.cve_id) ?? 0) - (cveKey(b.cve_id) ?? 0));
}

async function cveRecords(feeds: string, own: HandWritten, check: OriginalityCheck): Promise<CveFacts[]> {
  const found = new Map<string, CveFacts>();
  for await (const facts of feedEntries(nvdFeed, feeds)) {
    check.compare(facts.description);
    if (own.cves.has(facts.cve_id)) found.set(facts.cve_id, facts);
  }
  const records: CveFacts[] = [];
  for (const [id, text] of own.cves) {
    records.push(cveRecord(id, text, found.get(id) ?? null, own.facts.get(id) ?? {}));
  }
  return sorted(records);
}

async function kevRows(
  feeds: string,
  own: HandWritten,
  check: OriginalityCheck,
  notes: FeedNotes,
): Promise<KevEntry[]> {
  const found = new Map<string, KevEntry>();
  for await (const row of feedEntries(kevFeed, feeds, notes)) {
    for (const text of [row.vulnerability_name, row.short_description, row.required_action, row.notes])
      check.compare(text);
    const text = own.cves.get(row.cve_id);
    if (text !== undefined) found.set(row.cve_id, kevRow(row, text));
  }
  const withText = [...own.cves].filter(([, text]) => text.kev !== undefined);
  for (const [id] of withText)
    if (!found.has(id)) throw new Error(`${id} is not in the KEV feed, but has a text for it`);
  return sorted(found.values());
}

function kevRow(row: KevEntry, { kev }: CveText): KevEntry {
  if (kev === undefined) throw new Error(`${row.cve_id} is in the KEV feed: it needs a text`);
  return {
    ...row,
    vulnerability_name: kev.name,
    short_description: kev.summary,
    required_action: kev.action,
    notes: null,
  };
}

async function epssRows(feeds: string, own: HandWritten, notes: FeedNotes): Promise<EpssEntry[]> {
  const found: EpssEntry[] = [];
  for await (const row of feedEntries(epssFeed, feeds, notes)) if (own.cves.has(row.cve_id)) found.push(row);
  return sorted(found);
}

async function exploitRows(feeds: string, own: HandWritten, check: OriginalityCheck): Promise<ExploitEntry[]> {
  const titles = new Map<number, { cve: string; title: string }>();
  for (const [cve, { exploits }] of own.cves) {
    for (const [id, title] of Object.entries(exploits ?? {})) titles.set(Number(id), { cve, title });
  }
  const found: ExploitEntry[] = [];
  for await (const row of feedEntries(exploitdbFeed, feeds)) {
    check.compare(row.title);
    const known = titles.get(row.edb_id);
    if (known === undefined) continue;
    if (!row.cve_ids.includes(known.cve)) throw new Error(`exploit ${row.edb_id} is not one of ${known.cve}`);
    found.push({ ...row, title: known.title, cve_ids: row.cve_ids.filter((id) => own.cves.has(id)).sort() });
    titles.delete(row.edb_id);
  }
  if (titles.size > 0) throw new Error(`not in the Exploit-DB feed: ${[...titles.keys()].join(', ')}`);
  return found.sort((a, b) => a.edb_id - b.edb_id);
}

function wantedWeaknesses(cves: readonly CveFacts[], kev: readonly KevEntry[]): Set<string> {
  const named = cves.flatMap(({ weaknesses }) => weaknesses.map(({ cwe_id }) => cwe_id));
  return new Set([...named, ...kev.flatMap(({ cwes }) => cwes)]);
}

/** The wanted weaknesses and all their ancestors in view 1000 (which has no categories). */
async function cweRecords(
  feeds: string,
  own: HandWritten,
  check: OriginalityCheck,
  wanted: Set<string>,
): Promise<WeaknessEntry[]> {
  const known = new Map<string, WeaknessEntry>();
  for await (const weakness of feedEntries(cweFeed, feeds)) {
    const { description, extended_description, mitigations, examples } = weakness;
    for (const text of [description, extended_description]) check.compare(text);
    for (const text of [...mitigations, ...examples]) check.compare(text.description);
    if (weakness.in_view_1000) known.set(weakness.cwe_id, weakness);
  }
  const chosen = new Map<string, WeaknessEntry>();
  const waiting = [...wanted];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const weakness = known.get(id);
    if (weakness === undefined || chosen.has(id)) continue;
    chosen.set(id, inOwnWords(weakness, own));
    waiting.push(...weakness.parents);
  }
  for (const id of own.cwes.keys()) if (!chosen.has(id)) throw new Error(`nothing needs the text about ${id}`);
  return [...chosen.values()].sort((a, b) => Number(a.cwe_id.slice(4)) - Number(b.cwe_id.slice(4)));
}

function inOwnWords(weakness: WeaknessEntry, own: HandWritten): WeaknessEntry {
  const text = own.cwes.get(weakness.cwe_id);
  if (text === undefined) throw new Error(`${weakness.cwe_id} (${weakness.name}) needs a text`);
  for (const [id] of text.examples)
    if (!own.cves.has(id)) throw new Error(`${weakness.cwe_id}: ${id} is not in the starter`);
  return {
    ...weakness,
    description: text.description,
    extended_description: null,
    mitigations: text.mitigations.map(([phase, description]) => ({
      phase,
      strategy: null,
      description,
      effectiveness: null,
    })),
    examples: text.examples.map(([reference, description]) => ({ reference, description, link: null })),
  };
}

const [feeds] = process.argv.slice(2);
if (feeds === undefined) {
  console.error('usage: node scripts/build-starter.ts <feeds folder>');
  process.exitCode = 2;
} else {
  await build(feeds).catch((error: Error) => {
    console.error(`build-starter: ${error.message}`);
    process.exitCode = 1;
  });
}
