import type { KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fsyncPath, writeFileAtomically } from '../atomic-write.ts';
import { exportBundle, MAX_WINDOW_LOG, unpackDatabase } from '../bundle.ts';
import { verifyBundleDatabase } from '../bundle-checks.ts';
import { readBundleHeader } from '../bundle-header.ts';
import { tryLockCatalog } from '../catalog-lock.ts';
import { hashFile } from '../database-file.ts';
import { type Generation, readCurrentGeneration } from '../generation.ts';
import { SCHEMA_VERSION } from '../schema.ts';
import { SyncBusyError } from '../sync/sync-errors.ts';
import { encodeDelta } from './delta-file.ts';
import {
  parseMetadata,
  publicKeyText,
  type PublishedDelta,
  type PublishedFile,
  refusedError,
  type Root,
  signMetadata,
  Snapshot,
  Timestamp,
} from './signed-metadata.ts';
import { rootFileName, schemaFolder, TIMESTAMP_FILE } from './layout.ts';

export interface PublishOptions {
  /** Folder of the catalog. */
  folder: string;
  /** Folder that is published; made where there is none. */
  target: string;
  /** Ed25519; signs what is current. */
  publishKey: KeyObject;
  /** Ed25519; signs which keys are trusted. Needed when that changes or runs out; null: `publishKey` where that is the root key, too. */
  rootKey?: KeyObject | null;
  /** The root key until now, where `rootKey` takes its place. */
  oldRootKey?: KeyObject | null;
  now: Date;
  /** How long followers trust this publication to be the newest. */
  expiresDays?: number;
  /** Deltas that are kept. */
  keepDeltas?: number;
  /** Of the full catalog. Default: as small as can be, which takes minutes for a catalog of all feeds. */
  compression?: { level: number; windowLog: number };
  signal?: AbortSignal;
}

export interface PublishResult {
  /** Of the timestamp. */
  version: number;
  expires_at: string;
  root_version: number;
  root_expires_at: string;
  /** False: the catalog is the one that was published before, and only its expiry was renewed. */
  is_new: boolean;
  catalog: Generation;
  full: PublishedFile;
  /** From the catalog published before; null: there was none, or too much differs. */
  delta: PublishedDelta | null;
  removed: string[];
}

/** Publishing each day, a weekend may pass with a broken publisher before followers call the catalog too old. */
const DEFAULT_EXPIRES_DAYS = 4;
const DEFAULT_KEEP_DELTAS = 30;
const ROOT_EXPIRES_DAYS = 730;
const DAY_MS = 86_400_000;
/** Read by machines that fetch it for the first time: packing it well costs minutes and a gigabyte of memory once. */
const FULL_COMPRESSION = { level: 19, windowLog: MAX_WINDOW_LOG };
const UNFINISHED = '.tmp';

/**
 * Publishes the current generation into a folder of files, which replace the ones before at the very end: `timestamp.txt` is written
 * last, and what the timestamp before named stays. Null if there is no generation. Throws `PublishedCatalogError` where the keys do not
 * fit what is published there, `SyncBusyError` while another process writes the catalog, `UnusableFileError`, `BundleError`.
 */
export async function publishCatalog(options: PublishOptions): Promise<PublishResult | null> {
  const lock = tryLockCatalog(options.folder);
  if (lock === null) throw new SyncBusyError();
  try {
    const generation = readCurrentGeneration(options.folder);
    return generation === null ? null : await publishGenerationFiles(generation, options);
  } finally {
    lock.release();
  }
}

