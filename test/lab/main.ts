/** Starts the lab, and the service in it, for exploring by hand: `npm run lab -- --port 8090 --delay 50`. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { recoverOrCreateCatalog } from '../../src/catalog/recover-or-create-catalog.ts';
import { startService } from '../../src/server/service.ts';
import { createLogger } from '../../src/log.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { catalogFolderOf } from '../../src/server/runner-deps.ts';
import { DNS_TWINS } from './evil-dns.ts';
import { openLab } from './lab.ts';
import { labConfig } from './lab-config.ts';
import { zones } from './zones.ts';

const USAGE = `npm run lab -- [--port 8090] [--delay 0] [--data folder]

  --port   where the service listens
  --delay  milliseconds that each imitated server waits before it answers
  --data   data folder of the service; default: one that is gone afterwards`;

const values = readArguments();

const lab = await openLab({ delayMs: Number(values.delay) });
const ownFolder = values.data === undefined ? mkdtempSync(join(tmpdir(), 'sextant-lab-')) : null;
const config = labConfig(lab, { dataDir: values.data ?? ownFolder!, port: values.port });
await recoverOrCreateCatalog(catalogFolderOf(config), new Date());
const net = openNetworkClient({ ...lab.netOptions, allowedPrivate: config.allowPrivateTargets, proxy: null });
const service = await startService(config, { logger: createLogger(config), net });

const rows = [
  ...lab.hosts,
  ...zones({ rsa1024: '', rsa2048: '', ed25519: '' }, '').map(({ name, shows }) => ({
    host: name,
    address: '',
    shows: `DNS: ${shows}`,
  })),
  ...DNS_TWINS.map(({ host, shows }) => ({ host, address: '', shows: `DNS: ${shows}` })),
].filter(({ host }) => host !== '');
for (const { host, address, shows } of rows) console.log(`${host.padEnd(30)} ${address.padEnd(15)} ${shows}`);
console.log(`
DNS          127.0.0.1:${lab.dns.port}
Upstreams    ${[...lab.sourceUrls].map(([id, url]) => `${id} ${url}`).join('\n             ')}
The service  http://127.0.0.1:${values.port}   (reference at /docs)

  curl http://127.0.0.1:${values.port}/v1/dns/kept.lab
  curl http://127.0.0.1:${values.port}/v1/ssl/expired.tls.lab
  curl http://127.0.0.1:${values.port}/v1/redirect/https://redirect.lab/private

Ctrl-C ends it.`);

process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());

function readArguments(): { port: string; delay: string; data?: string } {
  const options = {
    port: { type: 'string', default: '8090' },
    delay: { type: 'string', default: '0' },
    data: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    const { help, ...values } = parseArgs({ options }).values;
    if (!help) return values;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function stop(): Promise<void> {
  await service.stop();
  await lab.close();
  if (ownFolder !== null) rmSync(ownFolder, { recursive: true, force: true });
}
