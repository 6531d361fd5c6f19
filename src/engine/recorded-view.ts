import type { CatalogHandle } from '../catalog/catalog-handle.ts';
import { CatalogView } from '../catalog/catalog-view.ts';
import { notReadyError } from '../errors.ts';
import { Evidence } from './evidence.ts';

/** A view of the current catalog that records each read in `evidence`, from which the verdict is made. `now`: the time of the call. */
export interface RecordedView {
  catalog: CatalogView;
  evidence: Evidence;
  now: Date;
}

/** Creates the view of one call. Throws `ApiError` (not_ready) while there is no catalog. */
export function createRecordedView(deps: { catalog: CatalogHandle; now: () => Date }): RecordedView {
  const catalog = deps.catalog.current;
  if (catalog === null) throw notReadyError('There is no catalog yet.');
  const now = deps.now();
  const evidence = new Evidence(catalog.generation.sources, now);
  return { catalog: new CatalogView(catalog, evidence), evidence, now };
}
