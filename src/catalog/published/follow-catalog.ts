import { copyFileSync, constants as fsConstants, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fsyncPath } from '../atomic-write.ts';
import { importBundle, requireFreeSpace, sourcesOfCopy } from '../bundle.ts';
import { verifyCatalogOpens } from '../bundle-checks.ts';
import { BundleError } from '../bundle-header.ts';
import { tryLockCatalog } from '../catalog-lock.ts';
import { hashFile, inspectDatabaseFile, UnusableFileError } from '../database-file.ts';
import {
  createDatabaseName,
  finishDatabase,
  type Generation,
  publishGeneration,
  readUsableGeneration,
  removeOldGenerations,
  unfinishedPath,
} from '../generation.ts';
import { recoverGeneration } from '../recover-generation.ts';
import { SyncBusyError } from '../sync/sync-errors.ts';
import { applyDelta } from './delta-file.ts';
import { downloadFile, removeDownloads } from './download-file.ts';
import { findDeltaPath } from './delta-path.ts';
import { schemaFolderName } from './layout.ts';
import { type PublishedDelta, refusedError, type Snapshot } from './signed-metadata.ts';
import { type PublicationSource, readTrustedPublication, type TrustedPublication } from './trusted-publication.ts';

export interface FollowOptions extends PublicationSource {
  signal?: AbortSignal | undefined;
}

export interface FollowResult {
  result: 'unchanged' | 'updated';
  /** How it came here; null: unchanged. */
  by: { kind: 'deltas' | 'full'; files: number; bytes: number } | null;
  generation: Generation;
  version: number;
  expires_at: string;
}

/**
 * Makes the published catalog the current one: checks its signatures and that it is neither expired nor older than what was seen
 * before, fetches the smallest way to it, and makes the result current once its bytes are the publisher's. Whatever fails, the
 * catalog stays as it was, and the state says why. Throws `PublishedCatalogError`, `BundleError`, `SyncBusyError`, and errors of the
 * upstream and the operating system.
 */
export async function followCatalog(options: FollowOptions): Promise<FollowResult> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const publication = await readTrustedPublication(options, schemaFolderName);
  const { snapshot, timestamp } = publication;
  const base = lockedRecovery(folder);
  const { version, expires_at } = timestamp;
  if (base?.sha256 === snapshot.catalog.sha256) {
    const generation = withLock(folder, () => updateSources(folder, snapshot)) ?? base;
    publication.succeeded();
    return { result: 'unchanged', by: null, generation, version, expires_at };
  }
  try {
    const { generation, by } = await fetchCatalog(options, publication, base);
    publication.succeeded();
    removeDownloads(folder);
    return { result: 'updated', by, generation, version, expires_at };
  } catch (error) {
    publication.failed(error);
    throw error;
  }
}

/** The usable generation, with damaged ones put aside; throws `SyncBusyError` while another process writes the catalog. */
function lockedRecovery(folder: string): Generation | null {
  return readUsableGeneration(folder) ?? withLock(folder, () => recoverGeneration(folder).generation);
}

function withLock<T>(folder: string, act: () => T): T {
  const lock = tryLockCatalog(folder);
  if (lock === null) throw new SyncBusyError();
  try {
    return act();
  } finally {
    lock.release();
  }
}

/** The publisher read its feeds again and nothing had changed: only their states are new. */
function updateSources(folder: string, { catalog }: Snapshot): Generation | null {
  const current = readUsableGeneration(folder);
  const sources = sourcesOfCopy(catalog.sources);
  if (current === null || current.sha256 !== catalog.sha256) return null;
  if (JSON.stringify(current.sources) === JSON.stringify(sources)) return current;
  return publishGeneration(folder, { ...current, sources });
}

async function fetchCatalog(
  options: FollowOptions,
  publication: TrustedPublication,
  base: Generation | null,
): Promise<{ generation: Generation; by: NonNullable<FollowResult['by']> }> {
  const { snapshot } = publication;
  const path = base?.sha256 === undefined ? null : findDeltaPath(snapshot, base.sha256);
  if (base !== null && path !== null) {
    try {
      const generation = await followDeltas(options, snapshot, base, path);
      const bytes = path.reduce((sum, delta) => sum + delta.bytes, 0);
      return { generation, by: { kind: 'deltas', files: path.length, bytes } };
    } catch (error) {
      // The file here, or a delta, is not what it should be: the whole catalog does not depend on either.
      if (!(error instanceof BundleError || error instanceof UnusableFileError)) throw error;
    }
  }
  const generation = await followFull(options, publication);
  return { generation, by: { kind: 'full', files: 1, bytes: snapshot.full.bytes } };
}

async function followDeltas(
  options: FollowOptions,
  snapshot: Snapshot,
  base: Generation,
  path: readonly PublishedDelta[],
): Promise<Generation> {
  const { folder, now } = options;
  const { sha256, bytes, created_at, sources } = snapshot.catalog;
  const files: string[] = [];
  await requireFreeSpace(folder, bytes + path.reduce((sum, delta) => sum + delta.bytes, 0));
  for (const delta of path) files.push(await downloadFile(options, schemaFolderName(snapshot.schema_version), delta));
  return withLock(folder, () => {
    const generation: Generation = {
      file: createDatabaseName(folder, now),
      created_at,
      sources: sourcesOfCopy(sources),
      sha256,
    };
    const draft = unfinishedPath(folder, generation.file);
    removeOldGenerations(folder, base.file);
    try {
      copyFileSync(join(folder, base.file), draft, fsConstants.COPYFILE_FICLONE);
      for (const file of files) applyDelta(draft, readFileSync(file));
      inspectDatabaseFile(draft);
      if (hashFile(draft) !== sha256) throw new BundleError('the deltas do not lead to the published catalog');
      fsyncPath(draft);
      finishDatabase(folder, generation.file);
      verifyCatalogOpens(folder, generation);
      return publishGeneration(folder, generation);
    } catch (error) {
      rmSync(draft, { force: true });
      rmSync(join(folder, generation.file), { force: true });
      throw error;
    }
  });
}

/** The signed snapshot has the hash of the file: its own signature, perhaps of a key before, adds nothing. */
async function followFull(options: FollowOptions, { snapshot }: TrustedPublication): Promise<Generation> {
  const { folder, now, signal } = options;
  const { full, catalog } = snapshot;
  await requireFreeSpace(folder, full.bytes + catalog.bytes);
  const file = await downloadFile(options, schemaFolderName(snapshot.schema_version), full);
  const { generation } = await importBundle({
    folder,
    file,
    sources: catalog.sources,
    now,
    signal,
  });
  if (generation.sha256 !== catalog.sha256) throw refusedError('its full catalog is not the one that it announces');
  return generation;
}
