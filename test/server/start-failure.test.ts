import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { NetworkClient } from '../../src/net/network-client.ts';
import { CONFIGURABLE_SOURCE_IDS } from '../../src/server/runner-deps.ts';
import { startService } from '../../src/server/service.ts';
import { fixtureCatalog, temporaryFolder } from '../operations/fixture-catalog.ts';

/** The only part of a network client that a start and a stop use. */
function closableNet(): { net: NetworkClient; closed: () => boolean } {
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
  };
  return { net: { close } as unknown as NetworkClient, closed: () => isClosed };
}

const config = (port: number) => {
  const dataDir = temporaryFolder();
  symlinkSync(fixtureCatalog(), join(dataDir, 'catalog'));
  return readConfig(CONFIGURABLE_SOURCE_IDS, {
    SEXTANT_DATA_DIR: dataDir,
    SEXTANT_PORT: String(port),
    SEXTANT_SYNC: 'off',
  });
};

test('a server that cannot be built closes what was opened before it', async () => {
  const { net, closed } = closableNet();
  // Fastify refuses a logger without its methods.
  const logger = { warn: () => {}, error: () => {} } as never;
  await assert.rejects(startService(config(0), { logger, net }), /logger/i);
  assert.ok(closed());
});

test('a port that is taken closes everything, too', async () => {
  const first = closableNet();
  const logger = pino({ level: 'silent' });
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  try {
    const { port } = holder.address() as { port: number };
    await assert.rejects(startService(config(port), { logger, net: first.net }), { code: 'EADDRINUSE' });
    assert.ok(first.closed());
  } finally {
    holder.close();
  }
});
