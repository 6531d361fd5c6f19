import { CliError } from '../exit-codes.ts';

/**
 * Runs work that SIGINT or SIGTERM aborts through its AbortSignal, so that it can undo what it began. A second signal ends the process at
 * once.
 */
export async function runInterruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.kill(process.pid, 'SIGKILL');
    controller.abort(new CliError('interrupted', `stopped by ${name}; nothing was changed`));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
