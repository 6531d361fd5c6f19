import type { DatabaseSync } from 'node:sqlite';
import { cveIdFromKey, cveKey } from '../analysis/cve/cve-id.ts';
import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import { mergeCve } from '../analysis/cve/merge-cve.ts';
import type { AdvisoryEntry, EntryKind, EpssEntry, ExploitEntry, KevEntry, WeaknessEntry } from '../feeds/entries.ts';
import { documentLoader } from './documents.ts';
import { EPSS_SCALE } from './facets.ts';
import { networkLoader } from './networks.ts';
import { githubPackageWriter, packageAdvisoryLoader } from './package-advisories.ts';
import { encodeTokens } from './product-tokens.ts';
import { encodeRecord } from './record-codec.ts';
import { recordId } from './record-id.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

const EPSS_HISTORY_DAYS = 400;

/** `file` is the name of the feed's file that the entries are of. */
export function startLoad<K extends EntryKind>(db: DatabaseSync, kind: K, file = ''): FeedFileLoader<K> {
  const stores: { [Kind in EntryKind]: (db: DatabaseSync, file: string) => FeedFileLoader<Kind> } = {
    cve: cveLoader,
    kev: kevLoader,
    epss: epssLoader,
    exploit: exploitLoader,
    weakness: weaknessLoader,
    advisory: advisoryLoader,
    document: documentLoader,
    package_advisory: packageAdvisoryLoader,
    network: networkLoader,
  };
  return stores[kind](db, file);
}

const doNothing = (): void => {};

/** Of two versions of a source's record the later modified one stays, whichever file brought it. */
function cveLoader(db: DatabaseSync): FeedFileLoader<'cve'> {
  const upsert = db.prepare(
    `INSERT INTO record (id, modified, head, tokens, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET modified = excluded.modified, head = excluded.head, tokens = excluded.tokens, body = excluded.body
     WHERE excluded.modified IS NULL OR record.modified IS NULL OR excluded.modified >= record.modified`,
  );
  return {
    put(entries) {
      for (const facts of entries) {
        const key = cveKey(facts.cve_id);
        if (key === null) continue;
        const { head, body } = encodeRecord(facts);
        upsert.run(recordId(key, facts.source), facts.modified, head, encodeTokens(facts.products), body);
      }
    },
    finish: doNothing,
  };
}

function kevLoader(db: DatabaseSync): FeedFileLoader<'kev'> {
  db.exec('DELETE FROM kev');
  const insert = db.prepare('INSERT OR REPLACE INTO kev (cve, date_added, entry) VALUES (?, ?, ?)');
  return {
    put(entries: readonly KevEntry[]) {
      for (const entry of entries) {
        const key = cveKey(entry.cve_id);
        if (key !== null) insert.run(key, entry.date_added, JSON.stringify(entry));
      }
    },
    finish: doNothing,
  };
}

/** Scores of the day replace the last ones; a score that changed is also kept in the history under its day. */
function epssLoader(db: DatabaseSync): FeedFileLoader<'epss'> {
  db.exec('DROP TABLE IF EXISTS temp.arriving');
  db.exec('CREATE TEMP TABLE arriving (cve INTEGER PRIMARY KEY, score INTEGER, percentile INTEGER)');
  const insert = db.prepare('INSERT OR REPLACE INTO temp.arriving (cve, score, percentile) VALUES (?, ?, ?)');
  return {
    put(entries: readonly EpssEntry[]) {
      for (const { cve_id, score, percentile } of entries) {
        const key = cveKey(cve_id);
        if (key !== null) insert.run(key, Math.round(score * EPSS_SCALE), Math.round(percentile * EPSS_SCALE));
      }
    },
    finish(dataTime) {
      const day = (dataTime ?? '').slice(0, 10);
      if (day !== '') {
        db.prepare(
          `INSERT OR REPLACE INTO epss_history (cve, date, score, percentile)
           SELECT a.cve, ?, a.score, a.percentile FROM temp.arriving a LEFT JOIN epss e ON e.cve = a.cve
           WHERE e.score IS NOT a.score`,
        ).run(day);
        db.prepare('DELETE FROM epss_history WHERE date < date(?, ?)').run(day, `-${EPSS_HISTORY_DAYS} days`);
      }
      db.exec('DELETE FROM epss');
      db.exec('INSERT INTO epss (cve, score, percentile) SELECT cve, score, percentile FROM temp.arriving');
      db.exec('DROP TABLE temp.arriving');
    },
  };
}

