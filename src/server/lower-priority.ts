import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Nice value (Linux): look-ups go first where cores are few. At 5 it gets a quarter of a core beside a busy program. */
const PRIORITY = 5;

/** Lowers the priority of this process, all threads that exist: those started later inherit it. Linux only: elsewhere threads have no priority of their own. */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), Math.max(getPriority(), PRIORITY));
    } catch {
      // The thread has ended, or a sandbox forbids it: then it runs like others.
    }
  }
}
