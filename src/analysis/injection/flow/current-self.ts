import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** The object whose method runs, as it is now; null: it is not known. */
export function currentSelf(scope: Scope): Value | null {
  const { self } = scope;
  return self?.identity == null ? self : scope.objectOf(self.identity);
}
