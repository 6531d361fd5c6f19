import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashFile, readHead, stampOf, UnusableFileError } from './database-file.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Which catalog file was last read whole and found to be what its checksum says, and its stamp at that moment: a file that still has
 * that stamp has not been written since, and is opened without reading it whole again. See docs/decisions/010-catalog-checksums.md.
 */
const CheckedFile = z.object({
  file: z.string(),
  stamp: z.string(),
  sha256: z.string(),
  /** ISO 8601. */
  checked_at: z.string(),
});
type CheckedFile = z.infer<typeof CheckedFile>;

const NAME = 'checked.json';

/** The same, for a folder that cannot be written. */
const inThisProcess = new Map<string, CheckedFile>();

/** A file whose checksum is known; catalogs made before checksums were written have none. */
export interface FileToCheck {
  file: string;
  bytes?: number | undefined;
  sha256?: string | undefined;
}

/** Throws `UnusableFileError` where the file is not what it was when it was finished. Reads it whole where nobody has since it changed. */
export function checkFile(folder: string, { file, bytes, sha256 }: FileToCheck): void {
  const head = readHead(join(folder, file));
  if (bytes !== undefined && head.bytes !== bytes) throw new UnusableFileError('damaged', 'does not have its size');
  if (sha256 === undefined || isChecked(folder, file, head.stamp, sha256)) return;
  if (hashFile(join(folder, file)) !== sha256) throw wrongChecksum();
  rememberChecked(folder, file, head.stamp, sha256);
}

/** Whether `checkFile` would have to read the file whole. Does not open it. */
export function needsReading(folder: string, { file, sha256 }: FileToCheck): boolean {
  return sha256 !== undefined && !isChecked(folder, file, stampOf(join(folder, file)), sha256);
}

/** Size and SHA-256 of a finished file, read whole unless that was done before; with the stamp that it had then. */
export function checksumOf(folder: string, file: string): { bytes: number; sha256: string; stamp: string } {
  const { stamp, bytes } = readHead(join(folder, file));
  const known = readChecked(folder, file);
  return { bytes, stamp, sha256: known?.stamp === stamp ? known.sha256 : hashFile(join(folder, file)) };
}

export function rememberChecked(folder: string, file: string, stamp: string, sha256: string): void {
  const checked = { file, stamp, sha256, checked_at: new Date().toISOString() };
  inThisProcess.set(folder, checked);
  try {
    replaceFile(join(folder, NAME), JSON.stringify(checked));
  } catch {
    // A folder that cannot be written: every process checks for itself.
  }
}

/** So that the file is read whole before it answers again. */
export function forgetChecked(folder: string): void {
  inThisProcess.delete(folder);
  try {
    rmSync(join(folder, NAME), { force: true });
  } catch {
    // As above.
  }
}

/** When the file was last read whole, in milliseconds since 1970; null where that is not known. */
export function checkedAt(folder: string, file: string): number | null {
  const checked = readChecked(folder, file);
  return checked === null ? null : Date.parse(checked.checked_at);
}

export function wrongChecksum(): UnusableFileError {
  return new UnusableFileError('damaged', 'is damaged (its checksum is wrong)');
}

function isChecked(folder: string, file: string, stamp: string, sha256: string): boolean {
  const known = readChecked(folder, file);
  return known !== null && known.stamp === stamp && known.sha256 === sha256;
}

function readChecked(folder: string, file: string): CheckedFile | null {
  const own = inThisProcess.get(folder);
  const known = own?.file === file ? own : readStored(folder);
  return known?.file === file ? known : null;
}

function readStored(folder: string): CheckedFile | null {
  try {
    return CheckedFile.parse(JSON.parse(readFileSync(join(folder, NAME), 'utf8')));
  } catch {
    return null;
  }
}
