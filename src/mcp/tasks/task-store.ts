import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';

export type TaskStatus = 'working' | 'completed' | 'cancelled';

/** One call that runs, or ran, apart from the request that asked for it. */
export interface Task {
  readonly id: string;
  readonly createdAt: Date;
  readonly ttlMs: number;
  status: TaskStatus;
  lastUpdatedAt: Date;
  /** Of a completed task; an error of the call is a result, too. */
  result: CallToolResult | null;
}

interface KeptTask {
  readonly task: Task;
  readonly owner: string;
  readonly controller: AbortController;
  /** Resolved when the task is no longer working. */
  readonly ended: Promise<void>;
  readonly expiry: NodeJS.Timeout;
}

interface TaskLimits {
  /** A call that ends within this time needs no task. */
  answerWithinMs: number;
  /** Of one caller, running and finished. */
  perCaller: number;
  /** Of all callers. */
  total: number;
}

/** A client may ask for less or more time than the default. */
const TTL_MS = { default: 300_000, min: 10_000, max: 900_000 };
const LIMITS: TaskLimits = { answerWithinMs: 3000, perCaller: 10, total: 200 };

/**
 * Calls that clients ask for now and fetch later, in the memory of this process alone: another process does not know them, and the end of
 * this one ends them. A task is visible to the caller who started it.
 */
export class TaskStore {
  readonly #tasks = new Map<string, KeptTask>();
  readonly #limits: TaskLimits;

  constructor(limits: Partial<TaskLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  get answerWithinMs(): number {
    return this.#limits.answerWithinMs;
  }

  /**
   * Starts `run` as a task of `owner`; null where there are too many. `ttlMs`: how long the client wants the task to be kept, from now on.
   * `run` gets a signal that is aborted when the task is cancelled or expires.
   */
  start(owner: string, ttlMs: number | undefined, run: (signal: AbortSignal) => Promise<CallToolResult>): Task | null {
    const ofOwner = this.#tasks.values().reduce((count, kept) => count + (kept.owner === owner ? 1 : 0), 0);
    if (ofOwner >= this.#limits.perCaller || this.#tasks.size >= this.#limits.total) return null;
    const now = new Date();
    const kept = Math.min(Math.max(ttlMs ?? TTL_MS.default, TTL_MS.min), TTL_MS.max);
    const task: Task = {
      id: randomUUID(),
      createdAt: now,
      ttlMs: kept,
      status: 'working',
      lastUpdatedAt: now,
      result: null,
    };
    const controller = new AbortController();
    const ended = runToEnd(task, run(controller.signal));
    const expiry = setTimeout(() => this.#remove(task.id), kept).unref();
    this.#tasks.set(task.id, { task, owner, controller, ended, expiry });
    return task;
  }

  /** The task with this id; null where this caller has none. */
  find(id: string, owner: string): Task | null {
    return this.#findKept(id, owner)?.task ?? null;
  }

  /** Waits until the task has ended, or for `signal`. */
  async waitForEnd(id: string, owner: string, signal: AbortSignal): Promise<void> {
    const kept = this.#findKept(id, owner);
    if (kept === null || kept.task.status !== 'working') return;
    const aborted = Promise.withResolvers<void>();
    const stop = (): void => aborted.resolve();
    const signals = [signal, kept.controller.signal];
    for (const one of signals) one.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) await Promise.race([kept.ended, aborted.promise]);
    for (const one of signals) one.removeEventListener('abort', stop);
  }

  /** Ends the work of a task that is running. */
  cancel(id: string, owner: string): void {
    const kept = this.#findKept(id, owner);
    if (kept === null || kept.task.status !== 'working') return;
    setStatus(kept.task, 'cancelled');
    kept.controller.abort();
  }

  /** Forgets a task whose result was already given. */
  forget(id: string): void {
    this.#remove(id);
  }

  close(): void {
    for (const id of this.#tasks.keys()) this.#remove(id);
  }

  #findKept(id: string, owner: string): KeptTask | null {
    const kept = this.#tasks.get(id);
    return kept?.owner === owner ? kept : null;
  }

  #remove(id: string): void {
    const kept = this.#tasks.get(id);
    if (kept === undefined) return;
    clearTimeout(kept.expiry);
    this.#tasks.delete(id);
    if (kept.task.status === 'working') setStatus(kept.task, 'cancelled');
    kept.controller.abort();
  }
}

async function runToEnd(task: Task, running: Promise<CallToolResult>): Promise<void> {
  const result = await running;
  if (task.status !== 'working') return;
  task.result = result;
  setStatus(task, 'completed');
}

function setStatus(task: Task, status: TaskStatus): void {
  task.status = status;
  task.lastUpdatedAt = new Date();
}
