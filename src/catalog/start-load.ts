import type { DatabaseSync } from 'node:sqlite';
import type { EntryKind } from '../feeds/entries.ts';
import { advisoryLoader, cveLoader } from './loaders/cve-loader.ts';
import { documentLoader } from './loaders/document-loader.ts';
import type { FeedFileLoader } from './loaders/feed-file-loader.ts';
import { epssLoader, exploitLoader, kevLoader, networkLoader, weaknessLoader } from './loaders/list-loaders.ts';
import { productPurlsLoader } from './loaders/product-purls-loader.ts';
import { packageAdvisoryLoader } from './loaders/package-advisory-loader.ts';
import { vexLoader } from './vex-statements.ts';

const LOADERS: { [Kind in EntryKind]: (db: DatabaseSync, file: string) => FeedFileLoader<Kind> } = {
  cve: cveLoader,
  kev: kevLoader,
  epss: epssLoader,
  exploit: exploitLoader,
  weakness: weaknessLoader,
  advisory: advisoryLoader,
  document: documentLoader,
  package_advisory: packageAdvisoryLoader,
  network: networkLoader,
  product_purls: productPurlsLoader,
  vex: vexLoader,
};

/**
 * Starts loading one file of entries of this kind; it may delete at once what the file replaces. `file` is the file's name in
 * its feed: lists of networks are stored under it.
 */
export function startLoad<K extends EntryKind>(db: DatabaseSync, kind: K, file = ''): FeedFileLoader<K> {
  return LOADERS[kind](db, file);
}
