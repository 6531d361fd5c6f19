import { execFile } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endedChildrenCpuSeconds, finished, freePort, projectFile, startProgram, stop } from '../child.ts';
import { atMost, type Figure, information, judged } from '../figure.ts';
import { median } from '../statistics.ts';
import { answers, environment, type Workbench } from '../workbench.ts';

const ROUNDS = 3;
const AIM = atMost(25, 15, ' s');
const PATH = '/v1/cve/CVE-2021-44228';

interface Installation {
  installSeconds: number;
  installCpu: number;
  startSeconds: number;
  packages: number;
}

/**
 * What a newcomer waits for: `npm ci` in a fresh clone of the checkout's HEAD, `npm start`, the first answer (from the starter catalog).
 * npm's cache is warm where it was: the median leaves out a first round that had to download.
 */
export const install: Figure = {
  name: 'install',
  async run(bench) {
    const pairs: [all: Installation, toRun: Installation][] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      bench.say('installing a fresh clone, for development and to run it');
      pairs.push([await installed(bench, []), await installed(bench, ['--omit=dev'])]);
    }
    const of = (which: 0 | 1, part: keyof Installation): number => median(pairs.map((pair) => pair[which][part]));
    const seconds = (which: 0 | 1): number =>
      median(pairs.map((pair) => pair[which].installSeconds + pair[which].startSeconds));
    const measured = (which: 0 | 1): string =>
      `npm ci ${of(which, 'installSeconds').toFixed(1)} s (CPU ${of(which, 'installCpu').toFixed(1)} s), start ${of(which, 'startSeconds').toFixed(1)} s`;
    const row = (which: 0 | 1, command: string) => ({
      figure: `fresh clone: ${command} to first answer`,
      measured: measured(which),
      reference: `${of(which, 'packages')} packages, npm's cache warm`,
      result: `${seconds(which).toFixed(1)} s`,
    });
    return [judged(row(0, 'npm ci'), AIM, seconds(0)), information(row(1, 'npm ci --omit=dev'))];
  },
};

async function installed(bench: Workbench, options: readonly string[]): Promise<Installation> {
  const clone = join(bench.folder('clone'), 'checkout');
  await promisify(execFile)('git', ['clone', '--quiet', projectFile('..'), clone]);
  const port = await freePort();
  const env = environment(bench.folder('data'), { SEXTANT_PORT: String(port), SEXTANT_SYNC: 'off' });
  const cpuBefore = endedChildrenCpuSeconds() ?? Number.NaN;
  const started = performance.now();
  await finished(startProgram('npm', ['ci', ...options], { cwd: clone, env, stdio: 'ignore' }), 'npm ci');
  const installedAt = performance.now();
  const installCpu = (endedChildrenCpuSeconds() ?? Number.NaN) - cpuBefore;
  const child = startProgram('npm', ['start'], { cwd: clone, env, stdio: 'ignore' });
  await answers(child, port, PATH);
  const startSeconds = (performance.now() - installedAt) / 1000;
  await stop(child);
  const packages = globSync(['*/package.json', '@*/*/package.json'], { cwd: join(clone, 'node_modules') }).length;
  rmSync(clone, { recursive: true });
  return { installSeconds: (installedAt - started) / 1000, installCpu, startSeconds, packages };
}
