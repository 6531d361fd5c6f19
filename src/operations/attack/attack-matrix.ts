import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import { validationError } from '../../engine/input/parse-input.ts';
import { isFeedMissing, requireFeedData } from '../../engine/not-found-error.ts';
import { type Answer, defineOperation, lookupOutputSchema, type NextCall } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import type { AttackTechnique } from '../../feeds/attack/attack-entries.ts';
import { parentTechniqueId } from '../d3fend/lib/find-defense.ts';
import { InheritedMappingField } from '../d3fend/lib/schemas.ts';
import {
  countCoverage,
  countCoverageByTactic,
  CoverageCounts,
  CoverageField,
  CoverageKind,
  coverageKind,
  TacticCoverage,
} from './lib/tactic-coverage.ts';

const MatrixOutput = lookupOutputSchema('AttackMatrix', {
  total: z.number().int().meta({ description: 'Techniques, without sub-techniques.' }),
  total_subtechniques: z.number().int(),
  counts: CoverageCounts,
  tactics: z
    .array(TacticCoverage)
    .meta({ description: 'In the order of the matrix, without sub-techniques. A technique may have several tactics.' }),
  platforms: z.array(ForeignText).meta({ description: 'All platforms that the filter takes.' }),
  techniques: z
    .array(
      z.object({
        technique_id: z.string(),
        name: ForeignText,
        tactics: z.array(ForeignText),
        subtechnique_of: z.string().nullable(),
        total_sigma_rules: z
          .number()
          .int()
          .nullable()
          .meta({ description: 'With those of its sub-techniques; null: not synced.' }),
        total_defenses: z.number().int().nullable().meta({ description: 'Of D3FEND; null: not synced.' }),
        inherited_from: InheritedMappingField,
        coverage: CoverageField,
      }),
    )
    .meta({ description: 'By id; only those that the filter `coverage` leaves.' }),
});
type Technique = Answer<typeof MatrixOutput>['techniques'][number];

export const attackMatrix = defineOperation({
  id: 'attack_matrix',
  area: 'attack',
  title: 'Coverage of the ATT&CK matrix',
  description:
    'Every technique of MITRE ATT&CK Enterprise with the number of Sigma rules and D3FEND defenses against it, and counts by tactic. Revoked techniques are left out.',
  route: 'GET /v1/attack/matrix',
  input: z.strictObject({
    platform: z
      .string()
      .trim()
      .min(1)
      .max(40)
      .optional()
      .meta({ description: 'Only techniques of this platform, in any case.', examples: ['Windows'] }),
    coverage: CoverageKind.optional().meta({
      description: 'List only techniques that are covered so; the counts are of all.',
    }),
    include_subtechniques: z.boolean().default(false).meta({ description: 'List sub-techniques, too.' }),
  }),
  output: MatrixOutput,
  cost: 1,
  cacheable: true,
  examples: [{ title: 'What nothing covers on Windows', input: { platform: 'Windows', coverage: 'neither' } }],
  falsifiableFields: ['techniques[].total_sigma_rules', 'techniques[].total_defenses'],
  answer({ platform, coverage, include_subtechniques }, { catalog }) {
    requireFeedData(catalog, 'attack');
    const known = catalog
      .allDocuments<AttackTechnique>('attack_technique')
      .filter(({ revoked_by }) => revoked_by === null);
    const platforms = [...new Set(known.flatMap((technique) => technique.platforms))].toSorted();
    const wanted = platform === undefined ? known : techniquesOfPlatform(known, platform, platforms);
    const rows = withCounts(wanted, catalog);
    const techniques = rows.filter(({ subtechnique_of }) => subtechnique_of === null);
    const listed = include_subtechniques ? rows : techniques;
    const counts = countCoverage(techniques);
    return {
      total: techniques.length,
      total_subtechniques: rows.length - techniques.length,
      counts,
      tactics: countCoverageByTactic(techniques),
      platforms,
      techniques: coverage === undefined ? listed : listed.filter((row) => row.coverage === coverage),
      summary: summaryOf(techniques.length, counts),
    };
  },
  nextCalls({ techniques }): NextCall[] {
    const gaps = techniques.filter(({ coverage }) => coverage === 'neither').slice(0, 20);
    if (gaps.length === 0) return [];
    const input = gaps.map(({ technique_id }) => technique_id).join(',');
    return [{ tool: 'attack_coverage', input, reason: 'Detection strategies of what neither covers.' }];
  },
});

/** Throws `ApiError` 422 for a platform that no technique has. */
function techniquesOfPlatform(
  techniques: readonly AttackTechnique[],
  platform: string,
  platforms: readonly string[],
): AttackTechnique[] {
  const name = platforms.find((one) => one.toLowerCase() === platform.toLowerCase());
  if (name === undefined) {
    const msg = `No technique has this platform. Platforms: ${platforms.join(', ')}.`;
    throw validationError([{ loc: ['query', 'platform'], msg, type: 'invalid_value' }]);
  }
  return techniques.filter((technique) => technique.platforms.includes(name));
}

/** One query for all rules and one for all defenses: a look-up of each technique would take seconds. */
function withCounts(techniques: readonly AttackTechnique[], catalog: CatalogView): Technique[] {
  const rules = countByTechnique(catalog, 'sigma_rule', 'technique');
  const defenses = countByTechnique(catalog, 'd3fend_defense', 'attack_technique');
  const [hasRules, hasDefenses] = [!isFeedMissing(catalog, 'sigma'), !isFeedMissing(catalog, 'd3fend')];
  return techniques.map(({ technique_id, name, tactics, subtechnique_of }) => {
    const parent = parentTechniqueId(technique_id);
    const own = defenses.get(technique_id.toLowerCase()) ?? 0;
    const inherited = own === 0 && parent !== null ? (defenses.get(parent.toLowerCase()) ?? 0) : 0;
    const total_sigma_rules = hasRules ? (rules.get(technique_id.toLowerCase()) ?? 0) : null;
    const total_defenses = hasDefenses ? own + inherited : null;
    return {
      technique_id,
      name,
      tactics,
      subtechnique_of,
      total_sigma_rules,
      total_defenses,
      inherited_from: inherited > 0 ? parent : null,
      coverage: coverageKind(total_sigma_rules, total_defenses),
    };
  });
}

/** Documents of the collection by technique id, in lower case. */
function countByTechnique(
  catalog: CatalogView,
  collection: 'sigma_rule' | 'd3fend_defense',
  kind: string,
): ReadonlyMap<string, number> {
  const all = { words: null, links: [], limit: 0, offset: 0 };
  const counts = catalog.countDocumentLinks(collection, all, [kind]).get(kind) ?? [];
  return new Map(counts.map(({ value, count }) => [value, count]));
}

function summaryOf(total: number, { both, sigma, d3fend, neither }: CoverageCounts): string {
  const techniques = formatCount(total, 'technique');
  if (neither === null)
    return joinSummary(`${techniques}. What covers them is not known: Sigma rules or D3FEND are not synced.`);
  return joinSummary(
    `${techniques}: Sigma rules and D3FEND defenses for ${both}, rules alone for ${sigma}, defenses alone for ${d3fend}, neither for ${neither}.`,
  );
}
