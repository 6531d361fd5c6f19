import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileUpstream } from '../../feeds/upstream.ts';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { writeFileAtomically } from '../atomic-write.ts';
import { BundleError } from '../bundle-header.ts';
import { SCHEMA_VERSION } from '../schema.ts';
import { publicSyncErrorText } from '../sync/sync-errors.ts';
import { type FollowState, readFollowState, saveFollowState } from './follow-state.ts';
import { rootFileName, TIMESTAMP_FILE } from './layout.ts';
import {
  isSignedBy,
  parseMetadata,
  PublishedCatalogError,
  refusedError,
  type Root,
  Snapshot,
  type Timestamp,
} from './signed-metadata.ts';

export interface TrustedPublication {
  root: Root;
  timestamp: Timestamp;
  snapshot: Snapshot;
  /** To be called when the catalog is the published one. */
  succeeded(): void;
  /** To be called when it could not be made so. */
  failed(error: unknown): void;
}

export interface PublicationSource {
  /** Folder of the catalog. */
  folder: string;
  /** Where the catalog is published. */
  upstream: FileUpstream;
  /** The address for the state and for people, without credentials. */
  from: string;
  /** The trusted root key, as `publicKeyText`. */
  key: string;
  now: Date;
  /** Also takes a publication whose time is over, by hand: never an older one than was taken before. */
  allowExpired?: boolean;
}

const MAX_METADATA_BYTES = 16 * 1024;
const MAX_SNAPSHOT_BYTES = 4 * 1024 * 1024;
const MAX_ROOTS = 1000;
const KEPT_SNAPSHOT = 'follow-snapshot.json';

/**
 * What is published now, with all signatures checked from the configured key on, not expired, and not older than what was accepted
 * before. What was accepted, or why nothing was, is remembered. Throws `PublishedCatalogError` and errors of the upstream.
 */
export async function readTrustedPublication(
  source: PublicationSource,
  folderName: (schemaVersion: number) => string,
): Promise<TrustedPublication> {
  const { folder, from, key, now } = source;
  const known = readFollowState(folder);
  const state: FollowState = {
    ...(known !== null && trustsSameKey(known, key) ? known : NOTHING_KNOWN),
    key,
    from,
    checked_at: now.toISOString(),
    problem: null,
  };
  if (state.schema_version !== SCHEMA_VERSION) Object.assign(state, { ...NOTHING_KNOWN, root: null });
  const failed = (error: unknown): void => {
    const kind =
      error instanceof PublishedCatalogError ? error.kind : error instanceof BundleError ? 'refused' : 'failed';
    const text = kind === 'failed' ? publicSyncErrorText(error) : (error as Error).message;
    saveFollowState(folder, { ...state, problem: { kind, text } });
  };
  try {
    const publication = await readPublication(source, folderName(SCHEMA_VERSION), state);
    saveFollowState(folder, state);
    return { ...publication, failed, succeeded: () => saveFollowState(folder, { ...state, problem: null }) };
  } catch (error) {
    failed(error);
    throw error;
  }
}

const NOTHING_KNOWN = {
  root: null,
  schema_version: SCHEMA_VERSION,
  version: 0,
  snapshot_sha256: '',
  published_at: null,
  expires_at: null,
  catalog_created_at: null,
  catalog_sha256: null,
};

/** Whether the configured key is that of the state, or has come after it. */
function trustsSameKey(state: FollowState, key: string): boolean {
  return state.key === key || (state.root !== null && parseMetadata('root', state.root).root_key === key);
}

