import { workerData } from 'node:worker_threads';
import { recoverOrCreateCatalog } from './recover-or-create-catalog.ts';

/** The thread that `recoverInThread` starts. */
const { folder, now } = workerData as { folder: string; now: number };
await recoverOrCreateCatalog(folder, new Date(now));
