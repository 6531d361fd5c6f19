import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from '../../../src/cli/service.ts';
import { createLogger } from '../../../src/log.ts';
import { openNet } from '../../../src/net/open-net.ts';
import { catalogFolder } from '../../../src/services.ts';
import { freePort } from '../../support/engines.ts';
import { openLab } from '../../lab/lab.ts';
import { labConfig } from '../../lab/lab-config.ts';
import { buildFixtureCatalog } from '../../operations/fixture-catalog.ts';

/**
 * The process that the fuzzer asks: the service as it is served, in the lab, over the fixture catalog or a data folder that is given.
 * Tells its parent its port, and how much memory it holds after a collection whenever it is asked (needs `--expose-gc`).
 */

export type FromService = { port: number } | { heapBytes: number; rssBytes: number };

const { values } = parseArgs({ options: { data: { type: 'string' } } });

const lab = await openLab();
const ownFolder = mkdtempSync(join(tmpdir(), 'sextant-fuzz-'));
const port = await freePort();
const config = labConfig(lab, { dataDir: values.data ?? ownFolder, port: String(port) });
if (values.data === undefined) {
  const folder = catalogFolder(config);
  mkdirSync(folder, { recursive: true });
  buildFixtureCatalog([], folder);
}
const net = openNet({ ...lab.netOptions, allowedPrivate: [], proxy: null });
const service = await startService(config, { logger: createLogger(config.logLevel), net });

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
  await lab.close();
  rmSync(ownFolder, { recursive: true, force: true });
  process.exit(0);
}
