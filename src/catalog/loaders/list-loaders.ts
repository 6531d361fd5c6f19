/** Loaders of the lists that each file replaces as a whole. */

import type { DatabaseSync } from 'node:sqlite';
import { cveKey } from '../../analysis/cve/cve-id.ts';
import { parseIpNetwork } from '../../analysis/ip-network.ts';
import type { KevEntry } from '../../feeds/entries.ts';
import { EPSS_SCALE } from '../cve-columns.ts';
import { dayNumber } from '../epss-history.ts';
import type { ChangeRecorder } from '../history/change-recorder.ts';
import { diffExploits, diffKevEntries } from '../history/diff-entries.ts';
import { recordEpssDay } from '../history/record-epss-day.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';
import { type EpssUnits, storeScores } from '../epss-scores.ts';

export function createKevLoader(
  db: DatabaseSync,
  _file: string,
  changes: ChangeRecorder | null,
): FeedFileLoader<'kev'> {
  // Their titles are searched: one that is not in the list any more has another title.
  db.exec('INSERT OR IGNORE INTO text_changed (cve) SELECT cve FROM kev');
  const known = changes?.isComparing ? (db.prepare('SELECT cve, entry FROM kev').all() as unknown as EntryRow[]) : [];
  const before = new Map(known.map(({ cve, entry }) => [cve, JSON.parse(entry) as KevEntry]));
  const after = new Map<number, KevEntry>();
  db.exec('DELETE FROM kev');
  const insert = db.prepare('INSERT OR REPLACE INTO kev (cve, date_added, entry) VALUES (?, ?, ?)');
  return {
    put(entries) {
      for (const entry of entries) {
        const key = cveKey(entry.cve_id);
        if (key === null) continue;
        insert.run(key, entry.date_added, JSON.stringify(entry));
        if (changes?.isComparing) after.set(key, entry);
      }
    },
    finish(dataTime) {
      if (!changes?.isComparing) return;
      for (const [key, entry] of after)
        changes.recordAll(key, diffKevEntries(before.get(key) ?? null, entry, dataTime));
      for (const [key, entry] of before)
        if (!after.has(key)) changes.recordAll(key, diffKevEntries(entry, null, dataTime));
    },
  };
}

interface EntryRow {
  cve: number;
  entry: string;
}

/** The scores of the day replace the last ones. Scores that changed are also added to the history under their day. */
export function createEpssLoader(
  db: DatabaseSync,
  _file: string,
  changes: ChangeRecorder | null,
): FeedFileLoader<'epss'> {
  const scores = new Map<number, EpssUnits>();
  return {
    put(entries) {
      for (const { cve_id, score, percentile } of entries) {
        const key = cveKey(cve_id);
        if (key !== null)
          scores.set(key, { score: Math.round(score * EPSS_SCALE), percentile: Math.round(percentile * EPSS_SCALE) });
      }
    },
    finish(dataTime, notes) {
      const day = (dataTime ?? '').slice(0, 10);
      db.exec('UPDATE epss_day SET current = 0');
      if (day !== '') {
        const rows = Iterator.from(scores).map(([key, { score, percentile }]) => [key, score, percentile] as const);
        recordEpssDay(db, day, notes?.model_version ?? null, rows, changes);
        db.prepare('UPDATE epss_day SET current = 1, partial = ? WHERE day = ?').run(
          notes?.partial === undefined ? 0 : 1,
          dayNumber(day),
        );
      }
      storeScores(db, scores);
    },
  };
}

export function createExploitLoader(
  db: DatabaseSync,
  _file: string,
  changes: ChangeRecorder | null,
): FeedFileLoader<'exploit'> {
  const before = changes?.isComparing ? exploitsByCve(db) : null;
  db.exec('DELETE FROM exploit; DELETE FROM exploit_cve');
  const insert = db.prepare('INSERT OR REPLACE INTO exploit (edb_id, entry) VALUES (?, ?)');
  const link = db.prepare('INSERT OR IGNORE INTO exploit_cve (cve, edb_id) VALUES (?, ?)');
  return {
    put(entries) {
      for (const entry of entries) {
        insert.run(entry.edb_id, JSON.stringify(entry));
        for (const cveId of entry.cve_ids) {
          const key = cveKey(cveId);
          if (key !== null) link.run(key, entry.edb_id);
        }
      }
    },
    finish(dataTime) {
      if (before === null) return;
      const after = exploitsByCve(db);
      for (const [id, { cve, entry }] of after)
        if (!before.has(id)) changes!.recordAll(cve, diffExploits(null, JSON.parse(entry), dataTime));
      for (const [id, { cve, entry }] of before)
        if (!after.has(id)) changes!.recordAll(cve, diffExploits(JSON.parse(entry), null, dataTime));
    },
  };
}

/** By CVE and id of the exploit. */
function exploitsByCve(db: DatabaseSync): Map<string, EntryRow> {
  const rows = db
    .prepare('SELECT c.cve, e.edb_id, e.entry FROM exploit_cve c JOIN exploit e USING (edb_id)')
    .all() as unknown as (EntryRow & { edb_id: number })[];
  return new Map(rows.map((row) => [`${row.cve} ${row.edb_id}`, row]));
}

export function createWeaknessLoader(db: DatabaseSync): FeedFileLoader<'weakness'> {
  db.exec('DELETE FROM weakness; DELETE FROM weakness_parent');
  const insert = db.prepare('INSERT OR REPLACE INTO weakness (id, in_view, entry) VALUES (?, ?, ?)');
  const link = db.prepare('INSERT OR IGNORE INTO weakness_parent (child, parent) VALUES (?, ?)');
  const number = (cweId: string): number => Number(cweId.slice('CWE-'.length));
  return {
    put(entries) {
      for (const entry of entries) {
        insert.run(number(entry.cwe_id), entry.in_view_1000 ? 1 : 0, JSON.stringify(entry));
        for (const parent of entry.parents) link.run(number(entry.cwe_id), number(parent));
      }
    },
  };
}

/** Replaces the networks of one list. */
export function createNetworkLoader(db: DatabaseSync, list: string): FeedFileLoader<'network'> {
  db.prepare('DELETE FROM network WHERE list = ?').run(list);
  const insert = db.prepare(
    'INSERT OR REPLACE INTO network (family, bits, prefix, list, label, region, country, server) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return {
    put(entries) {
      for (const { cidr, label, region, country, server } of entries) {
        const network = parseIpNetwork(cidr);
        if (network === null) continue;
        const { family, bits, prefix } = network;
        insert.run(family, bits, prefix, list, label, region, country, server && JSON.stringify(server));
      }
    },
  };
}
