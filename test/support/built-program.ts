import { execFile } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildOnce, CHECKOUT, keyOf } from './build-once.ts';

const PARTS = ['bin', 'scripts', 'src', 'starter', 'package.json', 'package-lock.json'];
const BUILD_WITHIN_MS = 120_000;

/**
 * Folder of the program as it is installed: built, without its source and packages. It starts with half of the CPU time of the source; built once for
 * all tests, until a file of it changes. Nothing may be written there.
 */
export const PROGRAM_FOLDER = await buildOnce(
  'program',
  keyOf(
    PARTS.map((part) => join(CHECKOUT, part)),
    'content',
  ),
  build,
);

async function build(folder: string): Promise<void> {
  await Promise.all(PARTS.map((part) => cp(join(CHECKOUT, part), join(folder, part), { recursive: true })));
  // A build that was broken off has left it.
  rmSync(join(folder, 'node_modules'), { force: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: folder, timeout: BUILD_WITHIN_MS });
  for (const part of ['src', 'node_modules']) rmSync(join(folder, part), { recursive: true });
}
