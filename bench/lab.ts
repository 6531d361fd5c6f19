import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabPlan } from '../test/lab/lab-plan.ts';
import { nextMessage, projectFile, startNode } from './child.ts';
import type { Service, Workbench } from './workbench.ts';

export interface BenchLab {
  child: ChildProcess;
  plan: LabPlan;
}

export async function startLab(delayMs: number): Promise<BenchLab> {
  const child = startNode([projectFile('children/lab.ts'), String(delayMs)]);
  return { child, plan: await nextMessage<LabPlan>(child, 'the lab') };
}

export async function setMode({ child }: BenchLab, source: string, mode: 'ok' | 'hang'): Promise<void> {
  const done = nextMessage(child, 'the lab');
  child.send({ source, mode });
  await done;
}

/** The service in the lab, with a key for each source that wants one. */
export function serveInLab(bench: Workbench, dataDir: string, { plan }: BenchLab): Promise<Service> {
  const file = join(bench.folder('lab'), 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const keys = ['SEXTANT_ABUSECH_KEY', 'SEXTANT_ABUSEIPDB_KEY', 'SEXTANT_SHODAN_KEY'];
  const settings = {
    BENCH_LAB_PLAN: file,
    ...Object.fromEntries(keys.map((variable) => [variable, 'lab'])),
    ...Object.fromEntries(
      Object.entries(plan.sourceUrls).map(([id, url]) => [`SEXTANT_SOURCE_${id.toUpperCase()}_URL`, url]),
    ),
  };
  return bench.serve(dataDir, settings, projectFile('children/serve-in-lab.ts'));
}
