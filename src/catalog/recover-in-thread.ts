import { Worker } from 'node:worker_threads';
import { entryModuleUrl } from '../program-files.ts';

/** `recoverOrCreateCatalog` in a thread, because it reads files whole. `now` is in milliseconds since 1970. */
export function recoverInThread(folder: string, now: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = entryModuleUrl('catalog/recovery-thread.ts');
    const thread = new Worker(entry, { workerData: { folder, now }, env: {}, execArgv: [] });
    thread.once('error', reject);
    thread.once('exit', () => resolve());
    thread.unref();
  });
}
