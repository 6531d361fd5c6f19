import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { finished, freePort, projectFile, startNode, stop } from '../child.ts';
import { type Figure, judge } from '../figure.ts';
import { median } from '../statistics.ts';
import { answers, environment, PROGRAM } from '../workbench.ts';

const ROUNDS = 5;
const TARGET_SECONDS = 0.4;
const HELP_TARGET_SECONDS = 0.15;
const BUILD_TIMEOUT_MS = 120_000;
const PATH = '/v1/cve/CVE-2021-44228';

/** Of the built program: from starting the process to the first answer of substance, and `--help` from start to exit. */
export const start: Figure = {
  name: 'start',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('building');
    await promisify(execFile)(process.execPath, [projectFile('../scripts/build.ts')], { timeout: BUILD_TIMEOUT_MS });
    bench.say('starts');
    const starts: number[] = [];
    const helps: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      starts.push(await timeToAnswer(dataDir));
      helps.push(await timeToExit([PROGRAM, '--help']));
      bare.push(await timeToExit(['-e', '0']));
    }
    const seconds = median(starts);
    const helpSeconds = median(helps);
    const reference = `node -e 0: ${median(bare).toFixed(2)} s`;
    return [
      {
        figure: `start to first answer (${bench.feeds === null ? 'starter' : 'full'} catalog)`,
        measured: `${seconds.toFixed(2)} s`,
        reference,
        result: `${seconds.toFixed(2)} s`,
        target: `<= ${TARGET_SECONDS} s`,
        verdict: judge(seconds <= TARGET_SECONDS),
      },
      {
        figure: '--help',
        measured: `${helpSeconds.toFixed(2)} s`,
        reference,
        result: `${helpSeconds.toFixed(2)} s`,
        target: `<= ${HELP_TARGET_SECONDS} s`,
        verdict: judge(helpSeconds <= HELP_TARGET_SECONDS),
      },
    ];
  },
};

async function timeToAnswer(dataDir: string): Promise<number> {
  const port = await freePort();
  const env = environment(dataDir, { SEXTANT_PORT: String(port), SEXTANT_SYNC: 'off' });
  const started = performance.now();
  const child = startNode([PROGRAM, 'serve'], { env, stdio: 'ignore' });
  await answers(child, port, PATH);
  const seconds = (performance.now() - started) / 1000;
  await stop(child);
  return seconds;
}

async function timeToExit(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await finished(startNode(args, { stdio: 'ignore' }), `node ${args.join(' ')}`);
  return (performance.now() - started) / 1000;
}
