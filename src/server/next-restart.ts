/** How a process that dies is started again. Times in milliseconds. */
export interface RestartPolicy {
  /** Before the first restart, doubled for each start that failed. */
  delayMs: number;
  maxDelayMs: number;
  /** A process that ran this long is not counted as a failed start. */
  stableAfterMs: number;
}

/** The starts that failed one after the other, with the process that ended now after `ranMs`, and the pause before the next start. */
export function nextRestart(
  failedStarts: number,
  ranMs: number,
  { delayMs, maxDelayMs, stableAfterMs }: RestartPolicy,
): { failedStarts: number; afterMs: number } {
  const failed = ranMs < stableAfterMs ? failedStarts + 1 : 0;
  return { failedStarts: failed, afterMs: Math.min(delayMs * 2 ** failed, maxDelayMs) };
}
