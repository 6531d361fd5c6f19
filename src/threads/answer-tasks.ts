import type { MessagePort } from 'node:worker_threads';
import { asReply, type Question, type Reply } from './messages.ts';
import type { Tasks } from './tasks.ts';

/** In a thread: answers each question that comes. */
export function answerTasks(port: MessagePort, tasks: Tasks): void {
  port.on('message', (question: Question) => void answer(port, tasks, question));
}

async function answer(port: MessagePort, tasks: Tasks, question: Question): Promise<void> {
  const reply = await replyTo(tasks, question);
  try {
    port.postMessage(reply);
  } catch (error) {
    // The output was none that can be copied.
    port.postMessage(asReply(error));
  }
}

async function replyTo(tasks: Tasks, { task, input }: Question): Promise<Reply> {
  try {
    const load = tasks[task];
    if (load === undefined) throw new Error(`there is no task ${task}`);
    const run = (await load()) as (given: unknown) => unknown;
    return { output: await run(input) };
  } catch (error) {
    return asReply(error);
  }
}
