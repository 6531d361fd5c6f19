/** Writes the package of the TypeScript client into the folder `dist-client`, or `--out`. `--repository`: address of the repository. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeClientPackage } from './client/write-client-package.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: fileURLToPath(new URL('../dist-client', import.meta.url)) },
    repository: { type: 'string' },
  },
});
await writeClientPackage(resolve(values.out), values.repository ?? null);
