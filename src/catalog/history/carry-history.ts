import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listDatabaseFiles } from '../generation.ts';
import { readSchemaVersion, SCHEMA_VERSION } from '../schema.ts';
import { carryEpssChanges12, historyLayout12 } from './epss-changes-12.ts';

/** Source of the row of `change_batch` that says that the catalog was built anew. */
export const CARRIED = 'carried';
const TABLES = ['epss_day', 'epss_change', 'history', 'change_batch', 'change'];

/**
 * Copies the history from the newest catalog of another schema version, whose tables of it are the same or those of version 12, into a
 * new and empty one: what is in them cannot be had again from the feeds. To be called outside of a transaction.
 */
export function carryHistory(folder: string, db: DatabaseSync, now: Date): void {
  const file = listDatabaseFiles(folder).find((name) => hasHistory(join(folder, name), db));
  if (file === undefined) return;
  db.prepare('ATTACH DATABASE ? AS earlier').run(join(folder, file));
  try {
    const is12 = layoutOf(db, 'earlier') !== layoutOf(db);
    db.exec('BEGIN');
    for (const table of TABLES) {
      db.exec(`DELETE FROM main.${table}`);
      if (table === 'epss_change' && is12) carryEpssChanges12(db);
      else db.exec(`INSERT INTO main.${table} SELECT * FROM earlier.${table}`);
    }
    // The scores of today come with the next sync.
    db.exec('UPDATE main.epss_day SET current = 0');
    db.prepare(
      `INSERT INTO main.change_batch (source, file, seen_at, first_seq, baseline, imported)
       SELECT ?, '', ?, coalesce(max(seq), 0) + 1, 1, 0 FROM main.change`,
    ).run(CARRIED, now.getTime());
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  } finally {
    db.exec('DETACH DATABASE earlier');
  }
}

function hasHistory(path: string, db: DatabaseSync): boolean {
  try {
    using other = new DatabaseSync(path, { readOnly: true });
    const version = readSchemaVersion(other);
    const layout = layoutOf(db);
    return version !== 0 && version !== SCHEMA_VERSION && [layout, historyLayout12(layout)].includes(layoutOf(other));
  } catch {
    // It is damaged, or of another program.
    return false;
  }
}

function layoutOf(db: DatabaseSync, database: 'main' | 'earlier' = 'main'): string {
  const names = TABLES.map((name) => `'${name}'`).join(', ');
  return JSON.stringify(
    db.prepare(`SELECT name, sql FROM ${database}.sqlite_schema WHERE name IN (${names}) ORDER BY name`).all(),
  );
}
