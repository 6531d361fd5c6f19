import module from 'node:module';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { serveTasks } from './serve-tasks.ts';
import { TASKS } from './tasks.ts';

/** Entry module of pool threads. The compile cache keeps each thread from compiling the modules of its tasks again. */
module.enableCompileCache();
lowerThreadPriority();
serveTasks(parentPort!, TASKS);

/**
 * The event loop has priority where cores are few. Linux only: elsewhere the priority is that of the whole process (setpriority(2)).
 * At nice value 4 a thread gets two fifths of the CPU time of a busy program beside it; at 10 it gets a ninth, and its task is late.
 */
function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(Math.max(getPriority(), 4));
}
