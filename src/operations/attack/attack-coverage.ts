import { z } from 'zod';
import { AttackTechniqueId } from '../../engine/input/mitre-ids.ts';
import { requireFeedData } from '../../engine/not-found-error.ts';
import { type Answer, defineOperation, lookupOutputSchema, type NextCall } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { firstThree, formatCount, joinSummary } from '../../engine/summary.ts';
import { RuleRow } from '../cve/lib/detection-schemas.ts';
import { InheritedMappingField } from '../d3fend/lib/schemas.ts';
import { Missing } from './lib/schemas.ts';
import { countCoverageByTactic, CoverageField, coverageKind, TacticCoverage } from './lib/tactic-coverage.ts';
import { findTechniqueCoverage } from './lib/technique-coverage.ts';

const MAX_TECHNIQUES = 100;
const MAX_RULES = 2;

const CoverageOutput = lookupOutputSchema('AttackCoverage', {
  total: z.number().int().meta({ description: 'Techniques asked for, each once.' }),
  seen: z.number().int().meta({ description: 'Of these, with a Sigma rule or a detection strategy.' }),
  defended: z.number().int().meta({ description: 'Of these, with a D3FEND defense.' }),
  uncovered: z.array(z.string()).meta({ description: 'Techniques that nothing here sees or stops.' }),
  unknown: z.array(z.string()).meta({ description: 'Ids that ATT&CK Enterprise does not have.' }),
  tactics: z.array(TacticCoverage).meta({
    description: 'In the order of the matrix, without revoked techniques. A technique may have several tactics.',
  }),
  techniques: z.array(
    z.object({
      technique_id: z.string(),
      name: ForeignText.nullable().meta({ description: 'Null: not in ATT&CK Enterprise.' }),
      tactics: z.array(ForeignText),
      revoked_by: z.string().nullable(),
      detection_strategies: z.array(z.object({ strategy_id: z.string(), name: ForeignText })),
      sigma_rules: z.array(RuleRow).nullable().meta({ description: 'The highest levels; null: not synced.' }),
      total_sigma_rules: z.number().int().nullable(),
      total_defenses: z.number().int().nullable().meta({ description: 'Of D3FEND; null: not synced.' }),
      defenses_by_tactic: z.record(ForeignText, z.number().int()),
      inherited_from: InheritedMappingField,
      missing: z.array(Missing),
      coverage: CoverageField,
    }),
  ),
});

export const attackCoverage = defineOperation({
  id: 'attack_coverage',
  area: 'attack',
  title: 'What sees and stops these techniques',
  description: `For each of up to ${MAX_TECHNIQUES} ATT&CK techniques: detection strategies, Sigma rules and D3FEND defenses, and what none of these sources covers.`,
  route: 'GET /v1/attack/coverage',
  input: z.strictObject({
    techniques: z
      .string()
      .max(2000)
      .transform((text) => [...new Set(text.split(/[\s,;]+/).filter((part) => part !== ''))])
      .pipe(z.array(AttackTechniqueId).min(1).max(MAX_TECHNIQUES))
      .meta({
        description: `ATT&CK techniques (T#### or T####.###), comma-separated, at most ${MAX_TECHNIQUES}.`,
        examples: ['T1190,T1059.001'],
      }),
  }),
  output: CoverageOutput,
  cost: 1,
  cacheable: true,
  examples: [{ title: 'From a web server to a shell', input: { techniques: 'T1190,T1059,T1499' } }],
  tool: {
    description:
      'Which of these ATT&CK techniques are seen (detection strategies, Sigma) and stopped (D3FEND), and which are not. For D3FEND defenses by name use d3fend_attack_coverage.',
    openWorld: false,
  },
  falsifiableFields: ['uncovered', 'techniques[].total_sigma_rules'],
  answer({ techniques: asked }, { catalog }) {
    requireFeedData(catalog, 'attack');
    const techniques = [...new Set(asked)].map((technique_id) => {
      const { technique, strategies, rules, defenses, missing } = findTechniqueCoverage(
        catalog,
        technique_id,
        MAX_RULES,
      );
      return {
        technique_id,
        name: technique?.name ?? null,
        tactics: technique?.tactics ?? [],
        revoked_by: technique?.revoked_by ?? null,
        detection_strategies: strategies.map(({ strategy_id, name }) => ({ strategy_id, name })),
        sigma_rules:
          rules?.rows.map(({ rule_id, title, level, status }) => ({ rule_id, title, level, status })) ?? null,
        total_sigma_rules: rules?.total ?? null,
        total_defenses: defenses?.rows.length ?? null,
        defenses_by_tactic: countBy(defenses?.rows.map(({ tactic }) => tactic ?? 'without a tactic') ?? []),
        inherited_from:
          defenses !== null && defenses.rows.length > 0 && defenses.from !== technique_id ? defenses.from : null,
        missing,
        coverage: technique === null ? null : coverageKind(rules?.total ?? null, defenses?.rows.length ?? null),
      };
    });
    const answer = {
      total: techniques.length,
      seen: techniques.filter(isSeen).length,
      defended: techniques.filter(({ total_defenses }) => (total_defenses ?? 0) > 0).length,
      uncovered: techniques.filter(({ missing }) => missing.length === 3).map(({ technique_id }) => technique_id),
      unknown: techniques.filter(({ name }) => name === null).map(({ technique_id }) => technique_id),
      tactics: countCoverageByTactic(techniques.filter(({ revoked_by }) => revoked_by === null)),
      techniques,
    };
    return { ...answer, summary: summaryOf(answer) };
  },
  nextCalls: ({ techniques }): NextCall[] =>
    techniques.slice(0, 1).map(({ technique_id }) => ({
      tool: 'attack_technique_lookup',
      input: technique_id,
      reason: 'What it is, with its rules and defenses.',
    })),
});

type Coverage = Omit<Answer<typeof CoverageOutput>, 'summary'>;

function isSeen({ detection_strategies, total_sigma_rules }: Coverage['techniques'][number]): boolean {
  return detection_strategies.length > 0 || (total_sigma_rules ?? 0) > 0;
}

function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, rows]) => [name, rows.length]));
}

function summaryOf({ total, seen, defended, uncovered, unknown }: Coverage): string {
  return joinSummary(
    `Of ${formatCount(total, 'technique')}, ${seen} ${seen === 1 ? 'is' : 'are'} seen by a rule or detection strategy and ${defended} ${defended === 1 ? 'has' : 'have'} D3FEND defenses.`,
    uncovered.length > 0 && `Nothing here covers ${uncovered.slice(0, 10).join(', ')}.`,
    unknown.length > 0 ? firstThree('Not in ATT&CK Enterprise', unknown) : null,
  );
}
