import type { MessagePort } from 'node:worker_threads';
import { toErrorReply, type TaskRequest, type TaskReply } from './task-messages.ts';
import type { TaskLoaders } from './tasks.ts';

/** In a thread: answers each question that comes. */
export function serveTasks(port: MessagePort, tasks: TaskLoaders): void {
  port.on('message', (question: TaskRequest) => void handleRequest(port, tasks, question));
}

async function handleRequest(port: MessagePort, tasks: TaskLoaders, question: TaskRequest): Promise<void> {
  const reply = await executeTask(tasks, question);
  try {
    port.postMessage(reply);
  } catch (error) {
    // The output was none that can be copied.
    port.postMessage(toErrorReply(error));
  }
}

async function executeTask(tasks: TaskLoaders, { task, input }: TaskRequest): Promise<TaskReply> {
  try {
    const load = tasks[task];
    if (load === undefined) throw new Error(`there is no task ${task}`);
    const run = (await load()) as (given: unknown) => unknown;
    return { output: await run(input) };
  } catch (error) {
    return toErrorReply(error);
  }
}
