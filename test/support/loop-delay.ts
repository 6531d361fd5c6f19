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

/**
 * The longest turn of the event loop while `work` ran, in milliseconds of this thread's own CPU time: what others had to wait, without
 * what neighbours on the machine add.
 */
export async function longestTurnIn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = cpuMs();
  const sampling = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return longest;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
