import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 5;
/** A tick that is later shows that others wait for the thread. */
const MAX_LATENESS_MS = 3;
/** Nobody waits longer at the head of the queue, however busy the thread is. */
const MAX_WAIT_MS = 100;

let lastWaiter: Promise<void> = Promise.resolve();

/**
 * To be awaited before work that keeps the thread busy in many small pieces for a while: those who come at once begin one after
 * another, each when the thread has caught up, so that quick answers are not lost between them.
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