async function publishGenerationFiles(generation: Generation, options: PublishOptions): Promise<PublishResult> {
  const { now, publishKey, expiresDays = DEFAULT_EXPIRES_DAYS } = options;
  const target = schemaFolder(options.target, SCHEMA_VERSION);
  mkdirSync(target, { recursive: true });
  removeUnfinished(target);
  const root = renewRoot(target, options);
  const before = readPublished(target);
  const database = join(options.folder, generation.file);
  const sha256 = generation.sha256 ?? hashFile(database);
  const { created_at, sources } = generation;
  const isNew = before?.snapshot.catalog.sha256 !== sha256;
  // Followers trust what is signed here.
  if (isNew) verifyBundleDatabase(database);
  const full = isNew ? await publishFull(target, sha256, options) : before.snapshot.full;
  const delta =
    isNew && before !== null ? await publishDelta(target, before.snapshot, database, sha256, options) : null;
  const deltas = keptDeltas([...(before?.snapshot.deltas ?? []), ...(delta === null ? [] : [delta])], full, options);
  const snapshot: Snapshot = {
    schema_version: SCHEMA_VERSION,
    catalog: { sha256, bytes: statSync(database).size, created_at, sources },
    full,
    deltas,
  };
  // Also higher than what was published into a folder that was lost since.
  const version = Math.max((before?.timestamp.version ?? 0) + 1, Math.floor(now.getTime() / 1000));
  const timestamp: Timestamp = {
    version,
    published_at: now.toISOString(),
    expires_at: new Date(now.getTime() + expiresDays * DAY_MS).toISOString(),
    snapshot: publishText(target, `snapshot-${version}.json`, JSON.stringify(snapshot)),
  };
  fsyncPath(target);
  writeFileAtomically(join(target, TIMESTAMP_FILE), signMetadata('timestamp', timestamp, [publishKey]));
  fsyncPath(target);
  const removed = removeUnnamed(
    target,
    [snapshot, before?.snapshot ?? null],
    [timestamp.snapshot.file, before?.timestamp.snapshot.file ?? ''],
  );
  const { expires_at } = timestamp;
  return {
    version,
    expires_at,
    root_version: root.version,
    root_expires_at: root.expires_at,
    is_new: isNew,
    catalog: generation,
    full,
    delta,
    removed,
  };
}

/** The newest root of the folder; a new one where keys change, or where the root key is at hand and half of its time is over. */
function renewRoot(
  target: string,
  { publishKey, rootKey: given = null, oldRootKey = null, now }: PublishOptions,
): Root {
  const publish_key = publicKeyText(publishKey);
  const current = readNewestRoot(target);
  const isOwnRoot = current === null || current.root_key === publish_key;
  const rootKey = given ?? (isOwnRoot ? publishKey : null);
  const root_key = rootKey === null ? current!.root_key : publicKeyText(rootKey);
  const isSame = current !== null && current.root_key === root_key && current.publish_key === publish_key;
  const leftDays = current === null ? 0 : (Date.parse(current.expires_at) - now.getTime()) / DAY_MS;
  if (isSame && (rootKey === null || leftDays > ROOT_EXPIRES_DAYS / 2)) {
    if (leftDays <= 0) throw refusedError('the root of the published catalog has expired: publish with the root key');
    return current;
  }
  if (rootKey === null) {
    throw refusedError('the published catalog names another publishing key: to change it, publish with the root key');
  }
  const signers = [rootKey];
  if (current !== null && current.root_key !== root_key) {
    if (oldRootKey === null || publicKeyText(oldRootKey) !== current.root_key) {
      throw refusedError(
        'the published catalog has another root key: to change it, publish with the old root key, too',
      );
    }
    signers.push(oldRootKey);
  }
  const root: Root = {
    version: (current?.version ?? 0) + 1,
    expires_at: new Date(now.getTime() + ROOT_EXPIRES_DAYS * DAY_MS).toISOString(),
    root_key,
    publish_key,
  };
  writeFileAtomically(join(target, rootFileName(root.version)), signMetadata('root', root, signers));
  return root;
}

function readNewestRoot(target: string): Root | null {
  let newest: Root | null = null;
  for (let version = 1; existsSync(join(target, rootFileName(version))); version++) {
    newest = parseMetadata('root', readFileSync(join(target, rootFileName(version)), 'utf8'));
  }
  return newest;
}