/** Reads and checks in the order of The Update Framework (specification, 5.3 to 5.6); changes `state` to what was accepted. */
async function readPublication(
  { folder: catalogFolder, upstream, key, now, allowExpired = false }: PublicationSource,
  folder: string,
  state: FollowState,
): Promise<Pick<TrustedPublication, 'root' | 'timestamp' | 'snapshot'>> {
  const root = await readTrustedRoot(upstream, folder, key, state);
  if (Date.parse(root.expires_at) < now.getTime()) {
    throw new PublishedCatalogError('frozen', `its root has expired on ${root.expires_at}`);
  }
  const text = await upstream.readText(`${folder}/${TIMESTAMP_FILE}`, MAX_METADATA_BYTES);
  if (text === null) throw refusedError(`there is no published catalog for this version of Sextant (${folder})`);
  if (!isSignedBy('timestamp', text, root.publish_key)) throw refusedError('it is not signed with a trusted key');
  const timestamp = parseMetadata('timestamp', text);
  const { version, snapshot: file } = timestamp;
  if (version < state.version) {
    throw refusedError(`it is older (version ${version}) than what was published before (version ${state.version})`);
  }
  if (version === state.version && file.sha256 !== state.snapshot_sha256) {
    throw refusedError(`there are two different publications of version ${version}`);
  }
  if (Date.parse(timestamp.expires_at) < now.getTime() && !allowExpired) {
    throw new PublishedCatalogError('frozen', `it has expired on ${timestamp.expires_at}: a newer one is due`);
  }
  if (file.bytes > MAX_SNAPSHOT_BYTES) throw refusedError('its snapshot is too large');
  const kept = readKeptSnapshot(catalogFolder);
  const isKept = kept !== null && sha256Hex(kept) === file.sha256;
  const snapshotText = isKept ? kept : await upstream.readText(`${folder}/${file.file}`, file.bytes);
  if (snapshotText === null || sha256Hex(snapshotText) !== file.sha256) {
    throw refusedError('its snapshot is not the one that was signed');
  }
  const snapshot = Snapshot.safeParse(parseBoundedJson(snapshotText));
  if (!snapshot.success || snapshot.data.schema_version !== SCHEMA_VERSION) {
    throw refusedError('its snapshot cannot be read by this version of Sextant');
  }
  if (!isKept) writeFileAtomically(join(catalogFolder, KEPT_SNAPSHOT), snapshotText);
  const { created_at, sha256 } = snapshot.data.catalog;
  Object.assign(state, {
    version,
    snapshot_sha256: file.sha256,
    published_at: timestamp.published_at,
    expires_at: timestamp.expires_at,
    catalog_created_at: created_at,
    catalog_sha256: sha256,
  });
  return { root, timestamp, snapshot: snapshot.data };
}

/** The snapshot that was read last: a check that finds nothing new reads the timestamp alone. */
function readKeptSnapshot(folder: string): string | null {
  try {
    return readFileSync(join(folder, KEPT_SNAPSHOT), 'utf8');
  } catch {
    return null;
  }
}

/** Follows the roots from the one that the configured key signed, or that was trusted before, to the newest. */
async function readTrustedRoot(upstream: FileUpstream, folder: string, key: string, state: FollowState): Promise<Root> {
  let trusted = state.root === null ? null : parseMetadata('root', state.root);
  for (let version = (trusted?.version ?? 0) + 1; version < MAX_ROOTS; version++) {
    const text = await upstream.readText(`${folder}/${rootFileName(version)}`, MAX_METADATA_BYTES);
    if (text === null) break;
    const root = parseMetadata('root', text);
    const isSigned = isSignedBy('root', text, root.root_key) && root.version === version;
    if (trusted === null) {
      // Roots before the one of the configured key were of keys that are no longer used.
      if (!isSigned || root.root_key !== key) continue;
    } else if (!isSigned || !isSignedBy('root', text, trusted.root_key)) {
      throw refusedError(`its root ${version} is not signed with the root key before it`);
    }
    // After a stolen key published a version that is too high, the next key starts anew.
    if (trusted !== null && trusted.publish_key !== root.publish_key)
      Object.assign(state, { version: 0, snapshot_sha256: '' });
    trusted = root;
    state.root = text;
  }
  if (trusted === null) throw refusedError('none of its roots is signed with the configured key (SEXTANT_CATALOG_KEY)');
  return trusted;
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
