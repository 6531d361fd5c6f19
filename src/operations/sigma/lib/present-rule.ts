import type { z } from 'zod';
import type { SigmaRule } from '../../../feeds/sigma/rule.ts';
import type { SigmaRuleRecord, SigmaRuleRow } from './schemas.ts';
import { joinSummary } from '../../../engine/summary.ts';
import { truncateDetection, presentWholeDetection } from './truncate-detection.ts';

/** Fields that a reader can verify in the rule's file. */
export const SIGMA_RULE_FALSIFIABLE_FIELDS = ['title', 'status', 'level', 'tags', 'logsource'] as const;

/** A rule as a lookup answers it; `whole`: the detection block is not cut. */
export function presentRule(rule: SigmaRule, whole: boolean): z.output<typeof SigmaRuleRecord> {
  return { ...rule, detection: whole ? presentWholeDetection(rule.detection) : truncateDetection(rule.detection) };
}

/** A rule as a row of a list; `full` adds detection block and references. */
export function presentRuleRow(rule: SigmaRule, full: boolean): z.output<typeof SigmaRuleRow> {
  if (full) return presentRule(rule, false);
  const { detection: _, references: __, ...row } = rule;
  return row;
}

/** `Title (level high, status test, windows process_creation; T1059.001). What it looks for.` */
export function ruleSummary({
  title,
  level,
  status,
  logsource,
  attack_techniques,
  cve_ids,
  description,
}: SigmaRule): string {
  const { product, category, service } = logsource;
  const facts = [
    level !== null && `level ${level}`,
    status !== null && `status ${status}`,
    [product, category, service].filter((part) => part !== null).join(' '),
  ];
  const about = [...cve_ids, ...attack_techniques].slice(0, 4);
  return joinSummary(
    `${title} (${[...facts.filter(Boolean), ...about].join(', ')}).`,
    description ?? 'The rule does not describe itself.',
  );
}
