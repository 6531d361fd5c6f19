import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file: readers see the old content or the new, never a part, also after a crash. */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, content);
    fsyncPath(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Waits until the content of a file, or the entries of a folder, are on the disk. */
export function fsyncPath(path: string): void {
  const file = openForFsync(path);
  if (file === null) return;
  try {
    fsyncSync(file);
  } catch (error) {
    // Not every platform can flush a folder. A full or failing disk is an error.
    if (/^(ENOSPC|EDQUOT|EIO)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
  } finally {
    closeSync(file);
  }
}

function openForFsync(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}
