import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '../../../src/server/service.ts';
import { createLogger } from '../../../src/log.ts';
import { openNetworkClient } from '../../../src/net/open-network-client.ts';
import { catalogFolderOf } from '../../../src/server/runner-deps.ts';
import { freePort } from '../../support/engines.ts';
import { dialBy } from '../../lab/lab.ts';
import { labConfig } from '../../lab/lab-config.ts';
import { buildFixtureCatalog } from '../../operations/fixture-catalog.ts';
import type { LabPlace } from './lab-process.ts';

/**
 * The process that the fuzzer asks: the service as it is served, over the fixture catalog or a data folder that is given; the lab is in
 * a process beside it.
 * Tells its parent its port, and how much memory it holds after a collection whenever it is asked (needs `--expose-gc`).
 */

export type FromService = { port: number } | { heapBytes: number; rssBytes: number };

const { values } = parseArgs({ options: { data: { type: 'string' } } });

const labProcess = fork(new URL('lab-process.ts', import.meta.url), { execArgv: [], serialization: 'advanced' });
const [lab] = (await once(labProcess, 'message')) as [LabPlace];
const ownFolder = mkdtempSync(join(tmpdir(), 'sextant-fuzz-'));
const port = await freePort();
const config = labConfig(lab, { dataDir: values.data ?? ownFolder, port: String(port) });
if (values.data === undefined) {
  const folder = catalogFolderOf(config);
  mkdirSync(folder, { recursive: true });
  buildFixtureCatalog([], folder);
}
const net = openNetworkClient({
  dnsServers: lab.dnsServers,
  extraCa: lab.extraCa,
  rootKeys: lab.rootKeys,
  mapEndpoint: dialBy(lab.plan, ({ address, port }) =>
    console.error(`Error: dialled ${address} ${port}, which is no part of the lab`),
  ),
  allowedPrivate: [],
  proxy: null,
});
const service = await startService(config, { logger: createLogger(config), net });

process.on('message', () => {
  globalThis.gc?.();
  process.send?.({
    heapBytes: process.memoryUsage().heapUsed,
    rssBytes: process.memoryUsage().rss,
  } satisfies FromService);
});
process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());
process.send?.({ port } satisfies FromService);

async function stop(): Promise<void> {
  await service.stop();
  labProcess.disconnect();
  rmSync(ownFolder, { recursive: true, force: true });
  process.exit(0);
}
