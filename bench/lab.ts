import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DsData } from '../src/analysis/dnssec/records.ts';
import type { NetworkClientOptions } from '../src/net/network-client.ts';
import { type DialPlan, dialBy } from '../test/lab/lab.ts';
import { nextMessage, projectFile, startNode } from './child.ts';
import type { Service, Workbench } from './workbench.ts';

/** A lab in a process of its own, as data. */
export interface LabPlan {
  dial: DialPlan;
  dnsServers: readonly string[];
  extraCa: readonly string[];
  /** Keys of its DNS root, digests in hex. */
  rootKeys: readonly (Omit<DsData, 'digest'> & { digest: string })[];
  sourceUrls: Readonly<Record<string, string>>;
  hosts: readonly string[];
}

/** For a way out that leads into the lab, and nowhere else. */
export function netOptionsOf({ dial, dnsServers, extraCa, rootKeys }: LabPlan): NetworkClientOptions {
  const escaped = (): never => {
    throw new Error('it dialled what is no part of the lab');
  };
  return {
    dnsServers,
    extraCa,
    rootKeys: rootKeys.map((key) => ({ ...key, digest: Uint8Array.fromHex(key.digest) })),
    allowedPrivate: [],
    proxy: null,
    mapEndpoint: dialBy(dial, escaped),
  };
}

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
