import module from 'node:module';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

/** Where a thread of the pool starts. What its tasks load is compiled once, not in every thread. */
module.enableCompileCache();
lowerThreadPriority();
serveTasks(parentPort!, TASKS);

/** Answers of the event loop come first where cores are few. On Linux alone the priority is that of one thread (setpriority(2)). */
function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
