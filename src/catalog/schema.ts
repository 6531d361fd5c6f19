import type { DatabaseSync } from 'node:sqlite';
import { NETWORK_TABLE } from './networks.ts';
import { PACKAGE_ADVISORY_TABLE } from './package-advisories.ts';

/** Raised with every change of the tables: a catalog of another version is not opened but built anew. */
export const SCHEMA_VERSION = 5;

/**
 * Tables of a catalog. A CVE is keyed by `cveKey()`; its records (one a source) stand together under `cve * 8 + slot`.
 * Entries are JSON: read whole, by key. Derived from the records at the end of each sync: `joined`, the CVEs that several
 * sources know, joined once instead of at every question; `facet` and `posting`, what searches need.
 */
const TABLES = `
  CREATE TABLE record (id INTEGER PRIMARY KEY, modified TEXT, head TEXT NOT NULL, tokens TEXT NOT NULL, body BLOB) STRICT;
  CREATE TABLE joined (cve INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  CREATE TABLE kev (cve INTEGER PRIMARY KEY, date_added TEXT NOT NULL, entry TEXT NOT NULL) STRICT;
  CREATE TABLE epss (cve INTEGER PRIMARY KEY, score INTEGER NOT NULL, percentile INTEGER NOT NULL) STRICT;
  CREATE TABLE epss_history (
    cve INTEGER NOT NULL, date TEXT NOT NULL, score INTEGER NOT NULL, percentile INTEGER NOT NULL,
    PRIMARY KEY (cve, date)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE exploit (edb_id INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  CREATE TABLE exploit_cve (
    cve INTEGER NOT NULL, edb_id INTEGER NOT NULL, PRIMARY KEY (cve, edb_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE weakness (id INTEGER PRIMARY KEY, in_view INTEGER NOT NULL, entry TEXT NOT NULL) STRICT;
  CREATE TABLE weakness_parent (
    child INTEGER NOT NULL, parent INTEGER NOT NULL, PRIMARY KEY (child, parent)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX weakness_child ON weakness_parent (parent, child);
  CREATE TABLE advisory (ghsa_id TEXT PRIMARY KEY, cve INTEGER, entry TEXT NOT NULL) STRICT;
  CREATE INDEX advisory_cve ON advisory (cve);
  CREATE TABLE document (
    number INTEGER PRIMARY KEY, catalog TEXT NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (catalog, id)
  ) STRICT;
  CREATE VIRTUAL TABLE document_text USING fts5 (
    title, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE TABLE document_link (
    kind TEXT NOT NULL, value TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (kind, value, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE facet (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
  CREATE TABLE posting (
    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, product TEXT NOT NULL, vendor TEXT NOT NULL, cves BLOB NOT NULL
  ) STRICT;
  CREATE INDEX posting_product ON posting (product, vendor, kind);
  CREATE INDEX posting_vendor ON posting (vendor, kind);
`;

export function createTables(db: DatabaseSync): void {
  db.exec(TABLES);
  db.exec(PACKAGE_ADVISORY_TABLE);
  db.exec(NETWORK_TABLE);
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
