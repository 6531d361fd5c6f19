import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a small file at once: a reader, and who comes after a crash, sees the old content or the new, never a part. */
export function writeFileAtomically(path: string, content: string): void {
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

/** Waits until the content of a file, or the names in a folder, are on the disk. */
export function fsyncPath(path: string): void {
  const file = openForFsync(path);
  if (file === null) return;
  try {
    fsyncSync(file);
  } catch (error) {
    // A folder cannot be flushed on every platform. A full or failing disk is told.
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
