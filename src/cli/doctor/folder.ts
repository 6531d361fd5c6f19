import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { databasesIn } from '../../catalog/generation.ts';
import { describeSystemError } from '../../system-error.ts';
import { bytesInWords } from '../text.ts';
import { type Finding, ok, wrong } from './finding.ts';

/** A full catalog, and the copy of it that a sync writes. */
const NEEDED_BYTES = 2e9;

/** What the service opens in its data folder, and what it must be able to do with it. What is not there yet is made. */
const USED: readonly { path: string; isFolder?: true; mode: number }[] = [
  { path: '.', isFolder: true, mode: constants.W_OK | constants.X_OK },
  { path: 'catalog', isFolder: true, mode: constants.R_OK | constants.W_OK | constants.X_OK },
  { path: 'catalog/current.json', mode: constants.R_OK },
  { path: 'catalog/sync.lock', mode: constants.R_OK | constants.W_OK },
  ...['accounts.db', 'counters.db'].flatMap((name) =>
    ['', '-wal', '-shm', '.lock'].map((suffix) => ({ path: name + suffix, mode: constants.R_OK | constants.W_OK })),
  ),
  { path: 'secret', mode: constants.R_OK },
];

/** The data folder, and each file in it that cannot be used. */
export function checkDataFolder(folder: string): Finding[] {
  const name = 'data folder';
  const standing = nearestExisting(folder);
  if (standing !== folder) {
    const finding = faultOf(standing, true, constants.W_OK | constants.X_OK);
    return [finding ?? ok(name, `${folder} (made when it is needed)`)];
  }
  const faults = [...USED, ...databasesOf(folder)].flatMap(
    ({ path, isFolder = false, mode }) => faultOf(join(folder, path), isFolder, mode) ?? [],
  );
  return faults.length === 0 ? [ok(name, folder)] : faults;
}

function databasesOf(folder: string): { path: string; isFolder?: true; mode: number }[] {
  try {
    return databasesIn(join(folder, 'catalog')).map((file) => ({ path: join('catalog', file), mode: constants.R_OK }));
  } catch {
    return [];
  }
}

function faultOf(path: string, isFolder: boolean, mode: number): Finding | null {
  const name = 'data folder';
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isDirectory() !== isFolder) {
      const remedy = isFolder ? 'move it away, or set SEXTANT_DATA_DIR to a folder' : 'move it away';
      return wrong(name, `${path} is ${isFolder ? 'not a folder' : 'a folder, not a file'}`, remedy);
    }
    accessSync(path, mode);
    return null;
  } catch (error) {
    const verb = (mode & constants.W_OK) === 0 ? 'read' : 'written';
    return wrong(name, `${path} cannot be ${verb}: ${describeSystemError(error)}`, remedyOf(path));
  }
}

/** Most often it was made by a command that ran as root. */
function remedyOf(path: string): string {
  const owner = process.getuid?.();
  const give =
    owner === undefined ? 'give this user the right to it' : `let it belong to this user: chown ${owner} ${path}`;
  return `${give}, or set SEXTANT_DATA_DIR`;
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
