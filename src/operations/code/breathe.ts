import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 8;

/** To be awaited between pieces of long work: lets others have their turn when this work has had the thread for a while. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async (): Promise<void> => {
    await nextTurn();
    since = performance.now();
  };
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return rest();
  };
}
