import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesInWords } from '../text.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** A full catalog, and the copy of it that a sync writes. */
const NEEDED_BYTES = 2e9;

export function checkDataFolder(folder: string): Finding {
  const name = 'data folder';
  const standing = nearestExisting(folder);
  if (!statSync(standing).isDirectory())
    return wrong(name, `${standing} is not a folder`, 'set SEXTANT_DATA_DIR to a folder');
  try {
    accessSync(standing, constants.W_OK | constants.X_OK);
  } catch {
    return wrong(
      name,
      `${standing} cannot be written`,
      'give this user the right to write there, or set SEXTANT_DATA_DIR',
    );
  }
  return ok(name, standing === folder ? folder : `${folder} (made when it is needed)`);
}

export async function checkFreeSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(nearestExisting(folder));
  const free = bavail * bsize;
  const detail = `${bytesInWords(free)} free`;
  if (free >= NEEDED_BYTES) return ok('disk space', detail);
  return wrong('disk space', detail, `a full catalog needs about ${bytesInWords(NEEDED_BYTES)}`);
}

function nearestExisting(path: string): string {
  let standing = path;
  while (!existsSync(standing) && dirname(standing) !== standing) standing = dirname(standing);
  return standing;
}
