import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildIndex } from '../../src/catalog/build-index.ts';
import { createDatabaseName, publishGeneration, type FeedState } from '../../src/catalog/generation.ts';
import { createTables } from '../../src/catalog/schema.ts';
import { startLoad } from '../../src/catalog/start-load.ts';
import type { EntryKind, EntryByKind } from '../../src/feeds/entries.ts';
import type { FeedId } from '../../src/feeds/feed.ts';
import { FEEDS } from '../../src/feeds/list.ts';
import { ATLAS_ENTRIES } from '../feeds/atlas-fixture.ts';
import { ATTACK_ENTRIES } from '../feeds/attack-fixture.ts';
import { D3FEND_ENTRIES } from '../feeds/d3fend-fixture.ts';
import { ENDOFLIFE_ENTRIES } from '../feeds/endoflife-fixture.ts';
import { FIXTURE_RULES } from '../feeds/sigma-fixture.ts';
import {
  ADVISORIES,
  CVES,
  EPSS,
  EPSS_DATE,
  EPSS_MODEL,
  EXPLOITS,
  KEV,
  NOW,
  SYNCED_AT,
  WEAKNESSES,
} from './fixture-facts.ts';
import { WARNING_LISTS } from './fixture-warning-lists.ts';
import { NETWORKS } from './fixture-networks.ts';
import { PACKAGE_ADVISORIES, PRODUCT_PURLS, VEX_STATEMENTS } from './fixture-packages.ts';

const FEED_IDS: readonly FeedId[] = FEEDS.map(({ id }) => id);

const folders: string[] = [];
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that is gone when the process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
  folders.push(folder);
  return folder;
}

/** More of what some feeds have. */
export type MoreEntries = { readonly [Kind in 'cve' | 'kev' | 'epss' | 'exploit']?: readonly EntryByKind[Kind][] };

/**
 * Publishes the facts of `fixture-facts.ts`, and more, as a catalog; feeds in `without` were never synced. `change` makes other
 * entries of them. Returns its folder.
 */
export function buildFixtureCatalog(
  without: readonly FeedId[] = [],
  folder = temporaryFolder(),
  more: MoreEntries = {},
  syncedAt = SYNCED_AT,
  change: <Entry>(entry: Entry) => Entry = (entry) => entry,
): string {
  const file = createDatabaseName(folder, NOW);
  const db = new DatabaseSync(join(folder, file));
  createTables(db);
  db.exec('BEGIN');
  const fill = <K extends EntryKind>(
    kind: K,
    entries: readonly EntryByKind[K][],
    time: string | null = null,
    file = '',
  ): void => {
    const store = startLoad(db, kind, file);
    store.put(entries.map(change));
    store.finish?.(time, kind === 'epss' ? { model_version: EPSS_MODEL } : {});
  };
  const has = (id: FeedId): boolean => !without.includes(id);
  fill(
    'cve',
    [...CVES, ...(more.cve ?? [])].filter(({ source }) => has(source)),
  );
  if (has('ghsa')) fill('advisory', ADVISORIES);
  if (has('kev')) fill('kev', [...KEV, ...(more.kev ?? [])]);
  if (has('epss')) fill('epss', [...EPSS, ...(more.epss ?? [])], EPSS_DATE);
  if (has('exploitdb')) fill('exploit', [...EXPLOITS, ...(more.exploit ?? [])]);
  if (has('cwe')) fill('weakness', WEAKNESSES);
  if (has('atlas')) fill('document', ATLAS_ENTRIES);
  if (has('d3fend')) fill('document', D3FEND_ENTRIES);
  if (has('sigma')) fill('document', FIXTURE_RULES);
  if (has('attack')) for (const entries of ATTACK_ENTRIES) fill('document', entries);
  if (has('endoflife')) fill('document', ENDOFLIFE_ENTRIES);
  if (has('purl2cpe')) fill('product_purls', PRODUCT_PURLS);
  fill(
    'vex',
    VEX_STATEMENTS.filter(({ source }) => has(source)),
  );
  if (has('osv')) fill('package_advisory', PACKAGE_ADVISORIES);
  for (const { feed, file, entries } of NETWORKS) if (has(feed)) fill('network', entries, null, file);
  if (has('warninglists')) fill('warning_list', WARNING_LISTS);
  buildIndex(db);
  db.exec('COMMIT');
  db.close();
  const sources = Object.fromEntries(FEED_IDS.filter(has).map((id) => [id, synced(id, syncedAt)]));
  publishGeneration(folder, { file, created_at: syncedAt, sources });
  return folder;
}

function synced(id: FeedId, at: string): FeedState {
  return {
    records: 10,
    data_time: id === 'epss' ? `${EPSS_DATE}T00:00:00Z` : at,
    last_success_at: at,
    last_attempt_at: at,
    last_error: null,
    from_origin: true,
    skipped: 0,
    missing_files: [],
    notes: id === 'epss' ? { model_version: EPSS_MODEL } : {},
    files: {},
  };
}

let shared: string | null = null;

/** The complete fixture, built once a process; nobody writes to it. */
export function fixtureCatalog(): string {
  shared ??= buildFixtureCatalog();
  return shared;
}
