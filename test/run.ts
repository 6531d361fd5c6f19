import { globSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { type Job, planFastJobs, planJobs } from './jobs.ts';
import { cpuSecondsOfAll } from './support/cpu-time.ts';

/**
 * Runs all tests, or those whose file has one of the given words in its path: `npm test -- cvss http/`. `--fast`: pure tests alone.
 * What was skipped, which files took longest and which jobs took most CPU time stands together at the end, then the counts, then what
 * failed: where only the last lines are kept, they say it.
 * Exits with 1 when anything failed.
 */

interface Measured {
  what: string;
  seconds: number;
}
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
  details?: { duration_ms?: number; error?: Error & { failureType?: string } };
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PATTERNS = ['test/**/*.test.ts', 'conformance/**/*.test.ts'];
/** Runs several test files in its process. */
const GROUP = join(ROOT, 'test/group.ts');
/** No job takes nearly that long: what does hangs. */
const JOB_TIMEOUT_MS = 20 * 60_000;
const WAITING_JOBS = 3;
const LONGEST = 10;
/** The last line of a job. */
const CPU = /^cpu_seconds ([\d.]+)$/m;
/** Why a test failed of which only a part did. */
const SUBTESTS = 'subtestsFailed';
/** Of an error, so many characters are repeated at the end. */
const MAX_ERROR = 600;
const COUNT = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) ([\d.]+)$/;

const FAST = '--fast';
const words = process.argv.slice(2).filter((word) => word !== FAST);
const files = globSync(PATTERNS, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .toSorted();
const jobs = process.argv.includes(FAST) ? planFastJobs(files) : planJobs(files);

// Compiled modules are kept for the processes of the tests: without it each compiles the service anew.
// oxlint-disable-next-line node/no-process-env
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'sextant-test-compiled');

if (jobs.length === 0) {
  console.error(words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`);
  process.exitCode = 1;
} else {
  process.exitCode = (await runJobs()) ? 0 : 1;
}

/** Three jobs more at a time than there are cores: most wait for much of their time. What a job reports is written when it has ended. */
async function runJobs(): Promise<boolean> {
  const started = performance.now();
  const report = openReport();
  const events: TestEvent[] = [];
  const mostCpu: Measured[] = [];
  const waiting = jobs.toReversed();
  const work = async (): Promise<void> => {
    for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) {
      const reported = await Array.fromAsync(runJob(job));
      for (const event of reported) if (!isCount(event) && !isCpu(event)) report.write(event);
      const seconds = CPU.exec(reported.find(isCpu)?.data.message ?? '')?.[1];
      if (seconds !== undefined) mostCpu.push({ what: describeJob(job), seconds: Number(seconds) });
      events.push(...reported);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + WAITING_JOBS }, work));
  await report.end();
  const skipped = events.filter(({ type, data }) => type === 'test:pass' && (data.skip ?? false) !== false);
  if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map(describeSkipped).join('\n')}\n`);
  process.stdout.write(`\nSlowest:\n${largest(slowest(events))}\n\nMost CPU time:\n${largest(mostCpu)}\n`);
  const cpuSeconds = cpuSecondsOfAll();
  process.stdout.write(`\n${totals(events)}\nseconds ${Math.round((performance.now() - started) / 1000)}\n`);
  if (cpuSeconds !== null) process.stdout.write(`CPU seconds ${Math.round(cpuSeconds)}\n`);
  const failed = events.filter(
    ({ type, data }) => type === 'test:fail' && data.details?.error?.failureType !== SUBTESTS,
  );
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${failed.map(describeFailed).join('\n')}\n`);
  return events.every(({ type, data }) => type !== 'test:summary' || data.success === true);
}

function runJob({ files: own }: Job): AsyncIterable<TestEvent> {
  const options = { cwd: ROOT, files: [GROUP], argv: own, concurrency: false, timeout: JOB_TIMEOUT_MS };
  return run(options) as AsyncIterable<TestEvent>;
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

function isCount({ type, data }: TestEvent): boolean {
  return type === 'test:diagnostic' && data.nesting === 0 && COUNT.test(data.message ?? '');
}

function isCpu({ type, data }: TestEvent): boolean {
  return type === 'test:stdout' && CPU.test(data.message ?? '');
}

/** The counts of all jobs together. */
function totals(events: readonly TestEvent[]): string {
  const sums = new Map<string, number>();
  for (const { data } of events.filter(isCount)) {
    const [, name = '', count] = COUNT.exec(data.message!)!;
    sums.set(name, (sums.get(name) ?? 0) + Number(count));
  }
  sums.delete('duration_ms');
  return [...sums].map(([name, sum]) => `${name} ${sum}`).join('\n');
}

/** Each file is a suite at the top. */
function slowest(events: readonly TestEvent[]): Measured[] {
  return events
    .filter(({ type, data }) => (type === 'test:pass' || type === 'test:fail') && data.nesting === 0)
    .map(({ data }) => ({ what: data.name ?? '', seconds: (data.details?.duration_ms ?? 0) / 1000 }));
}

function largest(all: readonly Measured[]): string {
  return all
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, LONGEST)
    .map(({ what, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${what}`)
    .join('\n');
}

function describeJob({ files: [first, ...others] }: Job): string {
  return others.length === 0 ? first! : `${first} and ${others.length} more`;
}

function describeFailed({ data: { name, file, details } }: TestEvent): string {
  const where = file === undefined ? '' : ` (${relative(ROOT, file)})`;
  const { cause, message } = details?.error ?? { cause: null, message: 'no error given' };
  return `  ${name}${where}: ${(cause instanceof Error ? cause.message : message).slice(0, MAX_ERROR)}`;
}

function describeSkipped({ data: { name, file, skip } }: TestEvent): string {
  const where = file === undefined ? '' : ` (${relative(ROOT, file)})`;
  return `  ${name}${where}: ${typeof skip === 'string' && skip !== '' ? skip : 'no reason given'}`;
}
