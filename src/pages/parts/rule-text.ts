import { dump } from 'js-yaml';
import type { sigmaRuleLookup } from '../../operations/sigma/sigma-rule-lookup.ts';

type Rule = Awaited<ReturnType<(typeof sigmaRuleLookup)['answer']>>['rule'];

/** A rule as YAML, as converters read it: what it says of itself first, then log source and detection. */
export function ruleText(rule: Rule): string {
  const { logsource, detection } = rule;
  return dump(
    withoutEmpty({
      title: rule.title,
      id: rule.rule_id,
      status: rule.status,
      description: rule.description,
      references: rule.references,
      author: rule.author,
      date: rule.date,
      modified: rule.modified,
      tags: rule.tags,
      logsource: withoutEmpty({ ...logsource }),
      detection: withoutEmpty({
        ...detection.selections,
        timeframe: detection.timeframe,
        condition: detection.condition,
      }),
      falsepositives: rule.falsepositives,
      level: rule.level,
    }),
    { lineWidth: -1, noRefs: true },
  );
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}
