import { workerData } from 'node:worker_threads';
import { ensureCatalog } from './ensure-catalog.ts';

/** The thread that `recoverInThread` starts. */
const { folder, now } = workerData as { folder: string; now: number };
await ensureCatalog(folder, new Date(now));
