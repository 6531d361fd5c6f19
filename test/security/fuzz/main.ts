/**
 * The fuzzer by hand: `npm run fuzz -- --requests 1000000 --seed 7`. `--only 1234` sends one request of a run again and shows both sides;
 * `--data FOLDER` takes the catalog of a data folder. Ends with 1 when anything was found.
 */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { requestOf } from './requests.ts';
import { SEEDS } from './seeds.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    data: { type: 'string' },
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
const only = values.only === undefined ? null : Number(values.only);
if (only !== null) console.log(JSON.stringify(requestOf(seed, only), null, 2).slice(0, 4000));

const result = await fuzz({
  requests: only === null ? Number(values.requests) : 1,
  seed,
  first: only ?? 0,
  seeds: only === null ? SEEDS : [],
  ...(values.data === undefined ? {} : { data: values.data }),
  report: (line) => console.error(line),
});
if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(result, null, 2));
const { findings: _, errorLines, ...figures } = result;
console.log(
  JSON.stringify({ ...figures, findings: result.findings.length, errorLines: errorLines.slice(0, 10) }, null, 2),
);
process.exitCode = result.findings.length > 0 || errorLines.length > 0 ? 1 : 0;
