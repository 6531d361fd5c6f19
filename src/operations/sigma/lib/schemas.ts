import { z } from 'zod';
import { ForeignText, ForeignValue } from '../../../engine/foreign-text.ts';
import { identifierSchema } from '../../../engine/input/identifiers.ts';

const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Canonical: lower case. */
export const SigmaRuleId = identifierSchema({
  read: (text) => {
    const lower = text.toLowerCase();
    return UUID_PATTERN.test(lower) ? lower : null;
  },
  name: 'Sigma rule id',
  accepted: 'a UUID, in either case',
  example: '5ea8faa8-db8b-45be-89b0-151b84c82702',
  pattern: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
});

export const SigmaStatus = lowerCased(z.enum(['stable', 'test', 'experimental', 'deprecated', 'unsupported']));
export const SigmaLevel = lowerCased(z.enum(['informational', 'low', 'medium', 'high', 'critical']));

function lowerCased<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (typeof value === 'string' ? value.trim().toLowerCase() : value), schema);
}

const Logsource = z.object({
  product: ForeignText.nullable(),
  category: ForeignText.nullable(),
  service: ForeignText.nullable(),
  definition: ForeignText.nullable().meta({ description: 'What has to be logged for the rule to match.' }),
});

const Detection = z.object({
  selections: z.record(ForeignText, ForeignValue).meta({
    description:
      'By name: a map of fields (`field|modifier`: value or values), all of which must hold, or a list of alternatives. As the rule has them, but for characters that cannot be seen, spelled `{U+202E}`.',
  }),
  condition: ForeignText,
  timeframe: ForeignText.nullable().meta({ description: 'The time span in which older rules count events: `15m`.' }),
  total_values: z.number().int().meta({ description: 'Values in all selections, before anything is cut.' }),
  truncated: z.boolean(),
  list_limit: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Lists longer than this are cut to it; null where the selections are whole.' }),
});

const ruleRowFields = {
  rule_id: z.string(),
  title: ForeignText,
  status: ForeignText.nullable().meta({ description: 'stable, test, experimental, deprecated or unsupported.' }),
  level: ForeignText.nullable().meta({ description: 'informational, low, medium, high or critical.' }),
  description: ForeignText.nullable(),
  author: ForeignText.nullable(),
  date: z.string().nullable(),
  modified: z.string().nullable(),
  tags: z.array(ForeignText),
  logsource: Logsource,
  detection_summary: ForeignText.max(300).meta({
    description: 'What the detection block matches, derived from it. Long lists are counted.',
  }),
  falsepositives: z.array(ForeignText),
  license: ForeignText.meta({ description: 'SPDX id. DRL-1.1 requires that the author is named.' }),
  source_url: z.string(),
  attack_techniques: z.array(z.string()).meta({ description: 'From the tags.' }),
  cve_ids: z
    .array(z.string())
    .meta({ description: 'From tags, title and description; references alone do not make a rule about a CVE.' }),
};
const ruleDetailFields = { detection: Detection, references: z.array(ForeignText) };

/** A rule as the lookup returns it. */
export const SigmaRuleRecord = z.object({ ...ruleRowFields, ...ruleDetailFields }).meta({ id: 'SigmaRule' });

/** A rule as a row of a list; detection block and references come with `include=full`. */
export const SigmaRuleRow = z
  .object({ ...ruleRowFields, detection: Detection.optional(), references: z.array(ForeignText).optional() })
  .meta({ id: 'SigmaRuleRow' });
