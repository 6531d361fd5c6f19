import { monitorEventLoopDelay } from 'node:perf_hooks';
import { runTask } from '../../src/threads/run-task.ts';
import { type Aim, atLeast, atMost, type Figure, judged, type Row } from '../figure.ts';
import { ownCode } from '../own-code.ts';
import { median } from '../statistics.ts';

const ROUNDS = 15;
const TARGET_MS = 50;

/** Each check that reads code, as its operation has it done. */
const CHECKS: readonly { name: string; speed: Aim; run: (code: string) => Promise<unknown> }[] = [
  {
    name: 'secrets',
    speed: atLeast(100, 200, ' MB/s'),
    run: (code) => runTask('secrets', { code, language: 'typescript' }),
  },
  {
    name: 'injection',
    speed: atLeast(4, 10, ' MB/s'),
    run: (code) => runTask('injection', { code, language: 'typescript' }),
  },
];

/** Checks of 512 KiB of code, our own: how fast, and how long the event loop is held up meanwhile. */
export const codeChecks: Figure = {
  name: 'code-checks',
  async run(bench) {
    const code = ownCode();
    const kilobytes = Buffer.byteLength(code) / 1000;
    const rows: Row[] = [];
    for (const { name, speed, run } of CHECKS) {
      bench.say(`${name} in code`);
      const times: number[] = [];
      const cpuTimes: number[] = [];
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      for (let round = 0; round <= bench.rounds(ROUNDS); round++) {
        const started = performance.now();
        const startCpu = process.cpuUsage();
        await run(code);
        const { user, system } = process.cpuUsage(startCpu);
        cpuTimes.push((user + system) / 1000);
        times.push(performance.now() - started);
      }
      delay.disable();
      const [first, ...later] = times;
      const worst = delay.max / 1e6;
      rows.push(
        judged(
          {
            figure: `${name} in 512 KiB of code`,
            measured: `${median(later).toFixed(1)} ms (${median(cpuTimes.slice(1)).toFixed(1)} ms of CPU), first ${first!.toFixed(0)} ms with start of the thread`,
            result: `${(kilobytes / median(later)).toFixed(1)} MB/s`,
          },
          speed,
          kilobytes / median(later),
        ),
      );
      rows.push(
        judged(
          {
            figure: `event loop held up by ${name} in 512 KiB`,
            measured: `p50 ${(delay.percentile(50) / 1e6).toFixed(1)}, max ${worst.toFixed(1)} ms`,
            result: `${worst.toFixed(1)} ms`,
          },
          atMost(TARGET_MS, null, ' ms'),
          worst,
        ),
      );
    }
    return rows;
  },
};
