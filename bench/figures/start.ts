import { finished, freePort, startNode, stop } from '../child.ts';
import { type Figure, judge } from '../figure.ts';
import { median } from '../statistics.ts';
import { answers, environment, MAIN } from '../workbench.ts';

const ROUNDS = 5;
const TARGET_SECONDS = 0.5;
const PATH = '/v1/cve/CVE-2021-44228';

/** From starting the process to the first answer of substance. */
export const start: Figure = {
  name: 'start',
  async run(bench) {
    const dataDir = await bench.full();
    bench.say('starts');
    const starts: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      starts.push(await timeToAnswer(dataDir));
      bare.push(await timeOfNothing());
    }
    const seconds = median(starts);
    return [
      {
        figure: `start to first answer (${bench.feeds === null ? 'starter' : 'full'} catalog)`,
        measured: `${seconds.toFixed(2)} s`,
        reference: `node -e 0: ${median(bare).toFixed(2)} s`,
        result: `${seconds.toFixed(2)} s`,
        target: `<= ${TARGET_SECONDS} s`,
        verdict: judge(seconds <= TARGET_SECONDS),
      },
    ];
  },
};

async function timeToAnswer(dataDir: string): Promise<number> {
  const port = await freePort();
  const env = environment(dataDir, { SEXTANT_PORT: String(port), SEXTANT_SYNC: 'off' });
  const started = performance.now();
  const child = startNode([MAIN, 'serve'], { env, stdio: 'ignore' });
  await answers(child, port, PATH);
  const seconds = (performance.now() - started) / 1000;
  await stop(child);
  return seconds;
}

async function timeOfNothing(): Promise<number> {
  const started = performance.now();
  await finished(startNode(['-e', '0'], { stdio: 'ignore' }), 'node -e 0');
  return (performance.now() - started) / 1000;
}
