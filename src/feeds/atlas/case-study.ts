import { parseCveId } from '../../analysis/cve/cve-id.ts';
import { splitLabelWords } from '../../analysis/label-words.ts';
import { normalizeWebUrl } from '../../analysis/web-url.ts';
import type { DocumentEntry } from '../entries.ts';
import type { AtlasCaseStudy } from './atlas-entries.ts';
import type { AtlasMatrix } from './matrix.ts';
import type { CaseStudyRecord } from './schema.ts';

/**
 * A case study as an entry. Its links are the techniques that it uses (`technique`), these with their parents
 * (`technique_family`), the words of its target (`target_word`), and its CVEs (`cve`).
 */
export function caseStudyEntry(study: CaseStudyRecord, matrix: AtlasMatrix): DocumentEntry {
  const used = [...new Set(study.procedure.map(({ technique }) => technique))];
  const families = used.flatMap((id) => [id, matrix.parentOf(id)?.id ?? id]);
  const body = bodyOf(study, used, matrix);
  const steps = study.procedure.map(({ description }) => description);
  const names = body.techniques_used.map(({ name }) => name);
  const titles = body.references.map(({ title }) => title);
  return {
    collection: 'atlas_case_study',
    id: study.id,
    title: study.name,
    text: [study.id, study.summary, study.target, study.actor, study.reporter, ...steps, ...names, ...titles].join(
      '\n',
    ),
    links: [
      ...used.map((value) => ({ kind: 'technique', value })),
      ...families.map((value) => ({ kind: 'technique_family', value })),
      ...splitLabelWords(study.target ?? '').map((value) => ({ kind: 'target_word', value })),
      ...body.cve_ids.map((value) => ({ kind: 'cve', value })),
    ],
    body,
  };
}

function bodyOf(study: CaseStudyRecord, used: readonly string[], matrix: AtlasMatrix): AtlasCaseStudy {
  const references = (study.references ?? []).map(({ title, url }) => ({
    title: title || null,
    url: normalizeWebUrl(url ?? ''),
  }));
  return {
    case_study_id: study.id,
    name: study.name,
    description: study.summary,
    target: study.target || null,
    actor: study.actor || null,
    reporter: study.reporter || null,
    case_study_type: study['case-study-type'] ?? null,
    incident_date: study['incident-date'] ?? null,
    incident_date_granularity: study['incident-date-granularity'] ?? null,
    procedure: study.procedure.map(({ tactic, technique, description }) => ({
      tactic: tactic == null ? null : matrix.tacticRef(tactic),
      technique: matrix.technique(technique),
      description,
    })),
    techniques_used: used.map((id) => matrix.technique(id)),
    references,
    cve_ids: cveIdsIn(JSON.stringify(study)),
    attack_techniques: used.flatMap((technique_id) => {
      const attack_technique_id = matrix.attackTechniqueOf(technique_id);
      return attack_technique_id === null ? [] : [{ attack_technique_id, technique_id }];
    }),
  };
}

function cveIdsIn(text: string): string[] {
  const found = text.match(/\bCVE-\d{4}-\d{4,19}\b/gi) ?? [];
  return [...new Set(found.flatMap((id) => parseCveId(id) ?? []))];
}
