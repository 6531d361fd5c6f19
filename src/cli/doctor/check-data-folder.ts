import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listDatabaseFiles } from '../../catalog/generation.ts';
import { describeSystemError } from '../../system-error.ts';
import { formatBytes } from '../terminal-text.ts';
import { type DoctorResult, okResult, wrongResult } from './doctor-result.ts';

/** For a full catalog, and the copy that a sync writes. */
const NEEDED_DISK_BYTES = 2e9;

/** Paths that the service opens in its data folder, with the access that it needs. Missing ones are created later. */
const USED_PATHS: readonly { path: string; isFolder?: true; mode: number }[] = [
  { path: '.', isFolder: true, mode: constants.W_OK | constants.X_OK },
  { path: 'catalog', isFolder: true, mode: constants.R_OK | constants.W_OK | constants.X_OK },
  { path: 'catalog/current.json', mode: constants.R_OK },
  { path: 'catalog/sync.lock', mode: constants.R_OK | constants.W_OK },
  ...['accounts.db', 'counters.db'].flatMap((name) =>
    ['', '-wal', '-shm', '.lock'].map((suffix) => ({ path: name + suffix, mode: constants.R_OK | constants.W_OK })),
  ),
  { path: 'secret', mode: constants.R_OK },
];

/** Checks the access to the data folder and to each file in it. */
export function checkDataFolder(folder: string): DoctorResult[] {
  const name = 'data folder';
  const existing = nearestExistingPath(folder);
  if (existing !== folder) {
    const finding = pathProblem(existing, true, constants.W_OK | constants.X_OK);
    return [finding ?? okResult(name, `${folder} (made when it is needed)`)];
  }
  const problems = [...USED_PATHS, ...databasePaths(folder)].flatMap(
    ({ path, isFolder = false, mode }) => pathProblem(join(folder, path), isFolder, mode) ?? [],
  );
  return problems.length === 0 ? [okResult(name, folder)] : problems;
}

function databasePaths(folder: string): { path: string; isFolder?: true; mode: number }[] {
  try {
    return listDatabaseFiles(join(folder, 'catalog')).map((file) => ({
      path: join('catalog', file),
      mode: constants.R_OK,
    }));
  } catch {
    return [];
  }
}

function pathProblem(path: string, isFolder: boolean, mode: number): DoctorResult | null {
  const name = 'data folder';
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isDirectory() !== isFolder) {
      const remedy = isFolder ? 'move it away, or set SEXTANT_DATA_DIR to a folder' : 'move it away';
      return wrongResult(name, `${path} is ${isFolder ? 'not a folder' : 'a folder, not a file'}`, remedy);
    }
    accessSync(path, mode);
    return null;
  } catch (error) {
    const verb = (mode & constants.W_OK) === 0 ? 'read' : 'written';
    return wrongResult(name, `${path} cannot be ${verb}: ${describeSystemError(error)}`, permissionRemedy(path));
  }
}

/** Usually the file was created by a command that ran as root. */
function permissionRemedy(path: string): string {
  const owner = process.getuid?.();
  const advice =
    owner === undefined ? 'give this user the right to it' : `let it belong to this user: chown ${owner} ${path}`;
  return `${advice}, or set SEXTANT_DATA_DIR`;
}

/** Checks the free space on the disk of the data folder. */
export async function checkFreeSpace(folder: string): Promise<DoctorResult> {
  const { bavail, bsize } = await statfs(nearestExistingPath(folder));
  const free = bavail * bsize;
  const detail = `${formatBytes(free)} free`;
  if (free >= NEEDED_DISK_BYTES) return okResult('disk space', detail);
  return wrongResult('disk space', detail, `a full catalog needs about ${formatBytes(NEEDED_DISK_BYTES)}`);
}

function nearestExistingPath(path: string): string {
  let candidate = path;
  while (!existsSync(candidate) && dirname(candidate) !== candidate) candidate = dirname(candidate);
  return candidate;
}