function exploitLoader(db: DatabaseSync): FeedFileLoader<'exploit'> {
  db.exec('DELETE FROM exploit; DELETE FROM exploit_cve');
  const insert = db.prepare('INSERT OR REPLACE INTO exploit (edb_id, entry) VALUES (?, ?)');
  const link = db.prepare('INSERT OR IGNORE INTO exploit_cve (cve, edb_id) VALUES (?, ?)');
  return {
    put(entries: readonly ExploitEntry[]) {
      for (const entry of entries) {
        insert.run(entry.edb_id, JSON.stringify(entry));
        for (const cveId of entry.cve_ids) {
          const key = cveKey(cveId);
          if (key !== null) link.run(key, entry.edb_id);
        }
      }
    },
    finish: doNothing,
  };
}

function weaknessLoader(db: DatabaseSync): FeedFileLoader<'weakness'> {
  db.exec('DELETE FROM weakness; DELETE FROM weakness_parent');
  const insert = db.prepare('INSERT OR REPLACE INTO weakness (id, in_view, entry) VALUES (?, ?, ?)');
  const link = db.prepare('INSERT OR IGNORE INTO weakness_parent (child, parent) VALUES (?, ?)');
  const number = (cweId: string): number => Number(cweId.slice('CWE-'.length));
  return {
    put(entries: readonly WeaknessEntry[]) {
      for (const entry of entries) {
        insert.run(number(entry.cwe_id), entry.in_view_1000 ? 1 : 0, JSON.stringify(entry));
        for (const parent of entry.parents) link.run(number(entry.cwe_id), number(parent));
      }
    },
    finish: doNothing,
  };
}

/** Advisories as such, by the packages that they name, and as a record of their CVE: one from all the advisories of that CVE. */
function advisoryLoader(db: DatabaseSync): FeedFileLoader<'advisory'> {
  const upsert = db.prepare('INSERT OR REPLACE INTO advisory (ghsa_id, cve, entry) VALUES (?, ?, ?)');
  const ofCve = db.prepare('SELECT entry FROM advisory WHERE cve = ? ORDER BY ghsa_id');
  const known = db.prepare('SELECT cve, entry FROM advisory WHERE ghsa_id = ?');
  const packages = githubPackageWriter(db);
  const forget = db.prepare('DELETE FROM record WHERE id = ?');
  const touched = new Set<number>();
  const records = cveLoader(db);
  return {
    put(entries: readonly AdvisoryEntry[]) {
      for (const entry of entries) {
        const key = entry.cve_id === null ? null : cveKey(entry.cve_id);
        const row = known.get(entry.ghsa_id) as { cve: number | null; entry: string } | undefined;
        const before = row === undefined ? null : (JSON.parse(row.entry) as AdvisoryEntry);
        if (before !== null && isOlder(entry, before)) continue;
        if (row !== undefined && row.cve !== null) touched.add(row.cve);
        packages(entry, before);
        upsert.run(entry.ghsa_id, key, JSON.stringify(entry));
        if (key !== null) touched.add(key);
      }
    },
    finish() {
      for (const key of touched) {
        const advisories = (ofCve.all(key) as { entry: string }[])
          .map(({ entry }) => (JSON.parse(entry) as AdvisoryEntry).facts)
          .filter((facts) => facts !== null);
        forget.run(recordId(key, 'ghsa'));
        if (advisories.length > 0) records.put([mergeAdvisoryFacts(cveIdFromKey(key), advisories)]);
      }
    },
  };
}

/** As with records: an advisory without a time of its last change is taken. */
function isOlder(entry: AdvisoryEntry, known: AdvisoryEntry): boolean {
  const [time, knownTime] = [Date.parse(entry.updated ?? ''), Date.parse(known.updated ?? '')];
  return time < knownTime;
}

function mergeAdvisoryFacts(cveId: string, advisories: readonly CveFacts[]): CveFacts {
  const standing = advisories.filter((facts) => !facts.rejected);
  const parts = standing.length > 0 ? standing : advisories;
  if (parts.length === 1) return parts[0]!;
  const merged = mergeCve(parts);
  return {
    ...parts[0]!,
    cve_id: cveId,
    published: merged.first_seen?.at ?? null,
    title: merged.title,
    description: merged.description,
    metrics: merged.metrics.map(({ source: _, ...metric }) => metric),
    weaknesses: merged.weaknesses,
    references: merged.references,
    products: merged.products,
  };
}
