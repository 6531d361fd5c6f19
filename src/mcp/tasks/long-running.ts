import type { Operation } from '../../engine/operation.ts';

/** Whether calls of this operation may run as a task: scans, audits, reports and bulk calls. */
export function isLongRunning({ bulk, tool }: Operation): boolean {
  return bulk !== undefined || tool?.longRunning === true;
}
