/**
 * Measures the analyses against material with known answers, beside other tools, and writes docs/quality.md.
 * `--only`: these analyses, printed and not written. `--suites`: folder of public test suites. `--peers`: folder to install other tools in.
 * Needs, for all peers: npm with a registry, and the Debian packages that the document names.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AnalysisQuality, MeasureQuality } from './analysis-quality.ts';
import { renderQuality } from './render-quality.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/quality.md');

const { values } = parseArgs({
  options: { only: { type: 'string' }, suites: { type: 'string' }, peers: { type: 'string' } },
});
const folder = join(import.meta.dirname, 'analyses');
const names = values.only?.split(',') ?? readdirSync(folder).map((file) => file.replace(/\.ts$/u, ''));
const material = { suites: values.suites ?? null, peers: values.peers ?? null };
const load = loadavg()[0]!;
const measured: AnalysisQuality[] = [];
for (const name of names) {
  const { measureQuality } = (await import(join(folder, `${name}.ts`))) as { measureQuality: MeasureQuality };
  console.error(`measuring ${name}`);
  measured.push(await measureQuality(material));
}
const text = renderQuality(measured, { cores: availableParallelism(), load, node: process.version, day: new Date() });
if (values.only === undefined) writeFileSync(DOCUMENT, text);
else console.log(text);
