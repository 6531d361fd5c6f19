import { setImmediate as nextTurn } from 'node:timers/promises';

const MAX_SLICE_MS = 8;

let lastYield: Promise<unknown> = Promise.resolve();

/**
 * To be awaited between pieces of long work: lets others have their turn when this work has had the thread for a while. Of several
 * long works one alone goes on in each round of the event loop, so that others wait for one slice, not for one of each.
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
