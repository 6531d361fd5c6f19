import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ApiError, RETRY_AFTER_SECONDS } from '../errors.ts';
import { IdleMemory } from './idle-memory.ts';
import { type Service, startService } from './service.ts';
import { type MessageFromWorker, PendingRequests, type MessageToWorker } from './worker-messages.ts';

const STOP_TIMEOUT_MS = 9000;
const METRICS_TIMEOUT_MS = 3000;

/** Serves as one of several workers at the same address. The first process starts it, announces new catalogs and ends it. */
export async function startServiceAsWorker(config: Config, logger: Logger): Promise<void> {
  const metricsRequests = new PendingRequests<string>(METRICS_TIMEOUT_MS);
  let service: Service | null = null;
  let stopping = false;

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await service?.stop();
    // The IPC channel would keep this process alive.
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  // A terminal sends SIGINT to all processes; the first process decides.
  process.on('SIGINT', () => {});
  process.on('message', (message: MessageToWorker) => {
    if (message.type === 'refresh') service?.refreshCatalog();
    else if (message.type === 'stop') void stop();
    else if (message.type === 'ping') sendToPrimary({ type: 'pong' });
    else if (message.type === 'metrics_reply') metricsRequests.settle(message.id, message.text);
    else if (message.type === 'snapshot_request') void sendSnapshot(service, message.id);
  });

  async function metricsText(): Promise<string> {
    const text = await metricsRequests.request((id) => sendToPrimary({ type: 'metrics_request', id }));
    if (text !== null) return text;
    throw new ApiError('not_ready', 'The metrics of the workers did not come in time.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  try {
    service = await startService(config, { logger, metricsText });
    new IdleMemory().start();
  } catch (error) {
    // Otherwise the IPC channel keeps this failed process alive.
    process.channel?.unref();
    throw error;
  }
}

async function sendSnapshot(service: Service | null, id: number): Promise<void> {
  if (service?.metrics == null) return;
  sendToPrimary({ type: 'snapshot_reply', id, snapshot: await service.metrics.snapshot() });
}

function sendToPrimary(message: MessageFromWorker): void {
  if (process.connected) process.send?.(message);
}
