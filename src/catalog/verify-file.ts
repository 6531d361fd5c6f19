import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashFile, inspectDatabaseFile, stampOf, UnusableFileError } from './database-file.ts';
import { writeFileAtomically } from './atomic-write.ts';

/**
 * Which catalog file was last read whole and found to be what its checksum says, and its stamp at that moment: a file that still has
 * that stamp has not been written since, and is opened without reading it whole again. See docs/decisions/010-catalog-checksums.md.
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

/** The same, for a folder that cannot be written. */
const verifiedInMemory = new Map<string, Verification>();

/** A file whose checksum is known; catalogs made before checksums were written have none. */
export interface ExpectedFile {
  file: string;
  bytes?: number | undefined;
  sha256?: string | undefined;
}

/** Throws `UnusableFileError` where the file is not what it was when it was finished. Reads it whole where nobody has since it changed. */
export function verifyFile(folder: string, { file, bytes, sha256 }: ExpectedFile): void {
  const head = inspectDatabaseFile(join(folder, file));
  if (bytes !== undefined && head.bytes !== bytes) throw new UnusableFileError('damaged', 'does not have its size');
  if (sha256 === undefined || isVerified(folder, file, head.stamp, sha256)) return;
  if (hashFile(join(folder, file)) !== sha256) throw checksumMismatchError();
  rememberVerified(folder, file, head.stamp, sha256);
}

/** Whether `checkFile` would have to read the file whole. Does not open it. */
export function needsFullRead(folder: string, { file, sha256 }: ExpectedFile): boolean {
  return sha256 !== undefined && !isVerified(folder, file, stampOf(join(folder, file)), sha256);
}

/** Size and SHA-256 of a finished file, read whole unless that was done before; with the stamp that it had then. */
export function checksumOf(folder: string, file: string): { bytes: number; sha256: string; stamp: string } {
  const { stamp, bytes } = inspectDatabaseFile(join(folder, file));
  const known = readVerification(folder, file);
  return { bytes, stamp, sha256: known?.stamp === stamp ? known.sha256 : hashFile(join(folder, file)) };
}

export function rememberVerified(folder: string, file: string, stamp: string, sha256: string): void {
  const checked = { file, stamp, sha256, checked_at: new Date().toISOString() };
  verifiedInMemory.set(folder, checked);
  try {
    writeFileAtomically(join(folder, VERIFICATION_FILE), JSON.stringify(checked));
  } catch {
    // A folder that cannot be written: every process checks for itself.
  }
}

/** So that the file is read whole before it answers again. */
export function forgetVerified(folder: string): void {
  verifiedInMemory.delete(folder);
  try {
    rmSync(join(folder, VERIFICATION_FILE), { force: true });
  } catch {
    // As above.
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
  const own = verifiedInMemory.get(folder);
  const known = own?.file === file ? own : readStoredVerification(folder);
  return known?.file === file ? known : null;
}

function readStoredVerification(folder: string): Verification | null {
  try {
    return Verification.parse(JSON.parse(readFileSync(join(folder, VERIFICATION_FILE), 'utf8')));
  } catch {
    return null;
  }
}
