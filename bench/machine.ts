import { availableParallelism, cpus, loadavg } from 'node:os';

const QUIET_LOAD = 0.5;

/** Load average of the last minute. */
export function load(): number {
  return loadavg()[0]!;
}

/** What the table was measured on, and a warning where the machine was busy before. */
export function describeMachine(loadBefore: number, loadAfter: number): string {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  const about = [
    `load average ${loadBefore.toFixed(2)} before, ${loadAfter.toFixed(2)} after`,
    `${availableParallelism()} cores (${processor})`,
    `Node ${process.versions.node}`,
  ].join('; ');
  if (loadBefore <= QUIET_LOAD) return about;
  return `${about}\nThe machine was busy before the bench (load over ${QUIET_LOAD}): believe ratios and CPU time, not seconds.`;
}
