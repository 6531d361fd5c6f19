import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 5;
/** A later tick shows that other work waits for the event loop. */
const MAX_LATENESS_MS = 3;
/** The longest wait of the first in the queue, however busy the loop is. */
const MAX_WAIT_MS = 100;

let lastWaiter: Promise<void> = Promise.resolve();

/**
 * Await it before work that occupies the event loop in many small pieces: works that come at the same time start one after another,
 * each when the loop is idle again, so that quick answers in between are not delayed. The queue is shared by the process.
 */
export function waitForIdleLoop(signal: AbortSignal): Promise<void> {
  lastWaiter = lastWaiter.then(() => pollUntilIdle(signal));
  return lastWaiter;
}

async function pollUntilIdle(signal: AbortSignal): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  let now = performance.now();
  while (!signal.aborted && now < end) {
    const before = now;
    await sleep(TICK_MS);
    now = performance.now();
    if (now - before <= TICK_MS + MAX_LATENESS_MS) return;
  }
}
