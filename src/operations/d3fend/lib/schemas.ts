import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** The tactics of D3FEND, in its own order; one that a later release adds comes after them. */
export const D3FEND_TACTICS = ['Model', 'Harden', 'Detect', 'Isolate', 'Deceive', 'Evict', 'Restore'] as const;

export const DefenseRef = z.object({ defense_id: z.string(), label: ForeignText }).meta({ id: 'D3fendDefenseRef' });

const ArtifactField = ForeignText.nullable().meta({
  description: 'The digital artifact that it works on, by the mappings.',
});
const InheritedFromField = z.string().nullable();

const AttackRelation = z
  .object({
    relation: ForeignText.nullable().meta({ description: 'What the defense does to its artifact.' }),
    artifact: ForeignText.nullable(),
    attack_relation: ForeignText.nullable().meta({ description: 'What the attack does to its artifact.' }),
    attack_artifact: ForeignText.nullable().meta({ description: 'The same artifact, or a kind of it.' }),
  })
  .meta({ id: 'D3fendRelation' });

export const defenseFields = {
  defense_id: z.string().meta({ description: 'Name in the ontology: FileAnalysis.' }),
  d3fend_id: z.string().nullable().meta({ description: 'D3-FA' }),
  label: ForeignText,
  uri: ForeignText,
  synonyms: z.array(ForeignText),
  parent_label: ForeignText.nullable().meta({
    description: 'The next more general defense; null for the most general.',
  }),
  parent_id: z.string().nullable(),
  children: z.array(DefenseRef),
  description: ForeignText.nullable(),
  tactic: ForeignText.nullable(),
  artifact: ArtifactField,
  artifacts: z.array(ForeignText).meta({ description: 'All of them, where there are several.' }),
  inherited_from: InheritedFromField.meta({
    description:
      'No ATT&CK technique is mapped to this defense; artifacts and techniques are those of this more general one.',
  }),
  attack_techniques: z.array(z.string()).meta({ description: 'ATT&CK techniques that it counters.' }),
  total_attack_techniques: z.number().int(),
  attack_mappings: z
    .array(
      z.object({ attack_technique_id: z.string(), name: ForeignText.nullable(), relations: z.array(AttackRelation) }),
    )
    .optional()
    .meta({ description: 'Why, for each of them; with include=full.' }),
};

/** `uri` and the fields after it come with `include=full`. */
export const DefenseRow = z
  .object({
    defense_id: defenseFields.defense_id,
    d3fend_id: defenseFields.d3fend_id,
    label: ForeignText,
    parent_label: ForeignText.nullable(),
    tactic: ForeignText.nullable(),
    artifact: ArtifactField,
    total_attack_techniques: z.number().int(),
    uri: ForeignText.optional(),
    description: ForeignText.nullable().optional(),
    synonyms: z.array(ForeignText).optional(),
    attack_techniques: z.array(z.string()).optional(),
  })
  .meta({ id: 'D3fendDefenseRow' });

/** A defense in the list of one ATT&CK technique. `uri` and the fields after it come with `include=full`. */
export const Countermeasure = z
  .object({
    defense_id: z.string(),
    name: ForeignText,
    tactic: ForeignText.nullable(),
    artifact: ArtifactField,
    uri: ForeignText.optional(),
    d3fend_id: z.string().nullable().optional(),
    description: ForeignText.nullable().optional(),
    relations: z.array(AttackRelation).optional(),
  })
  .meta({ id: 'D3fendCountermeasure' });

export const InheritedMappingField = InheritedFromField.meta({
  description: 'Nothing is mapped to this sub-technique itself; the defenses are those of this technique, its parent.',
});
