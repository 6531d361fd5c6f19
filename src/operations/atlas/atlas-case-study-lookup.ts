import { z } from 'zod';
import type { AtlasCaseStudy } from '../../feeds/atlas/atlas-entries.ts';
import { notFoundError } from '../../engine/not-found-error.ts';
import { lookupOutputSchema, type NextCall, defineOperation } from '../../engine/operation.ts';
import { atlasCaseStudyFields } from './lib/schemas.ts';
import { AtlasCaseStudyId } from '../../engine/input/mitre-ids.ts';
import { includeField } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';

export const atlasCaseStudyLookup = defineOperation({
  id: 'atlas_case_study_lookup',
  area: 'atlas',
  title: 'ATLAS case study',
  description:
    'One incident or exercise of MITRE ATLAS: what happened, to whom, by whom, with which techniques. include=full adds the procedure, step by step.',
  route: 'GET /v1/atlas/case-studies/:case_study_id',
  subject: { kind: 'atlas_case_study', field: 'case_study_id' },
  input: z.strictObject({ case_study_id: AtlasCaseStudyId, ...includeField }),
  output: lookupOutputSchema('AtlasCaseStudy', atlasCaseStudyFields),
  cost: 1,
  cacheable: true,
  examples: [
    { title: 'Evasion of a malware detector', input: { case_study_id: 'AML.CS0000' } },
    { title: 'Step by step', input: { case_study_id: 'AML.CS0000', include: 'full' } },
  ],
  tool: {
    description:
      'Read one real attack on an AI system (AML.CS####): target, actor, techniques, references; include=full adds the procedure. To find case studies use atlas_case_study_search.',
    openWorld: false,
  },
  falsifiableFields: ['name', 'description', 'target', 'actor', 'techniques_used'],
  answer({ case_study_id, include }, { catalog }) {
    const study = catalog.document<AtlasCaseStudy>('atlas_case_study', case_study_id);
    if (study === null) {
      throw notFoundError(catalog, ['atlas'], `${case_study_id} is no case study of the ATLAS catalog synced here.`);
    }
    const { procedure, cve_ids: _, attack_techniques: __, ...rest } = study;
    return {
      ...rest,
      total_steps: procedure.length,
      ...(include === 'full' ? { procedure } : {}),
      pivot_hints: pivotHintsOf(study),
      summary: summaryOf(study),
    };
  },
  nextCalls({ techniques_used, pivot_hints }) {
    const calls: NextCall[] = pivot_hints
      .filter(({ type }) => type === 'cve')
      .slice(0, 3)
      .map(({ value }) => ({ tool: 'cve_lookup', input: value, reason: 'Named in the case study.' }));
    const technique_ids = techniques_used.map(({ technique_id }) => technique_id).slice(0, 50);
    if (technique_ids.length > 0) {
      const reason = 'The techniques, with their mitigations.';
      calls.push({
        tool: 'bulk_atlas_technique_lookup',
        input: technique_ids.join(', '),
        reason,
        params: { technique_ids },
      });
    }
    const attack_techniques = pivot_hints.filter(({ type }) => type === 'attack_technique').map(({ value }) => value);
    if (attack_techniques.length > 0) {
      const reason = 'Defenses against their counterparts in ATT&CK.';
      calls.push({
        tool: 'd3fend_attack_coverage',
        input: attack_techniques.join(', '),
        reason,
        params: { attack_techniques },
      });
    }
    return calls;
  },
});

function pivotHintsOf({ cve_ids, attack_techniques }: AtlasCaseStudy) {
  const byAttack = Map.groupBy(attack_techniques, ({ attack_technique_id }) => attack_technique_id);
  return [
    ...cve_ids.map((value) => ({ type: 'cve' as const, value, reason: 'Named in the case study.' })),
    ...[...byAttack].map(([value, techniques]) => ({
      type: 'attack_technique' as const,
      value,
      reason: `Counterpart of ${techniques.map(({ technique_id }) => technique_id).join(', ')} in ATT&CK.`,
    })),
  ];
}

function summaryOf(study: AtlasCaseStudy): string {
  const { case_study_id, name, case_study_type, target, actor, techniques_used, description } = study;
  const facts = [
    case_study_type,
    formatIncidentDate(study),
    target === null ? null : `target ${target}`,
    actor === null ? null : `by ${actor}`,
  ];
  return joinSummary(
    `${case_study_id}: ${name} (${facts.filter(Boolean).join('; ')}), ${formatCount(techniques_used.length, 'technique')}.`,
    description,
  );
}

/** The incident date, cut to the known precision (YEAR, MONTH or DATE). */
function formatIncidentDate({ incident_date, incident_date_granularity }: AtlasCaseStudy): string | null {
  const length = { YEAR: 4, MONTH: 7 }[incident_date_granularity ?? ''] ?? 10;
  return incident_date?.slice(0, length) ?? null;
}
