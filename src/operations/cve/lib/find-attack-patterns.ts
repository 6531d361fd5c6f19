import type { CatalogView } from '../../../catalog/catalog-view.ts';
import type { CapecPattern } from '../../../feeds/attack/attack-entries.ts';

const MAX_PATTERNS_PER_WEAKNESS = 100;
const MAX_PATTERNS = 1000;

/** Attack patterns on a weakness, those with ATT&CK techniques first. */
export function findPatternsOfWeakness(
  cwe_id: string,
  catalog: CatalogView,
): readonly (CapecPattern & { cwe_id: string })[] {
  return catalog.remember(`attack patterns of ${cwe_id}`, (view) => readPatternsOfWeakness(cwe_id, view));
}

function readPatternsOfWeakness(cwe_id: string, catalog: CatalogView): (CapecPattern & { cwe_id: string })[] {
  const withTechnique = (value: string) =>
    catalog.searchDocuments<CapecPattern>('attack_capec', {
      words: null,
      links: [
        { kind: 'cwe', values: [cwe_id] },
        { kind: 'has_technique', values: [value] },
      ],
      limit: MAX_PATTERNS_PER_WEAKNESS,
      offset: 0,
    }).bodies;
  return [...withTechnique('yes'), ...withTechnique('no')].map((pattern) => ({ ...pattern, cwe_id }));
}

/** Attack patterns that CAPEC maps to an ATT&CK technique. */
export function findPatternsOfTechnique(techniqueId: string, catalog: CatalogView): CapecPattern[] {
  const links = [{ kind: 'has_technique', values: ['yes'] }];
  const { bodies } = catalog.searchDocuments<CapecPattern>('attack_capec', {
    words: null,
    links,
    limit: MAX_PATTERNS,
    offset: 0,
  });
  return bodies.filter(({ technique_ids }) => technique_ids.includes(techniqueId));
}
