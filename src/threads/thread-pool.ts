import { Worker } from 'node:worker_threads';
import { ApiError, overloadedError } from '../errors.ts';
import { unwrapReply, type TaskRequest, type TaskReply } from './task-messages.ts';

export interface ThreadPoolOptions {
  /** The module that each thread starts with; it calls `answerTasks`. */
  entry: URL;
  maxThreads: number;
  /** Questions that may wait for a thread; one more is refused. */
  maxQueued: number;
  /** How long a thread without work is kept. */
  idleMs: number;
  /** JavaScript heap of one thread. */
  heapMb: number;
  /** Of that heap, what is collected often; default: Node's. Less is slower, and leaves less behind. */
  youngGenerationMb?: number;
}

export interface PoolRunOptions {
  /** Waiting and working together. */
  timeoutMs: number;
  /** Aborted: the work ends, and the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Buffers in the input that the thread takes over instead of a copy; nobody here may use them afterwards. */
  transfer?: readonly ArrayBuffer[];
}

interface PoolThread {
  worker: Worker;
  job: Job | null;
  idleTimer: NodeJS.Timeout | null;
}

interface Job {
  request: TaskRequest;
  transfer: readonly ArrayBuffer[];
  thread: PoolThread | null;
  settle(finish: () => void): void;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Threads that do work one question at a time, first come, first served. They start when there is work and end when there is
 * none; only a working one keeps the process alive. What goes wrong in a thread is the error of its question alone.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<PoolThread>();
  readonly #queue = new Set<Job>();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** Threads that there are now, working or idle. */
  get threadCount(): number {
    return this.#threads.size;
  }

  /**
   * Has a thread answer the question. Rejects with the task's own error, with the signal's reason, or with a `ApiError`
   * (`not_ready`) where too much waits already or the time is over.
   */
  run(question: TaskRequest, { timeoutMs, signal, transfer = [] }: PoolRunOptions): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const idle = [...this.#threads].find(({ job }) => job === null);
    const startable = this.#threads.size < this.#options.maxThreads;
    if (idle === undefined && !startable && this.#queue.size >= this.#options.maxQueued) {
      return Promise.reject(overloadedError());
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = (): void => this.#cancel(job, signal!.reason);
    const timer = setTimeout(() => this.#cancel(job, timeoutError(job, timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const job: Job = {
      request: question,
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
    if (idle !== undefined) this.#assign(idle, job);
    else if (startable) this.#startThread(job);
    else this.#queue.add(job);
    return promise;
  }

  /** Ends all threads; what they worked on is rejected, as is what waits. */
  async close(): Promise<void> {
    const closed = new Error('the pool of threads was closed');
    const waiting = [...this.#queue];
    this.#queue.clear();
    for (const job of waiting) job.settle(() => job.reject(closed));
    await Promise.all([...this.#threads].map((thread) => this.#endThread(thread, closed)));
  }

  #startThread(job: Job): void {
    const { entry, heapMb, youngGenerationMb } = this.#options;
    const worker = new Worker(entry, {
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb,
        ...(youngGenerationMb && { maxYoungGenerationSizeMb: youngGenerationMb }),
      },
      // Pure work reads no environment, and needs none of the flags that this process was started with.
      env: {},
      execArgv: [],
    });
    const thread: PoolThread = { worker, job: null, idleTimer: null };
    this.#threads.add(thread);
    worker.on('message', (reply: TaskReply) => this.#finish(thread, reply));
    worker.on('messageerror', (error) => void this.#endThread(thread, error));
    worker.on('error', (error) => void this.#endThread(thread, error));
    worker.on('exit', (code) => void this.#endThread(thread, new Error(`a thread ended with code ${code}`)));
    this.#assign(thread, job);
  }

  #assign(thread: PoolThread, job: Job): void {
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    thread.idleTimer = null;
    try {
      thread.worker.postMessage(job.request, job.transfer);
    } catch (error) {
      // The input was none that can be copied; the thread has not heard of it.
      job.settle(() => job.reject(error));
      this.#assignNext(thread);
      return;
    }
    thread.job = job;
    job.thread = thread;
    thread.worker.ref();
  }

  #finish(thread: PoolThread, reply: TaskReply): void {
    const { job } = thread;
    if (job === null) return;
    thread.job = null;
    this.#assignNext(thread);
    job.settle(() => {
      try {
        job.resolve(unwrapReply(reply));
      } catch (error) {
        job.reject(error);
      }
    });
  }

  /** Work for a free thread: the longest waiting, or none for now. */
  #assignNext(thread: PoolThread): void {
    const [job] = this.#queue;
    if (job !== undefined) {
      this.#queue.delete(job);
      this.#assign(thread, job);
      return;
    }
    thread.worker.unref();
    thread.idleTimer = setTimeout(() => void this.#endThread(thread, null), this.#options.idleMs).unref();
  }

  #cancel(job: Job, reason: unknown): void {
    this.#queue.delete(job);
    if (job.thread === null) job.settle(() => job.reject(reason));
    else void this.#endThread(job.thread, reason);
  }

  /** Ends a thread, fails what it worked on, and starts another if work waits. */
  async #endThread(thread: PoolThread, reason: unknown): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    if (thread.idleTimer !== null) clearTimeout(thread.idleTimer);
    const { job } = thread;
    thread.job = null;
    job?.settle(() => job.reject(reason));
    const [waiting] = this.#queue;
    if (waiting !== undefined) {
      this.#queue.delete(waiting);
      this.#startThread(waiting);
    }
    await thread.worker.terminate();
  }
}

function timeoutError({ thread }: Job, timeoutMs: number): ApiError {
  if (thread === null) return overloadedError();
  const message = `This took longer than ${timeoutMs / 1000} s and was stopped. Try again with less at once.`;
  return new ApiError('not_ready', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
