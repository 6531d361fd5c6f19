import { createGarbageCollector } from '../garbage-collector.ts';

const LOOK_EVERY_MS = 5_000;
/** Share of the time between two looks in which the event loop worked. */
const IDLE_SHARE = 0.02;
/** A collection takes some 140 ms of CPU: it has to return more than that is worth. */
const WORTHWHILE_BYTES = 24 * 1024 * 1024;

/** What is looked at; tests have their own. */
export interface IdleMemoryDeps {
  /** Share of the time since the last call in which the event loop worked, 0 to 1. */
  busyShare: () => number;
  /** Bytes that V8 keeps for the heap, in use or not. */
  heapBytes: () => number;
  collect: () => void;
}

/**
 * Returns the memory that load has left behind, once the process has nothing to do: V8 collects when it needs room and not when there is
 * time, so that a process at rest would keep the largest heap that it ever had.
 */
export class IdleMemory {
  readonly #deps: IdleMemoryDeps;
  /** After the last collection; 0 before the first. */
  #keptBytes = 0;

  constructor(deps: IdleMemoryDeps = processDeps()) {
    this.#deps = deps;
  }

  /** Looks from time to time until the process ends, which this does not delay. */
  start(): void {
    setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  /** Collects if the event loop was idle since the last look and the heap has grown since the last collection. */
  look(): void {
    const { busyShare, heapBytes, collect } = this.#deps;
    if (busyShare() > IDLE_SHARE || heapBytes() - this.#keptBytes < WORTHWHILE_BYTES) return;
    collect();
    this.#keptBytes = heapBytes();
  }
}

function processDeps(): IdleMemoryDeps {
  let last = performance.eventLoopUtilization();
  return {
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    collect: createGarbageCollector(),
  };
}
