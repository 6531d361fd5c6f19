import type { CatalogHandle } from '../../catalog/catalog-handle.ts';
import type { OperationInput } from '../../engine/operation.ts';
import type { MatchStore } from '../store/watch-store.ts';

/** What matching and examining need. */
export interface MatchingDeps {
  store: MatchStore;
  catalog: CatalogHandle;
  /** Asks an operation on raw input; the answer as surfaces give it. Throws `ApiError`. */
  ask: (operationId: string, input: OperationInput) => Promise<Record<string, unknown>>;
  now: () => Date;
}
