import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { FuzzClient } from './client.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/**
 * A caller who looks up a CVE again and again, and measures the wait. It runs in a thread of its own: the fuzzer's own work
 * would otherwise be counted as the service's.
 */

export const LOOK_UP: FuzzRequest = {
  surface: 'rest',
  operation: 'cve_lookup',
  method: 'GET',
  path: '/v1/cve/CVE-2021-44228',
  headers: {},
};
const INTERVAL_MS = 20;
/** An address that the fuzzer's other callers do not have. */
const CALLER = 199;

export class Probe {
  readonly #thread: Worker;

  constructor(port: number) {
    this.#thread = new Worker(new URL(import.meta.url), { workerData: port });
  }

  /** Milliseconds of each look-up that ended while `work` ran. */
  async during(work: () => Promise<void>): Promise<number[]> {
    this.#thread.postMessage('start', []);
    await work();
    this.#thread.postMessage('stop', []);
    const [waits] = (await once(this.#thread, 'message')) as [number[]];
    return waits;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}

if (!isMainThread) {
  const client = new FuzzClient(workerData as number);
  let running = new AbortController();
  parentPort!.on('message', (order: 'start' | 'stop') => {
    if (order === 'stop') return running.abort();
    running = new AbortController();
    void measure(client, running.signal).then((waits) => parentPort!.postMessage(waits, []));
  });
}

async function measure(client: FuzzClient, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  while (!signal.aborted) {
    try {
      const { ms } = await client.send(LOOK_UP, CALLER);
      waits.push(ms);
    } catch {
      // A service that ended shows in the fuzzer's findings.
    }
    await pause(INTERVAL_MS);
  }
  return waits;
}
