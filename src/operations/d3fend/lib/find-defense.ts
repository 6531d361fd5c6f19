import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { Defense } from '../../../feeds/d3fend/d3fend-entries.ts';
import { defenseNameKey } from '../../../feeds/d3fend/ontology-name.ts';

/** The defense of this name, whichever of its names it is; null where there is none. */
export function findDefense(catalog: CatalogView, name: string): Defense | null {
  const byId = catalog.document<Defense>('d3fend_defense', name);
  if (byId !== null) return byId;
  const links = [{ kind: 'name', values: [defenseNameKey(name)] }];
  return (
    catalog.searchDocuments<Defense>('d3fend_defense', { words: null, links, limit: 1, offset: 0 }).bodies[0] ?? null
  );
}

/** Canonical ids of those that there are. */
export function resolveDefenseIds(catalog: CatalogView, names: readonly string[]): string[] {
  return names.flatMap((name) => findDefense(catalog, name)?.defense_id ?? []);
}

/** `T1566` of `T1566.001`; null for what is no sub-technique. */
export function parentTechniqueId(attackId: string): string | null {
  const [parent = '', sub] = attackId.split('.');
  return sub === undefined ? null : parent;
}
