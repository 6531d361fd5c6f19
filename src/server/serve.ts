import cluster from 'node:cluster';
import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { ensureStarter } from '../catalog/starter.ts';
import type { Config } from '../config.ts';
import { listenForMetrics } from '../http/metrics.ts';
import { createLogger } from '../log.ts';
import { catalogFolder } from './services.ts';
import { startService } from './service.ts';
import { SyncSchedule } from './sync-schedule.ts';
import { serveAsWorker } from './worker.ts';
import { Workers } from './workers.ts';

const STOP_WITHIN_MS = 10_000;

/** Runs the service until a signal ends it, in this process or in several workers. */
export async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  if (cluster.isWorker) return serveAsWorker(config, logger);
  if (config.secret === null && (config.redisUrl !== null || config.databaseUrl !== null)) {
    logger.warn(
      'engines are shared, but SEXTANT_SECRET is not set: replicas with other data folders know a caller by other names',
    );
  }
  mkdirSync(catalogFolder(config), { recursive: true });
  await ensureStarter(catalogFolder(config), new Date());
  const running = config.workers === 1 ? await startAlone(config, logger) : await startWorkers(config, logger);
  const schedule = config.sync === 'auto' ? new SyncSchedule(logger, () => running.refresh()) : null;
  schedule?.start();

  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) running.abandon();
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => running.abandon(), STOP_WITHIN_MS).unref();
    await Promise.all([schedule?.stop(), running.stop()]);
    logger.flush();
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
}

interface Running {
  refresh(): void;
  stop(): Promise<void>;
  /** Ends at once. */
  abandon(): void;
}

async function startAlone(config: Config, logger: Logger): Promise<Running> {
  const service = await startService(config, { logger });
  const closeMetrics = await openMetrics(config, () => service.metrics!.text());
  return {
    refresh: () => service.refresh(),
    async stop() {
      await service.stop();
      closeMetrics();
    },
    abandon: () => process.exit(1),
  };
}

async function startWorkers(config: Config, logger: Logger): Promise<Running> {
  const workers = new Workers(config.workers, logger);
  await workers.start();
  const closeMetrics = await openMetrics(config, () => workers.metricsText());
  return {
    refresh: () => workers.refresh(),
    async stop() {
      await workers.stop();
      closeMetrics();
    },
    abandon() {
      workers.kill();
      process.exit(1);
    },
  };
}

/** Gives what closes the listener. */
async function openMetrics({ metricsListen }: Config, text: () => Promise<string>): Promise<() => void> {
  if (metricsListen === null) return () => {};
  const server = await listenForMetrics(metricsListen, text);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
