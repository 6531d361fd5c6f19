import { monitorEventLoopDelay } from 'node:perf_hooks';

const ROUNDS = 4;

/**
 * The longest that the event loop was held up while `work` ran, in milliseconds: the least of a few rounds, because a neighbour on
 * the machine can only add to it.
 */
export async function heldUpBy(work: () => Promise<unknown>): Promise<number> {
  const worst: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await work();
    delay.disable();
    worst.push(delay.max / 1e6);
  }
  return Math.min(...worst);
}
