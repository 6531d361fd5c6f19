import { CliError } from '../exit-codes.ts';

/** Aborted when the service that started this sync or update has ended. */
export function parentDisconnectSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('disconnect', () =>
    controller.abort(new CliError('interrupted', 'the service that asked for this sync is gone')),
  );
  return controller.signal;
}
