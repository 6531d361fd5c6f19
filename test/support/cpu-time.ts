import { existsSync, readFileSync } from 'node:fs';

const STAT = '/proc/self/stat';
/** Of the times in `/proc` (proc_pid_stat(5)), on every machine that Linux runs on. */
const TICKS_PER_SECOND = 100;

/** CPU time of this process and of those it started and waited for, in seconds; null: this system does not say. */
export function cpuSecondsOfAll(): number | null {
  if (!existsSync(STAT)) return null;
  // The name of the program, which comes before, is in brackets and may have anything in it.
  const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(STAT, 'utf8')) ?? [];
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/**
 * CPU time that this thread has used so far, in milliseconds. Differences of it say how much work something is, whatever else runs on the
 * machine; what waits takes none. A processor that is shared does less in it, so a bound on it has to be several times of what is usual.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
