import type { CatalogView } from '../../../catalog/catalog-view.ts';
import { isFeedMissing } from '../../../engine/not-found-error.ts';
import { formatCount } from '../../../engine/summary.ts';
import type { AttackTechnique, DetectionStrategy } from '../../../feeds/attack/attack-entries.ts';
import type { Defense } from '../../../feeds/d3fend/d3fend-entries.ts';
import type { SigmaRule } from '../../../feeds/sigma/rule.ts';
import { findRules } from '../../cve/lib/find-detections.ts';
import { findDefensesAgainst, findMappedTechnique } from '../../d3fend/lib/find-defense.ts';
import type { Missing } from './schemas.ts';

const MAX_DEFENSES = 200;

/** What the sources have against one technique. A part is null where its feed was never synced. */
export interface TechniqueCoverage {
  /** Null: ATT&CK Enterprise does not have the technique. */
  technique: AttackTechnique | null;
  strategies: DetectionStrategy[];
  /** The rules of the highest levels, at most as many as asked for. */
  rules: { rows: SigmaRule[]; total: number } | null;
  /** `from`: the technique that the defenses are mapped to, which may be the parent. */
  defenses: { rows: Defense[]; from: string } | null;
  /** The sources that were read and have nothing. */
  missing: Missing[];
}

/** Detection strategies, Sigma rules (at most `maxRules` of them) and D3FEND defenses of one ATT&CK technique. */
export function findTechniqueCoverage(catalog: CatalogView, techniqueId: string, maxRules: number): TechniqueCoverage {
  const technique = catalog.document<AttackTechnique>('attack_technique', techniqueId);
  const strategies = technique?.detection_strategies ?? [];
  const rules = findRules('technique', techniqueId, maxRules, catalog);
  const from = findMappedTechnique(catalog, techniqueId) ?? techniqueId;
  const page = { excludeIds: [], limit: MAX_DEFENSES, offset: 0 };
  const defenses = isFeedMissing(catalog, 'd3fend')
    ? null
    : { rows: findDefensesAgainst(catalog, from, page).bodies, from };
  const missing: Missing[] = [];
  if (technique !== null && strategies.length === 0) missing.push('detection_strategy');
  if (rules?.total === 0) missing.push('sigma');
  if (defenses?.rows.length === 0) missing.push('d3fend');
  return { technique, strategies, rules, defenses, missing };
}

/** `Seen by 14 Sigma rules and 1 detection strategy; D3FEND names 6 defenses.` What was not synced is said to be not known. */
export function coverageSentence({ strategies, rules, defenses }: TechniqueCoverage): string {
  const eyes = [
    rules !== null && rules.total > 0 ? formatCount(rules.total, 'Sigma rule') : null,
    strategies.length > 0 ? formatCount(strategies.length, 'detection strategy') : null,
  ].filter((part) => part !== null);
  const unknown = rules === null ? ' Sigma rules are not synced.' : '';
  const seen = eyes.length > 0 ? `Seen by ${eyes.join(' and ')}` : 'No rule or detection strategy here sees it';
  const stopped =
    defenses === null
      ? 'D3FEND is not synced'
      : defenses.rows.length === 0
        ? 'D3FEND maps no defense to it'
        : `D3FEND names ${formatCount(defenses.rows.length, 'defense')}`;
  return `${seen}; ${stopped}.${unknown}`;
}
