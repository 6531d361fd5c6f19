import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../../src/errors.ts';
import { serveTasks } from '../../../src/threads/serve-tasks.ts';

/** A thread with tasks that go wrong in every way that a task can. */
serveTasks(parentPort!, {
  double: async () => (given: number) => given * 2,
  wait: async () => (ms: number) => new Promise((resolve) => setTimeout(() => resolve(ms), ms)),
  spin: async () => () => {
    for (;;);
  },
  refuse: async () => (message: string) => {
    throw new ApiError('validation_error', message);
  },
  fail: async () => (message: string) => {
    throw new RangeError(message);
  },
  leave: async () => (code: number) => process.exit(code),
  throwLater: async () => () => {
    setImmediate(() => {
      throw new Error('thrown outside of the task');
    });
    return new Promise(() => {});
  },
  eat: async () => () => {
    const eaten: number[][] = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, (_, index) => index));
  },
  giveFunction: async () => () => () => 1,
  environment: async () => () => Object.keys(process.env),
});
