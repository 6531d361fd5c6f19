import { setImmediate as nextTurn } from 'node:timers/promises';

const MAX_SLICE_MS = 8;

let lastYield: Promise<unknown> = Promise.resolve();

/**
 * Gives a function to await between pieces of long work: it yields to the event loop when the work has run for `MAX_SLICE_MS`. Of
 * several such works only one continues in each iteration of the loop, so that other callers wait for one slice, not for one of each.
 */
export function createEventLoopYielder(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async (): Promise<void> => {
    const turn = lastYield.then(() => nextTurn());
    lastYield = turn;
    await turn;
    since = performance.now();
  };
  return () => {
    if (performance.now() - since < MAX_SLICE_MS) return undefined;
    return rest();
  };
}
