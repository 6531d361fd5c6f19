import { nearestName } from './parse-input.ts';

/** ` Did you mean X?` with the known name that is nearest; empty if none is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  return suggestion(nearestName(name, known));
}

/** ` Did you mean X?`; empty for null. */
export function suggestion(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}