/** What the folder publishes now; null: nothing, or nothing that can be built on. */
function readPublished(target: string): { timestamp: Timestamp; snapshot: Snapshot } | null {
  if (!existsSync(join(target, TIMESTAMP_FILE))) return null;
  const timestamp = parseMetadata('timestamp', readFileSync(join(target, TIMESTAMP_FILE), 'utf8'));
  try {
    const snapshot = Snapshot.parse(JSON.parse(readFileSync(join(target, timestamp.snapshot.file), 'utf8')));
    return existsSync(join(target, snapshot.full.file)) ? { timestamp, snapshot } : null;
  } catch {
    return null;
  }
}

async function publishFull(
  target: string,
  sha256: string,
  { folder, publishKey, compression = FULL_COMPRESSION, signal }: PublishOptions,
): Promise<PublishedFile> {
  const file = `catalog-${sha256.slice(0, 16)}.sextant`;
  const path = join(target, file);
  await exportBundle({ folder, file: path, privateKey: publishKey, compression, signal });
  return { file, bytes: statSync(path).size, sha256: hashFile(path) };
}

/** The delta from the catalog that was published before, whose database is unpacked for it. */
async function publishDelta(
  target: string,
  before: Snapshot,
  database: string,
  to: string,
  { signal }: PublishOptions,
): Promise<PublishedDelta | null> {
  const from = before.catalog.sha256;
  const old = join(target, `${from.slice(0, 16)}${UNFINISHED}`);
  try {
    await using bundle = await open(join(target, before.full.file));
    const { manifest, length } = await readBundleHeader(bundle, null);
    if (manifest.database_sha256 !== from) return null;
    await unpackDatabase(bundle, length, manifest, old, signal);
    const delta = encodeDelta(old, database);
    if (delta === null) return null;
    const file = `delta-${from.slice(0, 16)}-${to.slice(0, 16)}.sextant`;
    writeFileAtomically(join(target, file), delta);
    return { from, to, file, bytes: delta.length, sha256: hashFile(join(target, file)) };
  } finally {
    rmSync(old, { force: true });
  }
}

/** The newest ones that together are smaller than the whole catalog: longer ways nobody would take. */
function keptDeltas(
  deltas: readonly PublishedDelta[],
  full: PublishedFile,
  { keepDeltas = DEFAULT_KEEP_DELTAS }: PublishOptions,
): PublishedDelta[] {
  let bytes = 0;
  const newestFirst = deltas.toReversed().slice(0, keepDeltas);
  const tooFar = newestFirst.findIndex((delta) => (bytes += delta.bytes) >= full.bytes);
  return (tooFar === -1 ? newestFirst : newestFirst.slice(0, tooFar)).toReversed();
}

function publishText(target: string, file: string, text: string): PublishedFile {
  writeFileAtomically(join(target, file), text);
  return { file, bytes: Buffer.byteLength(text), sha256: hashFile(join(target, file)) };
}

/** Removes what neither this publication nor the one before names: a follower may just be reading the one before. */
function removeUnnamed(target: string, snapshots: readonly (Snapshot | null)[], others: readonly string[]): string[] {
  const named = new Set(others);
  for (const snapshot of snapshots) {
    if (snapshot === null) continue;
    for (const { file } of [snapshot.full, ...snapshot.deltas]) named.add(file);
  }
  const removed = readdirSync(target).filter(
    (name) => /^(?:catalog|delta)-.*\.sextant$|^snapshot-\d+\.json$/.test(name) && !named.has(name),
  );
  for (const name of removed) rmSync(join(target, name), { force: true });
  return removed;
}

function removeUnfinished(target: string): void {
  for (const name of readdirSync(target)) if (name.endsWith(UNFINISHED)) rmSync(join(target, name), { force: true });
}
