import { cpuMs } from './cpu-time.ts';

/** On a busy machine what arrives while others run is handled in one turn: a bound that holds is kept in one of so many tries. */
const TRIES = 4;

/**
 * The longest turn of the event loop while `work` ran, in milliseconds of this thread's own CPU time: what others had to wait, without
 * what neighbours on the machine add. Tries again while it is not under `bound`, and gives the least.
 */
export async function longestTurnIn(work: () => Promise<unknown>, bound: number): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least >= bound; tries++) least = Math.min(least, await longestTurnOnce(work));
  return least;
}

async function longestTurnOnce(work: () => Promise<unknown>): Promise<number> {
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
