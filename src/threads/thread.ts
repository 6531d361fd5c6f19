import module from 'node:module';
import { parentPort } from 'node:worker_threads';
import { answerTasks } from './answer-tasks.ts';
import { TASKS } from './tasks.ts';

/** Where a thread of the pool starts. What its tasks load is compiled once, not in every thread. */
module.enableCompileCache();
answerTasks(parentPort!, TASKS);
