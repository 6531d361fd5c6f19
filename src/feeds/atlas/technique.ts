import { normalizeLabel } from '../../analysis/label-words.ts';
import { normalizeWebUrl } from '../../analysis/web-url.ts';
import type { DocumentEntry, DocumentLink } from '../entries.ts';
import type { AtlasTechnique } from './atlas-entries.ts';
import type { AtlasMatrix } from './matrix.ts';
import type { TechniqueRecord } from './schema.ts';

/** A technique as an entry. A sub-technique without tactics gets those of its parent, with `inherited_tactics` set. */
export function techniqueEntry(technique: TechniqueRecord, matrix: AtlasMatrix): DocumentEntry {
  const own = technique.tactics ?? [];
  const inherited = own.length === 0 ? (matrix.parentOf(technique.id)?.tactics ?? []) : [];
  const reference = technique['ATT&CK-reference'];
  const body: AtlasTechnique = {
    technique_id: technique.id,
    name: technique.name,
    description: technique.description,
    tactics: [...own, ...inherited].map((id) => matrix.tacticRef(id)),
    inherited_tactics: inherited.length > 0,
    maturity: technique.maturity ?? null,
    attack_reference_id: reference?.id ?? null,
    attack_reference_url: normalizeWebUrl(reference?.url ?? ''),
    subtechnique_of: technique['subtechnique-of'] ?? null,
    subtechniques: matrix.subtechniquesOf(technique.id),
    mitigations: matrix.mitigationsOf(technique.id),
    created_date: technique.created_date ?? null,
    modified_date: technique.modified_date ?? null,
  };
  return {
    collection: 'atlas_technique',
    id: technique.id,
    title: technique.name,
    text: [technique.id, technique.description, ...body.tactics.map(({ name }) => name), reference?.id].join('\n'),
    links: linksOf(body),
    body,
  };
}

function linksOf({ tactics, maturity, attack_reference_id }: AtlasTechnique): DocumentLink[] {
  return [
    ...tactics.flatMap(({ tactic_id, name }) =>
      [tactic_id, name].map((text) => ({ kind: 'tactic', value: normalizeLabel(text) })),
    ),
    ...(maturity === null ? [] : [{ kind: 'maturity', value: maturity }]),
    ...(attack_reference_id === null ? [] : [{ kind: 'attack_technique', value: attack_reference_id }]),
  ];
}
