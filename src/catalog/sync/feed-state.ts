import type { DatabaseSync } from 'node:sqlite';
import type { RecordSource } from '../../analysis/cve/cve-facts.ts';
import type { Feed, FeedFile } from '../../feeds/feed.ts';
import type { FeedState } from '../generation.ts';
import { recordSourceCondition } from '../record-id.ts';

/** The state of a feed of which nothing was loaded yet. */
export function emptyFeedState(): FeedState {
  return {
    records: 0,
    data_time: null,
    last_success_at: null,
    last_attempt_at: null,
    last_error: null,
    from_origin: false,
    skipped: 0,
    missing_files: [],
    notes: {},
    files: {},
  };
}

/**
 * Removes from the state of a feed of changes (deltas) the files that it no longer lists. They are not needed any more:
 * every sync would add some, and their skipped records would be counted again. Other feeds keep theirs, because the next
 * version of a file is compared with the size of the last.
 */
export function dropUnlistedFiles(state: FeedState, files: readonly FeedFile[]): void {
  if (files.length === 0 || files.some(({ extent }) => extent !== 'delta')) return;
  const listed = new Set(files.map(({ name }) => name));
  state.files = Object.fromEntries(Object.entries(state.files).filter(([name]) => listed.has(name)));
  state.skipped = countSkipped(state);
}

/** Skipped records of all files. */
export function countSkipped(state: FeedState): number {
  return Object.values(state.files).reduce((sum, { skipped }) => sum + skipped, 0);
}

/** Records of a feed in the catalog. */
export function countRecords(db: DatabaseSync, { id, kind }: Feed): number {
  const tables: Record<Feed['kind'], string> = {
    cve: `record WHERE ${recordSourceCondition(id as RecordSource)}`,
    kev: 'kev',
    epss: 'epss',
    exploit: 'exploit',
    weakness: 'weakness',
    advisory: 'advisory',
    package_advisory: "package_advisory WHERE source = 'osv'",
    vex: `vex_statement WHERE source = '${id}'`,
    network: `network WHERE list = '${id}' OR list LIKE '${id}/%'`,
    product_purls: 'product_purl',
    warning_list: 'warning_value',
    document: `document WHERE catalog LIKE '${id}!_%' ESCAPE '!'`,
  };
  const count = kind === 'epss' ? 'sum(cves)' : 'count(*)';
  return Number(db.prepare(`SELECT ${count} AS count FROM ${tables[kind]}`).get()?.count ?? 0);
}
