import { bulkOperation } from '../../engine/bulk.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { SigmaRuleRecord } from './lib/schemas.ts';
import { requireRule, sigmaRuleLookup } from './sigma-rule-lookup.ts';
import { presentRule, SIGMA_RULE_FALSIFIABLE_FIELDS, ruleSummary } from './lib/present-rule.ts';

/** The lookup with the rule's fields at top level instead of under `rule`. */
const ruleItemLookup = defineOperation({
  ...sigmaRuleLookup,
  output: lookupOutputSchema('SigmaRuleItem', SigmaRuleRecord.shape),
  falsifiableFields: SIGMA_RULE_FALSIFIABLE_FIELDS,
  nextCalls: () => [],
  answer({ rule_id }, { catalog }) {
    const rule = requireRule(catalog, rule_id);
    return { ...presentRule(rule, false), summary: ruleSummary(rule) };
  },
});

export const bulkSigmaRuleLookup = bulkOperation(ruleItemLookup, {
  id: 'bulk_sigma_rule_lookup',
  title: 'Detection rules in bulk',
  route: 'POST /v1/sigma/bulk',
  listField: 'rule_ids',
  itemField: 'rule_id',
  answerField: 'rule',
  briefFields: ['title', 'status', 'level', 'attack_techniques', 'cve_ids', 'summary'],
  examples: [['5ea8faa8-db8b-45be-89b0-151b84c82702', '9be472ed-893c-4ec0-94da-312d2765f654']],
  tool: {
    description:
      'Read up to 50 SigmaHQ detection rules in one call; each item has its own status. For one rule use sigma_rule_lookup.',
    openWorld: false,
  },
});
