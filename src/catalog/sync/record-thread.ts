import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import { serveTasks } from '../../threads/serve-tasks.ts';
import { RECORD_TASKS } from './record-tasks.ts';

/** Entry of the threads that read the records of large feed files. */
module.enableCompileCache();
serveTasks(parentPort!, RECORD_TASKS);
