import { workerData } from 'node:worker_threads';
import { ensureCatalog } from './ensure-catalog.ts';

/** In a thread, since files are read whole: sees to it that a catalog answers. See `recoverInThread`. */
const { folder, now } = workerData as { folder: string; now: number };
await ensureCatalog(folder, new Date(now));
