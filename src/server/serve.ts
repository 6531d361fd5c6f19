import cluster from 'node:cluster';
import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { recoverOrCreateCatalog } from '../catalog/recover-or-create-catalog.ts';
import type { Config } from '../config.ts';
import { startMetricsListener } from '../http/metrics.ts';
import { createLogger } from '../log.ts';
import { catalogFolderOf } from './runner-deps.ts';
import { IdleMemory } from './idle-memory.ts';
import { startService } from './service.ts';
import { CATALOG_UPDATE, DUE_SYNC, SyncSchedule } from './sync-schedule.ts';
import { startServiceAsWorker } from './worker.ts';
import { WatchSupervisor } from './watch-supervisor.ts';
import { WorkerSupervisor } from './worker-supervisor.ts';

const STOP_TIMEOUT_MS = 10_000;

/** Is told what a person at a terminal wants to know. */
export interface ServeObserver {
  /** The service listens at this port. */
  onListening(port: number): void;
  /** A message of the sync process. */
  onSyncMessage(message: unknown): void;
  onStopping(): void;
}

/** Runs the service until a signal ends it, in this process or in several workers. */
export async function serve(config: Config, observer: ServeObserver | null = null): Promise<void> {
  const logger = createLogger(config);
  if (cluster.isWorker) return startServiceAsWorker(config, logger);
  if (config.secret === null && (config.redisUrl !== null || config.databaseUrl !== null)) {
    logger.warn(
      'backends are shared, but SEXTANT_SECRET is not set: replicas with other data folders use other pseudonyms',
    );
  }
  mkdirSync(catalogFolderOf(config), { recursive: true });
  await recoverOrCreateCatalog(catalogFolderOf(config), new Date());
  const service = config.workers === 1 ? await startInThisProcess(config, logger) : await startWorkers(config, logger);
  const schedule =
    config.sync === 'auto'
      ? new SyncSchedule(
          logger,
          () => service.refreshCatalog(),
          (message) => observer?.onSyncMessage(message),
          config.catalogFrom === null ? DUE_SYNC : CATALOG_UPDATE,
        )
      : null;
  const watches = new WatchSupervisor({ config, logger });

  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) service.exitNow();
    stopping = true;
    logger.info({ signal }, 'stopping');
    observer?.onStopping();
    setTimeout(() => service.exitNow(), STOP_TIMEOUT_MS).unref();
    await Promise.all([schedule?.stop(), watches.stop(), service.stop()]);
    logger.flush();
  };
  process.on('SIGINT', (signal) => void stop(signal));
  process.on('SIGTERM', (signal) => void stop(signal));
  observer?.onListening(service.port);
  schedule?.start();
  watches.start();
}

interface RunningService {
  readonly port: number;
  refreshCatalog(): void;
  stop(): Promise<void>;
  /** Ends the process immediately. */
  exitNow(): void;
}

async function startInThisProcess(config: Config, logger: Logger): Promise<RunningService> {
  const service = await startService(config, { logger });
  new IdleMemory().start();
  const closeMetrics = await startMetricsIfConfigured(config, () => service.metrics!.prometheusText());
  return {
    port: service.port,
    refreshCatalog: () => service.refreshCatalog(),
    async stop() {
      await service.stop();
      closeMetrics();
    },
    exitNow: () => process.exit(1),
  };
}

async function startWorkers(config: Config, logger: Logger): Promise<RunningService> {
  const workers = new WorkerSupervisor(config.workers, logger);
  const port = await workers.start();
  const closeMetrics = await startMetricsIfConfigured(config, () => workers.metricsText());
  return {
    port,
    refreshCatalog: () => workers.refreshCatalogs(),
    async stop() {
      await workers.stop();
      closeMetrics();
    },
    exitNow() {
      workers.killAll();
      process.exit(1);
    },
  };
}

/** Returns a function that closes the listener. */
async function startMetricsIfConfigured({ metricsListen }: Config, text: () => Promise<string>): Promise<() => void> {
  if (metricsListen === null) return () => {};
  const server = await startMetricsListener(metricsListen, text);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
