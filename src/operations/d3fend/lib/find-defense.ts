import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { Defense } from '../../../feeds/d3fend/d3fend-entries.ts';
import { defenseNameKey } from '../../../feeds/d3fend/ontology-name.ts';

/** The defense with this id, D3FEND id or label; null if no defense has it. */
export function findDefense(catalog: CatalogView, name: string): Defense | null {
  const byId = catalog.document<Defense>('d3fend_defense', name);
  if (byId !== null) return byId;
  const links = [{ kind: 'name', values: [defenseNameKey(name)] }];
  return (
    catalog.searchDocuments<Defense>('d3fend_defense', { words: null, links, limit: 1, offset: 0 }).bodies[0] ?? null
  );
}

/** Canonical ids; unknown names are dropped. */
export function resolveDefenseIds(catalog: CatalogView, names: readonly string[]): string[] {
  return names.flatMap((name) => findDefense(catalog, name)?.defense_id ?? []);
}

/** `T1566` of `T1566.001`; null if the id is not one of a sub-technique. */
export function parentTechniqueId(attackId: string): string | null {
  const [parent = '', sub] = attackId.split('.');
  return sub === undefined ? null : parent;
}

interface DefensePage {
  excludeIds: readonly string[];
  limit: number;
  offset: number;
}

/** Defenses mapped to exactly this ATT&CK technique, by name. */
export function findDefensesAgainst(catalog: CatalogView, attackId: string, page: DefensePage) {
  const links = [{ kind: 'attack_technique', values: [attackId] }];
  return catalog.searchDocuments<Defense>('d3fend_defense', { words: null, links, ...page });
}

/** The technique, or its parent where only that has mappings; null where neither has. */
export function findMappedTechnique(catalog: CatalogView, attackId: string): string | null {
  const candidates = [attackId, parentTechniqueId(attackId)].filter((candidate) => candidate !== null);
  const none = { excludeIds: [], limit: 0, offset: 0 };
  return candidates.find((candidate) => findDefensesAgainst(catalog, candidate, none).total > 0) ?? null;
}
