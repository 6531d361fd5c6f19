import { globSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { runTask } from '../../src/threads/run-task.ts';
import { projectFile } from '../child.ts';
import { type Figure, judge, type Row } from '../figure.ts';
import { median } from '../statistics.ts';

/** As much as one call may send. */
const CODE_BYTES = 512 * 1024;
const ROUNDS = 15;
const TARGET_MS = 50;

/** Each check that reads code, as its operation has it done. */
const CHECKS: readonly { name: string; run: (code: string) => Promise<unknown> }[] = [
  { name: 'secrets', run: (code) => runTask('secrets', { code, language: 'typescript' }) },
  { name: 'injection', run: (code) => runTask('injection', { code, language: 'typescript' }) },
];

/** Checks of 512 KiB of code, our own: how fast, and how long the event loop is held up meanwhile. */
export const codeChecks: Figure = {
  name: 'code-checks',
  async run(bench) {
    const code = ownCode();
    const rows: Row[] = [];
    for (const { name, run } of CHECKS) {
      bench.say(`${name} in code`);
      const times: number[] = [];
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      for (let round = 0; round <= bench.rounds(ROUNDS); round++) {
        const started = performance.now();
        await run(code);
        times.push(performance.now() - started);
      }
      delay.disable();
      const [first, ...later] = times;
      const worst = delay.max / 1e6;
      rows.push({
        figure: `${name} in 512 KiB of code`,
        measured: `${median(later).toFixed(1)} ms, first ${first!.toFixed(0)} ms with start of the thread`,
        reference: '',
        result: `${(CODE_BYTES / 1000 / median(later)).toFixed(1)} MB/s`,
        target: '',
        verdict: '',
      });
      rows.push({
        figure: `event loop held up by ${name} in 512 KiB`,
        measured: `p50 ${(delay.percentile(50) / 1e6).toFixed(1)}, max ${worst.toFixed(1)} ms`,
        reference: '',
        result: `${worst.toFixed(1)} ms`,
        target: `<= ${TARGET_MS} ms`,
        verdict: judge(worst <= TARGET_MS),
      });
    }
    return rows;
  },
};

function ownCode(): string {
  const folder = projectFile('../src');
  const files = globSync('**/*.ts', { cwd: folder }).toSorted();
  const all = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n');
  return all.repeat(Math.ceil(CODE_BYTES / all.length)).slice(0, CODE_BYTES);
}
