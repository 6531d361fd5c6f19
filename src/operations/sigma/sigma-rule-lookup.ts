import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { SigmaRule } from '../../feeds/sigma/rule.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { operationHintOf } from '../../engine/route.ts';
import { includeField } from '../../engine/paged-list.ts';
import { SigmaRuleId, SigmaRuleRecord } from './lib/schemas.ts';
import { presentRule, SIGMA_RULE_FALSIFIABLE_FIELDS, ruleSummary } from './lib/present-rule.ts';
import { sigmaSearch } from './sigma-search.ts';

export const sigmaRuleLookup = defineOperation({
  id: 'sigma_rule_lookup',
  area: 'sigma',
  title: 'Detection rule',
  description:
    'One SigmaHQ detection rule: what it detects and how, log source, ATT&CK techniques, CVEs, false positives, references. A detection block over 8,000 characters is cut, unless include=full.',
  route: 'GET /v1/sigma/:rule_id',
  subject: { kind: 'uuid', field: 'rule_id' },
  input: z.strictObject({ rule_id: SigmaRuleId, ...includeField }),
  output: lookupOutputSchema('SigmaRuleLookup', { rule: SigmaRuleRecord }),
  cost: 1,
  cacheable: true,
  examples: [{ title: 'Log4Shell in web logs', input: { rule_id: '5ea8faa8-db8b-45be-89b0-151b84c82702' } }],
  tool: {
    description:
      'Read one SigmaHQ detection rule by its UUID: log source, detection logic, ATT&CK techniques, CVEs, false positives. For several use bulk_sigma_rule_lookup; for defenses against a technique use d3fend_defense_for_attack.',
    openWorld: false,
  },
  falsifiableFields: SIGMA_RULE_FALSIFIABLE_FIELDS.map((field) => `rule.${field}`),
  answer({ rule_id, include }, { catalog }) {
    const rule = requireRule(catalog, rule_id);
    return { rule: presentRule(rule, include === 'full'), summary: ruleSummary(rule) };
  },
  nextCalls: ({ rule }) => [...techniqueCalls(rule.attack_techniques), ...cveCalls(rule.cve_ids)],
});

/** The rule with this canonical id. Throws 404, or 503 where no rules were synced. */
export function requireRule(catalog: CatalogView, ruleId: string): SigmaRule {
  const rule = catalog.document<SigmaRule>('sigma_rule', ruleId);
  if (rule !== null) return rule;
  throw notFoundError(
    catalog,
    ['sigma'],
    `No SigmaHQ rule synced here has the id ${ruleId}.`,
    operationHintOf(sigmaSearch, 'finds rules by words'),
  );
}

function techniqueCalls([first, ...others]: string[]): NextCall[] {
  if (first === undefined) return [];
  const one = {
    tool: 'd3fend_defense_for_attack',
    input: first,
    reason: 'Defenses against the technique that it detects.',
  };
  if (others.length === 0) return [one];
  const attack_techniques = [first, ...others];
  return [
    one,
    {
      tool: 'd3fend_attack_coverage',
      input: attack_techniques.join(', '),
      reason: 'Defenses against all of its techniques.',
      params: { attack_techniques },
    },
  ];
}

function cveCalls(cveIds: string[]): NextCall[] {
  const [first, ...others] = cveIds;
  if (first === undefined) return [];
  if (others.length === 0)
    return [{ tool: 'cve_lookup', input: first, reason: 'The CVE whose exploitation it detects.' }];
  const params = { cve_ids: cveIds.slice(0, 50) };
  return [{ tool: 'bulk_cve_lookup', input: params.cve_ids.join(', '), reason: 'The CVEs that it names.', params }];
}
