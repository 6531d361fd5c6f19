import type { DatabaseSync } from 'node:sqlite';

/**
 * To be raised with every change of the tables, and of what is stored of a record or a merged record: a catalog of another schema
 * version is not opened, but built again.
 */
export const SCHEMA_VERSION = 13;

/** What is known of earlier days. It survives a change of the schema: see `carry-history.ts`, which has to know each older form of it. */
const HISTORY_TABLES = `
  CREATE TABLE epss_day (
    day INTEGER PRIMARY KEY, model TEXT, current INTEGER NOT NULL DEFAULT 0, partial INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE epss_change (
    block INTEGER NOT NULL, day INTEGER NOT NULL, changes BLOB NOT NULL, PRIMARY KEY (block, day)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE history (id TEXT NOT NULL) STRICT;
  CREATE TABLE change_batch (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, file TEXT NOT NULL, seen_at INTEGER NOT NULL, first_seq INTEGER NOT NULL,
    baseline INTEGER NOT NULL, imported INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, batch INTEGER NOT NULL, cve INTEGER NOT NULL, kind INTEGER NOT NULL, type INTEGER NOT NULL,
    at ANY, field TEXT NOT NULL, before TEXT, after TEXT
  ) STRICT;
  CREATE INDEX change_cve ON change (cve);
`;

/**
 * Tables of a catalog.
 * - Columns `entry` hold JSON, which is read whole.
 * - `cve` is the CVE's `cveKey()`. The records of one CVE, one for each source, have adjacent ids: see `recordId()`.
 * - `product_identity` (CPE names that denote one product) and `product_alias` (what else products are called) are derived, too:
 *   an identity is the `vendor:product` of its names that has most CVEs.
 * - `record.modified` is in milliseconds since 1970; the head does not repeat it.
 * - `record.head` and `record.body` are those of `record-layout.ts`, their shared texts in `shared_text`; `indexed` is an `IndexEntry`,
 *   with numbers of `posting_name`.
 * - `joined` has CVEs with records from several sources, merged once; a row is deleted when one of its records changes. It,
 *   `facet`, `posting` and `text_block` (for searches) and `coverage` (what records of a month have) are derived at the end of each sync.
 * - `epss_day` has the days whose scores are held, in days since 1970 (`current`: the table `epss` is of that day; `partial`: only the
 *   starter's CVEs, until another day comes), `epss_change` the scores
 *   that changed on one, a row for each block of CVEs: see `epss-changes.ts`.
 * - `change` is what files of feeds changed, in the order in which it was seen: `seq` is the cursor of those who follow (decision 43).
 *   `kind` and `type` are indexes of `CHANGE_KINDS` and `CHANGE_TYPES`; `at` is in milliseconds since 1970, or YYYY-MM-DD; `before` and
 *   `after` are JSON. `change_batch` says of which file they are: when it was seen (milliseconds), and the first `seq` of its changes. A
 *   `baseline` is what the next file of its source was compared with. `history` names this sequence of changes.
 * - `text_block` holds the words of texts in two segments (decision 32): the second one has the CVEs that changed since the first one
 *   was made, which `text_changed` names.
 * - `package_advisory.package` is a `storedPackageName()`.
 * - `network` is keyed by prefix length and prefix: to find an address, one row is read for each length that occurs.
 *   `network.list` is a feed, or a feed and one of its files (`cloud/aws`).
 * - `warning_list.entry` are the facts of a list with its patterns, `warning_value.value` a `warningKey()`.
 */
const TABLES = `
  CREATE TABLE shared_text (block INTEGER PRIMARY KEY, texts TEXT NOT NULL) STRICT;
  CREATE TABLE posting_name (block INTEGER PRIMARY KEY, texts TEXT NOT NULL) STRICT;
  CREATE TABLE record (
    id INTEGER PRIMARY KEY, modified INTEGER, indexed BLOB NOT NULL, head BLOB NOT NULL, body BLOB
  ) STRICT;
  CREATE TABLE joined (cve INTEGER PRIMARY KEY, indexed BLOB NOT NULL, entry TEXT NOT NULL) STRICT;
  CREATE TABLE kev (cve INTEGER PRIMARY KEY, date_added TEXT NOT NULL, entry TEXT NOT NULL) STRICT;
  CREATE TABLE epss (block INTEGER PRIMARY KEY, cves INTEGER NOT NULL, scores BLOB NOT NULL, above BLOB NOT NULL) STRICT;
${HISTORY_TABLES}  CREATE TABLE exploit (edb_id INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
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
  CREATE TABLE coverage (month TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  CREATE TABLE facet (name TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT;
  CREATE TABLE text_block (
    segment INTEGER NOT NULL, block INTEGER NOT NULL, first TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, block)
  ) STRICT;
  CREATE TABLE text_changed (cve INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE posting (
    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, product TEXT NOT NULL, vendor TEXT NOT NULL, cves BLOB NOT NULL
  ) STRICT;
  CREATE INDEX posting_product ON posting (product, vendor, kind);
  CREATE INDEX posting_vendor ON posting (vendor, kind);
  CREATE TABLE package_advisory (
    ecosystem TEXT NOT NULL, package TEXT NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL,
    PRIMARY KEY (ecosystem, package, source, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE network (
    family INTEGER NOT NULL, bits INTEGER NOT NULL, prefix BLOB NOT NULL, list TEXT NOT NULL, label TEXT NOT NULL,
    region TEXT, country TEXT, server TEXT,
    PRIMARY KEY (family, bits, prefix, list, label)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE product_purl (
    purl TEXT NOT NULL, vendor TEXT NOT NULL, product TEXT NOT NULL, PRIMARY KEY (purl, vendor, product)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE product_identity (
    vendor TEXT NOT NULL, product TEXT NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (vendor, product)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX product_identity_members ON product_identity (identity);
  CREATE TABLE product_alias (
    alias TEXT NOT NULL, identity TEXT NOT NULL, PRIMARY KEY (alias, identity)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE vex_statement (
    id INTEGER PRIMARY KEY, cve INTEGER NOT NULL, product TEXT NOT NULL, source TEXT NOT NULL, entry TEXT NOT NULL
  ) STRICT;
  CREATE INDEX vex_cve ON vex_statement (cve);
  CREATE INDEX vex_product ON vex_statement (product);
  CREATE TABLE warning_list (number INTEGER PRIMARY KEY, entry TEXT NOT NULL) STRICT;
  CREATE TABLE warning_value (
    value ANY NOT NULL, list INTEGER NOT NULL, PRIMARY KEY (value, list)
  ) STRICT, WITHOUT ROWID;
`;

/** Pages of the usual 4 KiB leave more of them empty: with 8 KiB the catalog of all feeds is a twentieth smaller. */
const PAGE_BYTES = 8192;

/** Creates all tables in an empty database and sets its schema version. */
export function createTables(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  db.exec(TABLES);
  db.exec('INSERT INTO history (id) VALUES (lower(hex(randomblob(4))))');
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Whether SQLite finds the structure of the database intact (PRAGMA quick_check). */
export function passesQuickCheck(db: DatabaseSync): boolean {
  return db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
}

/** Schema version of a catalog database; 0 for an empty one. */
export function readSchemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}
