import { createHash, type Hash, type KeyObject, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress, constants as zlib } from 'node:zlib';
import {
  byteLimitTransform,
  verifyCatalogOpens,
  verifyBundleDatabase,
  verifyBundleSizes,
  headerCheckTransform,
  schemaMismatchError,
} from './bundle-checks.ts';
import { type BundleManifest, damagedBundleError, encodeBundleHeader, readBundleHeader } from './bundle-header.ts';
import { Catalog } from './catalog.ts';
import { checksumMismatchError } from './verify-file.ts';
import {
  DamagedPointerError,
  finishDatabase,
  type Generation,
  createDatabaseName,
  POINTER_FILE,
  publishGeneration,
  readCurrentGeneration,
  removeOldGenerations,
  quarantineFile,
  unfinishedPath,
  readUsableGeneration,
} from './generation.ts';
import { tryLockCatalog } from './catalog-lock.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { SyncBusyError } from './sync/sync-errors.ts';

/**
 * A bundle is one file that holds one generation of the catalog, for machines that cannot sync. It is written and read as a
 * stream: the memory used does not depend on the size of the catalog.
 */

const DEFAULT_COMPRESSION = { level: 6, windowLog: 0 };
/** Of the window that unpacking keeps in memory: 128 MB. */
export const MAX_WINDOW_LOG = 27;
const CHUNK_BYTES = 1024 * 1024;
const HASH_PLACEHOLDER = '0'.repeat(64);
/** Left free on the disk for other files. */
const RESERVED_DISK_BYTES = 64 * 1024 ** 2;

export interface ExportOptions {
  folder: string;
  /** First written under a temporary name in the same folder. */
  file: string;
  /** Ed25519; signs the manifest. */
  privateKey?: KeyObject | null;
  /** Of zstd; a window of 0 is the level's own, at most `MAX_WINDOW_LOG`. Default: quick. */
  compression?: { level: number; windowLog: number };
  signal?: AbortSignal | undefined;
}

/**
 * Writes the current generation to `file`, which is replaced if it exists. Null if there is no generation. Throws
 * `UnusableFileError` if the catalog file has changed since it was finished.
 */
