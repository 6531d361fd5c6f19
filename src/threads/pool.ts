import { Worker } from 'node:worker_threads';
import { Refusal, tooBusy } from '../errors.ts';
import { outputOf, type Question, type Reply } from './messages.ts';

export interface PoolOptions {
  /** The module that each thread starts with; it calls `answerTasks`. */
  entry: URL;
  threads: number;
  /** Questions that may wait for a thread; one more is refused. */
  queue: number;
  /** How long a thread without work is kept. */
  idleMs: number;
  /** JavaScript heap of one thread. */
  memoryMb: number;
  /** Of that heap, what is collected often; default: Node's. Less is slower, and leaves less behind. */
  youngMb?: number;
}

export interface Limits {
  /** Waiting and working together. */
  timeoutMs: number;
  /** Aborted: the work ends, and the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Buffers in the input that the thread takes over instead of a copy; nobody here may use them afterwards. */
  transfer?: readonly ArrayBuffer[];
}

interface Thread {
  worker: Worker;
  job: Job | null;
  idle: NodeJS.Timeout | null;
}

interface Job {
  question: Question;
  transfer: readonly ArrayBuffer[];
  thread: Thread | null;
  settle(finish: () => void): void;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Threads that do work one question at a time, first come, first served. They start when there is work and end when there is
 * none; only a working one keeps the process alive. What goes wrong in a thread is the error of its question alone.
 */
export class Pool {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting = new Set<Job>();

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Threads that there are now, working or idle. */
  get size(): number {
    return this.#threads.size;
  }

  /**
   * Has a thread answer the question. Rejects with the task's own error, with the signal's reason, or with a `Refusal`
   * (`not_ready`) where too much waits already or the time is over.
   */
  run(question: Question, { timeoutMs, signal, transfer = [] }: Limits): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const idle = [...this.#threads].find(({ job }) => job === null);
    const startable = this.#threads.size < this.#options.threads;
    if (idle === undefined && !startable && this.#waiting.size >= this.#options.queue) {
      return Promise.reject(tooBusy());
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = (): void => this.#giveUp(job, signal!.reason);
    const timer = setTimeout(() => this.#giveUp(job, tooLate(job, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const job: Job = {
      question,
      transfer,
      thread: null,
      settle(finish) {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        finish();
      },
      resolve,
      reject,
    };
    if (idle !== undefined) this.#give(idle, job);
    else if (startable) this.#startFor(job);
    else this.#waiting.add(job);
    return promise;
  }

  /** Ends all threads; what they worked on is rejected, as is what waits. */
  async close(): Promise<void> {
    const closed = new Error('the pool of threads was closed');
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const job of waiting) job.settle(() => job.reject(closed));
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, closed)));
  }

  #startFor(job: Job): void {
    const { entry, memoryMb, youngMb } = this.#options;
    const worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, ...(youngMb && { maxYoungGenerationSizeMb: youngMb }) },
      // Pure work reads no environment, and needs none of the flags that this process was started with.
      env: {},
      execArgv: [],
    });
    const thread: Thread = { worker, job: null, idle: null };
    this.#threads.add(thread);
    worker.on('message', (reply: Reply) => this.#finish(thread, reply));
    worker.on('messageerror', (error) => void this.#end(thread, error));
    worker.on('error', (error) => void this.#end(thread, error));
    worker.on('exit', (code) => void this.#end(thread, new Error(`a thread ended with code ${code}`)));
    this.#give(thread, job);
  }

  #give(thread: Thread, job: Job): void {
    if (thread.idle !== null) clearTimeout(thread.idle);
    thread.idle = null;
    try {
      thread.worker.postMessage(job.question, job.transfer);
    } catch (error) {
      // The input was none that can be copied; the thread has not heard of it.
      job.settle(() => job.reject(error));
      this.#next(thread);
      return;
    }
    thread.job = job;
    job.thread = thread;
    thread.worker.ref();
  }

  #finish(thread: Thread, reply: Reply): void {
    const { job } = thread;
    if (job === null) return;
    thread.job = null;
    this.#next(thread);
    job.settle(() => {
      try {
        job.resolve(outputOf(reply));
      } catch (error) {
        job.reject(error);
      }
    });
  }

  /** Work for a free thread: the longest waiting, or none for now. */
  #next(thread: Thread): void {
    const [job] = this.#waiting;
    if (job !== undefined) {
      this.#waiting.delete(job);
      this.#give(thread, job);
      return;
    }
    thread.worker.unref();
    thread.idle = setTimeout(() => void this.#end(thread, null), this.#options.idleMs).unref();
  }

  #giveUp(job: Job, reason: unknown): void {
    this.#waiting.delete(job);
    if (job.thread === null) job.settle(() => job.reject(reason));
    else void this.#end(job.thread, reason);
  }

  /** Ends a thread, fails what it worked on, and starts another if work waits. */
  async #end(thread: Thread, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    if (thread.idle !== null) clearTimeout(thread.idle);
    const { job } = thread;
    thread.job = null;
    job?.settle(() => job.reject(reason));
    const [waiting] = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting.delete(waiting);
      this.#startFor(waiting);
    }
    await thread.worker.terminate();
  }
}

function tooLate({ thread }: Job, timeoutMs: number): Refusal {
  if (thread === null) return tooBusy();
  const message = `This took longer than ${timeoutMs / 1000} s and was stopped. Try again with less at once.`;
  return new Refusal('not_ready', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
