import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashFile, inspectDatabaseFile, stampOf, UnusableFileError } from './database-file.ts';
import { writeFileAtomically } from './atomic-write.ts';

/**
 * The last successful verification of a catalog file: it was read whole and matched its checksum. While the file has the same
 * stamp it has not been written to, and it is opened without reading it whole again. See docs/decisions/010-catalog-checksums.md.
 */
const Verification = z.object({
  file: z.string(),
  stamp: z.string(),
  sha256: z.string(),
  /** ISO 8601. */
  checked_at: z.string(),
});
type Verification = z.infer<typeof Verification>;

const VERIFICATION_FILE = 'checked.json';

/** By folder; for folders that cannot be written to. */
const verifiedInMemory = new Map<string, Verification>();

/** A file and what is known about it; catalogs of earlier versions have no checksum. */
export interface ExpectedFile {
  file: string;
  bytes?: number | undefined;
  sha256?: string | undefined;
}

/**
 * Throws `UnusableFileError` if the file has changed since it was finished. Reads it whole if it was not verified since its last
 * change.
 */
export function verifyFile(folder: string, { file, bytes, sha256 }: ExpectedFile): void {
  const path = join(folder, file);
  const found = inspectDatabaseFile(path);
  if (bytes !== undefined && found.bytes !== bytes) throw new UnusableFileError('damaged', 'does not have its size');
  if (sha256 === undefined || isVerified(folder, file, found.stamp, sha256)) return;
  if (hashFile(path) !== sha256) throw checksumMismatchError();
  saveVerification(folder, file, found.stamp, sha256);
}

/** Whether `verifyFile` would have to read the file whole. Does not open the file. */
export function needsFullRead(folder: string, { file, sha256 }: ExpectedFile): boolean {
  return sha256 !== undefined && !isVerified(folder, file, stampOf(join(folder, file)), sha256);
}

/** Size, SHA-256 and stamp of a finished file. Reads the file whole unless it was verified since its last change. */
export function checksumOf(folder: string, file: string): { bytes: number; sha256: string; stamp: string } {
  const { stamp, bytes } = inspectDatabaseFile(join(folder, file));
  const known = readVerification(folder, file);
  return { bytes, stamp, sha256: known?.stamp === stamp ? known.sha256 : hashFile(join(folder, file)) };
}

/** Stores, on disk where possible, that the file with this stamp was read whole and has this SHA-256. */
export function saveVerification(folder: string, file: string, stamp: string, sha256: string): void {
  const checked = { file, stamp, sha256, checked_at: new Date().toISOString() };
  verifiedInMemory.set(folder, checked);
  try {
    writeFileAtomically(join(folder, VERIFICATION_FILE), JSON.stringify(checked));
  } catch {
    // The folder cannot be written to: each process verifies for itself.
  }
}

/** Deletes the stored verification of a folder: its file is read whole before it is used again. */
export function clearVerification(folder: string): void {
  verifiedInMemory.delete(folder);
  try {
    rmSync(join(folder, VERIFICATION_FILE), { force: true });
  } catch {
    // As in `saveVerification`.
  }
}

/** When the file was last read whole, in milliseconds since 1970; null where that is not known. */
export function lastVerifiedAtMs(folder: string, file: string): number | null {
  const checked = readVerification(folder, file);
  return checked === null ? null : Date.parse(checked.checked_at);
}

export function checksumMismatchError(): UnusableFileError {
  return new UnusableFileError('damaged', 'is damaged (its checksum is wrong)');
}

function isVerified(folder: string, file: string, stamp: string, sha256: string): boolean {
  const known = readVerification(folder, file);
  return known !== null && known.stamp === stamp && known.sha256 === sha256;
}

function readVerification(folder: string, file: string): Verification | null {
  const inMemory = verifiedInMemory.get(folder);
  const known = inMemory?.file === file ? inMemory : readStoredVerification(folder);
  return known?.file === file ? known : null;
}

function readStoredVerification(folder: string): Verification | null {
  try {
    return Verification.parse(JSON.parse(readFileSync(join(folder, VERIFICATION_FILE), 'utf8')));
  } catch {
    return null;
  }
}
