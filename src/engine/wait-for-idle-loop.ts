import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 5;
/** A tick that is later shows that others wait for the thread. */
const LATE_MS = 3;
/** Nobody waits longer at the head of the queue, however busy the thread is. */
const PATIENCE_MS = 100;

let last: Promise<void> = Promise.resolve();

/**
 * To be awaited before work that keeps the thread busy in many small pieces for a while: those who come at once begin one after
 * another, each when the thread has caught up, so that quick answers are not lost between them.
 */
export function quietTurn(signal: AbortSignal): Promise<void> {
  last = last.then(() => untilQuiet(signal));
  return last;
}

async function untilQuiet(signal: AbortSignal): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  let now = performance.now();
  while (!signal.aborted && now < end) {
    const before = now;
    await sleep(TICK_MS);
    now = performance.now();
    if (now - before <= TICK_MS + LATE_MS) return;
  }
}
