import { Worker } from 'node:worker_threads';
import { ApiError, overloadedError, RETRY_AFTER_SECONDS } from '../errors.ts';
import { type TaskReply, type TaskRequest, unwrapReply } from './serve-tasks.ts';

export interface ThreadPoolOptions {
  /** The module that each thread starts with; it calls `serveTasks`. */
  entry: URL;
  maxThreads: number;
  /** Requests that may wait for a thread; one more is refused. */
  maxQueued: number;
  /** How long a thread without work is kept. */
  idleMs: number;
  /** JavaScript heap of one thread. */
  heapMb: number;
  /** Young generation of that heap (V8 semi-spaces); default: Node's. */
  youngGenerationMb?: number;
}

export interface PoolRunOptions {
  /** Waiting and working together. */
  timeoutMs: number;
  /** Aborted: the work ends, and the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Buffers in the input that are moved to the thread instead of copied: the sender cannot use them afterwards. */
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

/**
 * Threads that execute one request at a time, in order of arrival. They start when there is work and end when they were idle;
 * only a working thread keeps the process alive. A failure in a thread rejects its own request only (docs/decisions/011).
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<PoolThread>();
  readonly #queue = new Set<Job>();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /** Working and idle threads. */
  get threadCount(): number {
    return this.#threads.size;
  }

  /**
   * Executes the request in a thread. Rejects with the task's own error, with the signal's reason, or with `ApiError`
   * (`not_ready`) where the queue is full or the time is over.
   */
  run(request: TaskRequest, { timeoutMs, signal, transfer = [] }: PoolRunOptions): Promise<unknown> {
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
      request,
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

  /** Ends all threads and rejects all requests, working and waiting. */
  async close(): Promise<void> {
    const closed = new Error('the pool of threads was closed');
    const queued = [...this.#queue];
    this.#queue.clear();
    for (const job of queued) job.settle(() => job.reject(closed));
    await Promise.all([...this.#threads].map((thread) => this.#endThread(thread, closed)));
  }

  #startThread(job: Job): void {
    const { entry, heapMb, youngGenerationMb } = this.#options;
    const worker = new Worker(entry, {
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb,
        ...(youngGenerationMb && { maxYoungGenerationSizeMb: youngGenerationMb }),
      },
      // Pure work needs neither the environment nor the flags of this process.
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
      // The input cannot be cloned; the thread did not receive it.
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

  /** Gives a free thread the request that waited longest, or lets it idle. */
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

  /** Ends a thread, rejects its request, and starts another thread if requests wait. */
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
