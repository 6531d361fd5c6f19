import type { z } from 'zod';
import type { Defense } from '../../../feeds/d3fend/d3fend-entries.ts';
import type { Countermeasure, DefenseRow } from './schemas.ts';

/** A defense as a row of a search; `full` adds the verbose fields. */
export function presentDefenseRow(defense: Defense, full: boolean): z.output<typeof DefenseRow> {
  const { defense_id, d3fend_id, label, parent, tactic, artifacts, mappings, uri, description, synonyms } = defense;
  return {
    defense_id,
    d3fend_id,
    label,
    parent_label: parent?.label ?? null,
    tactic,
    artifact: artifacts[0] ?? null,
    total_attack_techniques: mappings.length,
    ...(full ? { uri, description, synonyms, attack_techniques: attackTechniqueIds(defense) } : {}),
  };
}

/** A defense in the list of the ATT&CK technique `attackId`, to which it must be mapped. */
export function presentCountermeasure(
  defense: Defense,
  attackId: string,
  full = false,
): z.output<typeof Countermeasure> {
  const { defense_id, d3fend_id, label, tactic, artifacts, uri, description, mappings } = defense;
  const relations = mappings.find(({ attack_technique_id }) => attack_technique_id === attackId)?.relations ?? [];
  return {
    defense_id,
    name: label,
    tactic,
    artifact: relations[0]?.artifact ?? artifacts[0] ?? null,
    ...(full ? { uri, d3fend_id, description, relations } : {}),
  };
}

/** Ids of the ATT&CK techniques that the defense is mapped to. */
export function attackTechniqueIds({ mappings }: Defense): string[] {
  return mappings.map(({ attack_technique_id }) => attack_technique_id);
}
