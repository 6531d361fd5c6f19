/** Writes the package for npm into the folder `dist-package`, or `--out`. `--repository`: address of the repository, for the registry. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writePackage } from './package/write-package.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: fileURLToPath(new URL('../dist-package', import.meta.url)) },
    repository: { type: 'string' },
  },
});
await writePackage(resolve(values.out), values.repository ?? null);
