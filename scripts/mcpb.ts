/**
 * Writes the bundle for clients with windows (`.mcpb`) into the folder `release`, or to the file `--out`. `--repository`: address of the
 * repository.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { VERSION } from '../src/version.ts';
import { createBundle } from './package/bundle.ts';
import { writePackage } from './package/write-package.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: fileURLToPath(new URL(`../release/sextant-${VERSION}.mcpb`, import.meta.url)) },
    repository: { type: 'string' },
  },
});
const file = resolve(values.out);
const repository = values.repository ?? null;
const unpacked = await mkdtemp(join(tmpdir(), 'sextant-bundle-'));
try {
  await writePackage(unpacked, repository);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await createBundle(unpacked, repository));
} finally {
  await rm(unpacked, { recursive: true });
}
