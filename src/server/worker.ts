import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import { type Service, startService } from './service.ts';
import { type FromWorker, Questions, type ToWorker } from './worker-messages.ts';

const STOP_WITHIN_MS = 9000;
const METRICS_WITHIN_MS = 3000;

/** One of several processes that answer at the same address. The first process starts it, tells it of new catalogs and ends it. */
export async function serveAsWorker(config: Config, logger: Logger): Promise<void> {
  const questions = new Questions<string>(METRICS_WITHIN_MS);
  let service: Service | null = null;
  let stopping = false;

  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    await service?.stop();
    // The channel to the first process would keep this one alive.
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  // In a terminal it reaches all processes; the first one decides.
  process.on('SIGINT', () => {});
  process.on('message', (message: ToWorker) => {
    if (message.type === 'refresh') service?.refresh();
    else if (message.type === 'stop') void stop();
    else if (message.type === 'ping') tell({ type: 'pong' });
    else if (message.type === 'metrics') questions.answer(message.id, message.text);
    else if (message.type === 'snapshot') void tellSnapshot(service, message.id);
  });

  async function metricsText(): Promise<string> {
    const text = await questions.ask((id) => tell({ type: 'metrics', id }));
    if (text !== null) return text;
    throw new Refusal('not_ready', 'The metrics of the workers did not come in time.', { retryAfterSeconds: 5 });
  }
  try {
    service = await startService(config, { logger, metricsText });
  } catch (error) {
    // Else the channel would keep a process alive that has nothing to do.
    process.channel?.unref();
    throw error;
  }
}

async function tellSnapshot(service: Service | null, id: number): Promise<void> {
  if (service?.metrics == null) return;
  tell({ type: 'snapshot', id, snapshot: await service.metrics.snapshot() });
}

function tell(message: FromWorker): void {
  if (process.connected) process.send?.(message);
}
