import { mkdirSync } from 'node:fs';
import { openAccess } from '../access/access.ts';
import { ensureStarter } from '../catalog/starter.ts';
import type { Config } from '../config.ts';
import { createServer } from '../http/server.ts';
import { createLogger } from '../log.ts';
import { McpEndpoint } from '../mcp/http-endpoint.ts';
import { McpService } from '../mcp/service.ts';
import { OPERATIONS } from '../operations/list.ts';
import { catalogFolder, createServices } from '../services.ts';
import { SyncSchedule } from './sync-schedule.ts';

const STOP_WITHIN_MS = 10_000;

/** Runs the service until a signal ends it: stops listening, lets answers under way finish, bounded in time. */
export async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  mkdirSync(catalogFolder(config), { recursive: true });
  await ensureStarter(catalogFolder(config), new Date());
  const services = createServices(config, (problem) => logger.error({ err: problem }, 'catalog cannot be opened'));
  const access = await openAccess(config, {
    now: services.now,
    onProblem: (problem) => logger.warn({ err: problem }, 'accounts'),
  });
  let stopping = false;
  const mcp = new McpEndpoint(new McpService(OPERATIONS, services), { host: config.host, allowedOrigins: [] });
  const app = await createServer({ operations: OPERATIONS, services, access, logger, isStopping: () => stopping, mcp });
  await app.listen({
    host: config.host,
    port: config.port,
    listenTextResolver: (address) => `listening at ${address}, reference at ${address}/docs`,
  });
  const schedule = config.sync === 'auto' ? new SyncSchedule(logger, () => services.catalog.refresh()) : null;
  schedule?.start();

  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await schedule?.stop();
    await app.close();
    await access.close();
    services.catalog.close();
    logger.flush();
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
}
