import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownCode } from '../own-code.ts';
import { median } from '../statistics.ts';

/** Checks of code by the checkout at the given folder: the median of milliseconds and of CPU milliseconds of each check. */
const ROUNDS = 5;
const address = pathToFileURL(join(process.argv[2]!, 'src/threads/run-task.ts')).href;
const { runTask } = (await import(address)) as typeof import('../../src/threads/run-task.ts');
const code = ownCode();
const measured: Record<string, number> = {};
for (const check of ['secrets', 'injection'] as const) {
  const runs: { ms: number; cpu: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [started, before] = [performance.now(), process.cpuUsage()];
    await runTask(check, { code, language: 'typescript' });
    const { user, system } = process.cpuUsage(before);
    // The first round starts the thread.
    if (round > 0) runs.push({ ms: performance.now() - started, cpu: (user + system) / 1000 });
  }
  measured[check] = median(runs.map(({ ms }) => ms));
  measured[`${check}Cpu`] = median(runs.map(({ cpu }) => cpu));
}
process.send!(measured);
process.on('disconnect', () => process.exit());
