import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../threads/serve-tasks.ts';
import { READERS } from './readers.ts';

/** Where a thread starts that reads large answers of sources. */
module.enableCompileCache();
serveTasks(parentPort!, READERS);
