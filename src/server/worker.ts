import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ApiError, RETRY_AFTER_SECONDS } from '../errors.ts';
import { type Service, startService } from './service.ts';
import { type MessageFromWorker, PendingRequests, type MessageToWorker } from './worker-messages.ts';

const STOP_TIMEOUT_MS = 9000;
const METRICS_TIMEOUT_MS = 3000;

/** One of several processes that answer at the same address. The first process starts it, tells it of new catalogs and ends it. */
export async function serveAsWorker(config: Config, logger: Logger): Promise<void> {
  const questions = new PendingRequests<string>(METRICS_TIMEOUT_MS);
  let service: Service | null = null;
  let stopping = false;

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await service?.stop();
    // The channel to the first process would keep this one alive.
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  // In a terminal it reaches all processes; the first one decides.
  process.on('SIGINT', () => {});
  process.on('message', (message: MessageToWorker) => {
    if (message.type === 'refresh') service?.refreshCatalog();
    else if (message.type === 'stop') void stop();
    else if (message.type === 'ping') sendToPrimary({ type: 'pong' });
    else if (message.type === 'metrics') questions.answer(message.id, message.text);
    else if (message.type === 'snapshot') void sendSnapshot(service, message.id);
  });

  async function metricsText(): Promise<string> {
    const text = await questions.request((id) => sendToPrimary({ type: 'metrics', id }));
    if (text !== null) return text;
    throw new ApiError('not_ready', 'The metrics of the workers did not come in time.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  try {
    service = await startService(config, { logger, metricsText });
  } catch (error) {
    // Else the channel would keep a process alive that has nothing to do.
    process.channel?.unref();
    throw error;
  }
}

async function sendSnapshot(service: Service | null, id: number): Promise<void> {
  if (service?.metrics == null) return;
  sendToPrimary({ type: 'snapshot', id, snapshot: await service.metrics.snapshot() });
}

function sendToPrimary(message: MessageFromWorker): void {
  if (process.connected) process.send?.(message);
}
