import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

/**
 * Runs all tests, or those whose file has one of the given words in its path: `npm test -- cvss http/`.
 * What failed, what was skipped and which files took longest stands together at the end, above the counts. Exits with 1 when anything
 * failed.
 */

interface TestEvent {
  type: string;
  data: TestEventData;
}
interface TestEventData {
  name?: string;
  file?: string;
  nesting?: number;
  message?: string;
  skip?: boolean | string;
  success?: boolean;
  duration_ms?: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATTERNS = ['test/**/*.test.ts', 'conformance/**/*.test.ts'];
/** Nothing here takes nearly that long: what does hangs. */
const FILE_TIMEOUT_MS = 10 * 60_000;
const SLOWEST = 10;
const COUNTS = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

const words = process.argv.slice(2);
const files = globSync(PATTERNS, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  .filter((file) => words.length === 0 || words.some((word) => file.split(sep).join('/').includes(word)))
  .toSorted();

if (files.length === 0) {
  console.error(words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`);
  process.exitCode = 1;
} else {
  process.exitCode = (await runFiles()) ? 0 : 1;
}

async function runFiles(): Promise<boolean> {
  const events = run({ cwd: ROOT, files, concurrency: availableParallelism(), timeout: FILE_TIMEOUT_MS });
  const report = openReport();
  const counts: TestEvent[] = [];
  const skipped: string[] = [];
  const durations = new Map<string, number>();
  let passed = false;
  for await (const event of events as AsyncIterable<TestEvent>) {
    const { type, data } = event;
    if (type === 'test:summary' && data.file === undefined) passed = data.success === true;
    if (type === 'test:summary' && data.file !== undefined) durations.set(data.file, data.duration_ms ?? 0);
    if (type === 'test:pass' && data.skip !== undefined && data.skip !== false) skipped.push(describeSkipped(data));
    if (type === 'test:diagnostic' && data.nesting === 0 && COUNTS.test(data.message ?? '')) counts.push(event);
    else report.write(event);
  }
  await report.end();
  if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.join('\n')}\n\n`);
  if (words.length === 0) process.stdout.write(`\nSlowest:\n${slowest(durations)}\n\n`);
  const ending = openReport();
  for (const event of counts) ending.write(event);
  await ending.end();
  return passed;
}

/** Node's own form of a report, on standard output; what failed is repeated when it ends. */
function openReport(): { write(event: TestEvent): void; end(): Promise<void> } {
  const reporter = new spec();
  const { promise, resolve } = Promise.withResolvers<void>();
  reporter.on('end', resolve).pipe(process.stdout, { end: false });
  return {
    write: (event) => void reporter.write(event),
    end() {
      reporter.end();
      return promise;
    },
  };
}

function slowest(durations: ReadonlyMap<string, number>): string {
  return [...durations]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([file, ms]) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(ROOT, file)}`)
    .join('\n');
}

function describeSkipped({ name, file, skip }: TestEventData): string {
  const where = file === undefined ? '' : ` (${relative(ROOT, file)})`;
  return `  ${name}${where}: ${typeof skip === 'string' && skip !== '' ? skip : 'no reason given'}`;
}
