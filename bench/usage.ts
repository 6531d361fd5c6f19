import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { finished, projectFile, startNode } from './child.ts';

export interface Usage {
  wallSeconds: number;
  cpuSeconds: number;
  peakMib: number;
}

const REPORTER = pathToFileURL(projectFile('children/report-usage.ts')).href;

/** Runs node with `args` to its end and tells what it used, from the process's own count. Throws when it fails. */
export async function measureRun(args: readonly string[], env: NodeJS.ProcessEnv, usageFile: string): Promise<Usage> {
  const started = performance.now();
  const child = startNode(['--import', REPORTER, ...args], { env: { ...env, BENCH_USAGE_FILE: usageFile } });
  const refused: string[] = [];
  child.on('message', (event: { type?: string; reason?: string }) => {
    if (event.type === 'refused') refused.push(event.reason ?? '');
  });
  await finished(child, args.slice(0, 2).join(' ')).catch((cause: unknown) => {
    throw new Error(`${(cause as Error).message} ${refused.join('; ')}`, { cause });
  });
  const wallSeconds = (performance.now() - started) / 1000;
  const used = JSON.parse(readFileSync(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  return {
    wallSeconds,
    cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
    peakMib: used.maxRSS / 1024,
  };
}
