import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tryLockCatalog } from '../../src/catalog/catalog-lock.ts';

/** The checkout that these tests belong to. */
export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

const READY = 'ready';
const LOOK_EVERY_MS = 250;

/**
 * A folder of things that are slow to make, made once for all test files and runs: `build` fills it the first time, under a
 * lock, so that test files that run side by side do not build twice. Folders of other keys are removed unless in the making; those
 * of another checkout are left alone, as its tests may use them now.
 */
export async function buildOnce(kind: string, key: string, build: (folder: string) => Promise<void>): Promise<string> {
  const checkout = createHash('sha256').update(CHECKOUT).digest('hex').slice(0, 8);
  const base = join(tmpdir(), `sextant-test-${kind}-${checkout}`);
  const folder = join(base, key);
  for (;;) {
    if (existsSync(join(folder, READY))) return folder;
    mkdirSync(folder, { recursive: true });
    const lock = tryLockCatalog(folder);
    if (lock === null) {
      await pause(LOOK_EVERY_MS);
      continue;
    }
    try {
      if (existsSync(join(folder, READY))) return folder;
      removeOthers(base, key);
      await build(folder);
      writeFileSync(join(folder, READY), '');
      return folder;
    } finally {
      lock.release();
    }
  }
}

function removeOthers(base: string, key: string): void {
  for (const name of readdirSync(base)) {
    if (name === key) continue;
    const lock = tryLockCatalog(join(base, name));
    if (lock === null) continue;
    rmSync(join(base, name), { recursive: true, force: true });
    lock.release();
  }
}

/** A key that changes when a file below one of these paths does: by content for sources, by size and time for data. */
export function keyOf(paths: readonly string[], by: 'content' | 'stat'): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesBelow)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(path).update(by === 'content' ? readFileSync(path) : `${size} ${mtimeMs}`);
  }
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
