import { cpuSeconds, finished, freePort, startNode, stop } from '../child.ts';
import { atMost, type Figure, judged } from '../figure.ts';
import { median } from '../statistics.ts';
import { answers, countCves, environment, PROGRAM } from '../workbench.ts';

const ROUNDS = 5;
const START = atMost(0.4, 0.25, ' s');
const HELP = atMost(0.15, 0.1, ' s');
const PATH = '/v1/cve/CVE-2021-44228';

/** Of the built program: from starting the process to the first answer of substance, and `--help` from start to exit. */
export const start: Figure = {
  name: 'start',
  async run(bench) {
    const dataDir = await bench.full();
    await bench.build();
    bench.say('starts');
    // The first ones write the compile cache.
    await timeToAnswer(dataDir);
    await timeToExit([PROGRAM, '--help']);
    const starts: { seconds: number; cpu: number }[] = [];
    const helps: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      starts.push(await timeToAnswer(dataDir));
      helps.push(await timeToExit([PROGRAM, '--help']));
      bare.push(await timeToExit(['-e', '0']));
    }
    const seconds = median(starts.map((start) => start.seconds));
    const cpu = median(starts.map((start) => start.cpu));
    const helpSeconds = median(helps);
    const reference = `node -e 0: ${median(bare).toFixed(2)} s`;
    return [
      judged(
        {
          figure: `start to first answer (${countCves(dataDir).toLocaleString('en')} CVEs)`,
          measured: `${seconds.toFixed(2)} s, CPU ${cpu.toFixed(2)} s`,
          reference,
          result: `${seconds.toFixed(2)} s`,
        },
        START,
        seconds,
      ),
      judged(
        {
          figure: '--help',
          measured: `${helpSeconds.toFixed(2)} s`,
          reference,
          result: `${helpSeconds.toFixed(2)} s`,
        },
        HELP,
        helpSeconds,
      ),
    ];
  },
};

async function timeToAnswer(dataDir: string): Promise<{ seconds: number; cpu: number }> {
  const port = await freePort();
  const env = environment(dataDir, { SEXTANT_PORT: String(port), SEXTANT_SYNC: 'off' });
  const started = performance.now();
  const child = startNode([PROGRAM, 'serve'], { env, stdio: 'ignore' });
  await answers(child, port, PATH);
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuSeconds(child) ?? Number.NaN;
  await stop(child);
  return { seconds, cpu };
}

async function timeToExit(args: readonly string[]): Promise<number> {
  const started = performance.now();
  await finished(startNode(args, { stdio: 'ignore' }), `node ${args.join(' ')}`);
  return (performance.now() - started) / 1000;
}
