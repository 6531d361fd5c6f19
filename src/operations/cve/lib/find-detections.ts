import type { CatalogView } from '../../../catalog/catalog-view.ts';
import { isFeedMissing } from '../../../engine/not-found-error.ts';
import type { AttackTechnique, DetectionStrategy } from '../../../feeds/attack/attack-entries.ts';
import type { Defense } from '../../../feeds/d3fend/d3fend-entries.ts';
import type { SigmaRule } from '../../../feeds/sigma/rule.ts';

/** What the sources have to see one technique by. A list is null where its feed was never synced. */
export interface TechniqueDetections {
  /** Null: ATT&CK Enterprise does not have the technique. */
  technique: AttackTechnique | null;
  strategies: readonly DetectionStrategy[];
  rules: { rows: readonly SigmaRule[]; total: number } | null;
  /** Defenses of the tactic "Detect"; those of the parent where the technique has none of its own. */
  defenses: { rows: readonly Defense[]; total: number } | null;
}

const LEVELS = ['critical', 'high', 'medium', 'low', 'informational'];

/** Detection strategies of ATT&CK, rules of Sigma (at most `limit`, the highest levels first) and detections of D3FEND. */
export function findDetections(techniqueId: string, limit: number, catalog: CatalogView): TechniqueDetections {
  return catalog.remember(`detections of ${techniqueId}, ${limit}`, (view) => readDetections(techniqueId, limit, view));
}

function readDetections(techniqueId: string, limit: number, catalog: CatalogView): TechniqueDetections {
  const technique = catalog.document<AttackTechnique>('attack_technique', techniqueId);
  return {
    technique,
    strategies: technique?.detection_strategies ?? [],
    rules: findRules('technique', techniqueId, limit, catalog),
    defenses: findDetectingDefenses(techniqueId, limit, catalog),
  };
}

/** Rules for a technique or a CVE, by level; null where no rules were synced. */
export function findRules(
  kind: 'technique' | 'cve',
  id: string,
  limit: number,
  catalog: CatalogView,
): { rows: SigmaRule[]; total: number } | null {
  const ask = (size: number, ...more: { kind: string; values: string[] }[]) =>
    catalog.searchDocuments<SigmaRule>('sigma_rule', {
      words: null,
      links: [{ kind, values: [id] }, ...more],
      limit: size,
      offset: 0,
    });
  const { total } = ask(0);
  if (isFeedMissing(catalog, 'sigma')) return null;
  const rows: SigmaRule[] = [];
  for (const level of LEVELS) {
    if (rows.length >= Math.min(limit, total)) break;
    rows.push(...ask(limit - rows.length, { kind: 'level', values: [level] }).bodies);
  }
  return { rows, total };
}

function findDetectingDefenses(
  techniqueId: string,
  limit: number,
  catalog: CatalogView,
): TechniqueDetections['defenses'] {
  const parent = techniqueId.split('.')[0]!;
  for (const id of new Set([techniqueId, parent])) {
    const { total, bodies } = catalog.searchDocuments<Defense>('d3fend_defense', {
      words: null,
      links: [
        { kind: 'attack_technique', values: [id] },
        { kind: 'tactic', values: ['detect'] },
      ],
      limit,
      offset: 0,
    });
    if (total > 0) return { rows: bodies, total };
  }
  return isFeedMissing(catalog, 'd3fend') ? null : { rows: [], total: 0 };
}
