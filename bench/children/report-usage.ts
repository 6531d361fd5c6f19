import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a child with `--import`: at its end it writes what the process used to the file that BENCH_USAGE_FILE names. */
const file = process.env['BENCH_USAGE_FILE'];
if (file !== undefined && isMainThread) {
  process.on('exit', () => writeFileSync(file, JSON.stringify(process.resourceUsage())));
}
