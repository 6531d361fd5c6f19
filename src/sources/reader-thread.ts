import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../threads/serve-tasks.ts';
import { READERS } from './readers.ts';

/** Entry of the worker threads that read large responses of sources. */
module.enableCompileCache();
serveTasks(parentPort!, READERS);