export async function exportBundle({
  folder,
  file,
  privateKey = null,
  compression = DEFAULT_COMPRESSION,
  signal,
}: ExportOptions): Promise<BundleManifest | null> {
  const opened = await openCurrentDatabase(folder);
  if (opened === null) return null;
  const { generation, database } = opened;
  const temporary = `${file}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    const { size } = await database.stat();
    const manifest: BundleManifest = {
      schema_version: SCHEMA_VERSION,
      created_at: generation.created_at,
      sources: generation.sources,
      database_bytes: size,
      database_sha256: HASH_PLACEHOLDER,
      payload_sha256: HASH_PLACEHOLDER,
    };
    await using target = await open(temporary, 'wx');
    // The header holds the hashes of the payload, so it is written last, into the space left free for it.
    const headerBytes = encodeBundleHeader(manifest, privateKey).length;
    await target.writeFile(Buffer.alloc(headerBytes));
    const [unpacked, packed] = [createHash('sha256'), createHash('sha256')];
    await pipeline(
      database.createReadStream({ highWaterMark: CHUNK_BYTES }),
      hashTransform(unpacked),
      createZstdCompress({
        params: {
          [zlib.ZSTD_c_compressionLevel]: compression.level,
          [zlib.ZSTD_c_windowLog]: compression.windowLog,
          // The level's own tables find nothing that is further back than some megabytes.
          [zlib.ZSTD_c_chainLog]: compression.windowLog,
          [zlib.ZSTD_c_hashLog]: Math.max(0, compression.windowLog - 1),
        },
      }),
      hashTransform(packed),
      (bytes) => target.writeFile(bytes),
      { signal },
    );
    manifest.database_sha256 = unpacked.digest('hex');
    if (generation.sha256 !== undefined && generation.sha256 !== manifest.database_sha256)
      throw checksumMismatchError();
    manifest.payload_sha256 = packed.digest('hex');
    await target.write(encodeBundleHeader(manifest, privateKey), 0, headerBytes, 0);
    await target.sync();
    await rename(temporary, file);
    return manifest;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await database.close();
  }
}

export interface ImportOptions {
  folder: string;
  file: string;
  /** If given, only a bundle signed with the matching private key is accepted. */
  publicKey?: KeyObject | null;
  now: Date;
  /** States of the feeds, where they are newer than those in the bundle. */
  sources?: Generation['sources'];
  signal?: AbortSignal | undefined;
}

/**
 * Checks the whole bundle, then makes it the current generation. Throws `BundleError` if it is refused and `SyncBusyError`
 * while another process writes the catalog; the catalog then stays as it was.
 */
export async function importBundle(
  options: ImportOptions,
): Promise<{ generation: Generation; replaced: Generation | null }> {
  const { folder, file, publicKey = null, now, signal } = options;
  await using bundle = await open(file);
  const { manifest, length } = await readBundleHeader(bundle, publicKey);
  if (manifest.schema_version !== SCHEMA_VERSION) throw schemaMismatchError(manifest.schema_version);
  verifyBundleSizes(manifest, (await bundle.stat()).size - length);
  mkdirSync(folder, { recursive: true });
  await requireFreeSpace(folder, manifest.database_bytes);
  const lock = tryLockCatalog(folder);
  if (lock === null) throw new SyncBusyError();
  const generation: Generation = {
    file: createDatabaseName(folder, now),
    created_at: manifest.created_at,
    // The data is as old as the bundle says: it was not read from the upstreams now.
    sources: sourcesOfCopy(options.sources ?? manifest.sources),
  };
  const path = unfinishedPath(folder, generation.file);
  try {
    const replaced = readCurrentOrQuarantine(folder);
    // As at the start of a sync, older generations are removed. If the current one is damaged they stay: one may be undamaged.
    if (readUsableGeneration(folder) !== null) removeOldGenerations(folder, replaced?.file ?? null);
    await unpackDatabase(bundle, length, manifest, path, signal);
    verifyBundleDatabase(path);
    finishDatabase(folder, generation.file);
    verifyCatalogOpens(folder, generation);
    return { generation: publishGeneration(folder, generation), replaced };
  } catch (error) {
    rmSync(path, { force: true });
    rmSync(join(folder, generation.file), { force: true });
    throw error;
  } finally {
    lock.release();
  }
}

/** The states of feeds in a catalog that another machine synced. */
export function sourcesOfCopy(sources: Generation['sources']): Generation['sources'] {
  return Object.fromEntries(Object.entries(sources).map(([id, state]) => [id, { ...state, from_origin: false }]));
}

/** The current generation. A damaged pointer file is quarantined, because the import writes a new one: then null. */
function readCurrentOrQuarantine(folder: string): Generation | null {
  try {
    return readCurrentGeneration(folder);
  } catch (error) {
    if (!(error instanceof DamagedPointerError)) throw error;
    quarantineFile(folder, POINTER_FILE);
    return null;
  }
}

/** Throws ENOSPC where so many bytes would fill the disk. */
export async function requireFreeSpace(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed + RESERVED_DISK_BYTES) {
    throw Object.assign(new Error('the disk has no room for the catalog'), { code: 'ENOSPC' });
  }
}

/** Unpacks the database behind the header, which has `start` bytes, and compares its hashes. Throws `BundleError`. */
export async function unpackDatabase(
  bundle: FileHandle,
  start: number,
  manifest: BundleManifest,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const [packed, unpacked] = [createHash('sha256'), createHash('sha256')];
  await using target = await open(path, 'wx');
  try {
    await pipeline(
      bundle.createReadStream({ start, highWaterMark: CHUNK_BYTES }),
      hashTransform(packed),
      createZstdDecompress({ params: { [zlib.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } }),
      byteLimitTransform(manifest.database_bytes),
      headerCheckTransform(manifest.database_bytes),
      hashTransform(unpacked),
      (bytes) => target.writeFile(bytes),
      { signal },
    );
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw /^(ZSTD|Z)_/.test(code) ? damagedBundleError('it was cut off or altered and cannot be unpacked') : error;
  }
  if (packed.digest('hex') !== manifest.payload_sha256) throw damagedBundleError('its content was altered');
  if (unpacked.digest('hex') !== manifest.database_sha256)
    throw damagedBundleError('its database is not the one of its manifest');
  await target.sync();
}

/** The current generation with its database file open: it stays readable when a sync replaces it. */
async function openCurrentDatabase(folder: string): Promise<{ generation: Generation; database: FileHandle } | null> {
  for (let attempt = 0; ; attempt++) {
    const generation = readCurrentGeneration(folder);
    if (generation === null) return null;
    try {
      new Catalog(folder, generation).close();
      return { generation, database: await open(join(folder, generation.file)) };
    } catch (error) {
      // A sync may have replaced it between reading the pointer and opening the file: try once more.
      if (attempt > 0) throw error;
    }
  }
}

function hashTransform(hash: Hash): (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> {
  return async function* (source) {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
}
