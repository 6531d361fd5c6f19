/**
 * CPU time that this thread has used so far, in milliseconds. Differences of it say how much work something is, whatever else runs on the
 * machine; what waits takes none.
 */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
