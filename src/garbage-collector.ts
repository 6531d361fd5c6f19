import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A full collection of this thread's heap that also gives free pages back to the system. */
export function createGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  // Another flavor leaves the space of young objects at its largest.
  return () => gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
