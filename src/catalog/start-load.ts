import type { DatabaseSync } from 'node:sqlite';
import type { EntryKind } from '../feeds/entries.ts';
import type { ChangeRecorder } from './history/change-recorder.ts';
import { createAdvisoryLoader, createCveLoader } from './loaders/cve-loader.ts';
import { createDocumentLoader } from './loaders/document-loader.ts';
import type { FeedFileLoader } from './loaders/feed-file-loader.ts';
import {
  createEpssLoader,
  createExploitLoader,
  createKevLoader,
  createNetworkLoader,
  createWeaknessLoader,
} from './loaders/list-loaders.ts';
import { createProductPurlsLoader } from './loaders/product-purls-loader.ts';
import { createPackageAdvisoryLoader } from './loaders/package-advisory-loader.ts';
import { createWarningListLoader } from './warning-lists.ts';
import { createVexLoader } from './vex-statements.ts';

const LOADERS: {
  [Kind in EntryKind]: (db: DatabaseSync, file: string, changes: ChangeRecorder | null) => FeedFileLoader<Kind>;
} = {
  cve: createCveLoader,
  kev: createKevLoader,
  epss: createEpssLoader,
  exploit: createExploitLoader,
  weakness: createWeaknessLoader,
  advisory: createAdvisoryLoader,
  document: createDocumentLoader,
  package_advisory: createPackageAdvisoryLoader,
  network: createNetworkLoader,
  product_purls: createProductPurlsLoader,
  vex: createVexLoader,
  warning_list: createWarningListLoader,
};

/**
 * Starts loading one file of entries of this kind; it may delete at once what the file replaces. `file` is the file's name in
 * its feed: lists of networks are stored under it. `changes` gets what it changes.
 */
export function startLoad<K extends EntryKind>(
  db: DatabaseSync,
  kind: K,
  file = '',
  changes: ChangeRecorder | null = null,
): FeedFileLoader<K> {
  return LOADERS[kind](db, file, changes);
}
