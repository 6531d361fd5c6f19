import { cpuMs } from './cpu-time.ts';

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
