import type { MatchingDeps } from './matching-deps.ts';

/** Examines domains and indicators that are due; their number. */
export async function examineDue(_deps: MatchingDeps, _signal: AbortSignal): Promise<number> {
  return 0;
}
