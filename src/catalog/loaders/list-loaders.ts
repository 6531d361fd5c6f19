/** Loaders of the lists that each file replaces as a whole. */

import type { DatabaseSync } from 'node:sqlite';
import { cveKey } from '../../analysis/cve/cve-id.ts';
import { parseIpNetwork } from '../../analysis/ip-network.ts';
import { EPSS_SCALE } from '../cve-columns.ts';
import { recordEpssDay } from '../epss-history.ts';
import type { FeedFileLoader } from './feed-file-loader.ts';

export function createKevLoader(db: DatabaseSync): FeedFileLoader<'kev'> {
  // Their titles are searched: one that is not in the list any more has another title.
  db.exec('INSERT OR IGNORE INTO text_changed (cve) SELECT cve FROM kev');
  db.exec('DELETE FROM kev');
  const insert = db.prepare('INSERT OR REPLACE INTO kev (cve, date_added, entry) VALUES (?, ?, ?)');
  return {
    put(entries) {
      for (const entry of entries) {
        const key = cveKey(entry.cve_id);
        if (key !== null) insert.run(key, entry.date_added, JSON.stringify(entry));
      }
    },
  };
}

/** The scores of the day replace the last ones. Scores that changed are also added to the history under their day. */
export function createEpssLoader(db: DatabaseSync): FeedFileLoader<'epss'> {
  db.exec('DROP TABLE IF EXISTS temp.arriving');
  db.exec('CREATE TEMP TABLE arriving (cve INTEGER PRIMARY KEY, score INTEGER, percentile INTEGER)');
  const insert = db.prepare('INSERT OR REPLACE INTO temp.arriving (cve, score, percentile) VALUES (?, ?, ?)');
  return {
    put(entries) {
      for (const { cve_id, score, percentile } of entries) {
        const key = cveKey(cve_id);
        if (key !== null) insert.run(key, Math.round(score * EPSS_SCALE), Math.round(percentile * EPSS_SCALE));
      }
    },
    finish(dataTime, notes) {
      const day = (dataTime ?? '').slice(0, 10);
      if (day !== '') recordEpssDay(db, day, notes?.model_version ?? null);
      db.exec('DELETE FROM epss');
      db.exec('INSERT INTO epss (cve, score, percentile) SELECT cve, score, percentile FROM temp.arriving');
      db.exec('DROP TABLE temp.arriving');
    },
  };
}

export function createExploitLoader(db: DatabaseSync): FeedFileLoader<'exploit'> {
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
  };
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
