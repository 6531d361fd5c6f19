/** Entries of the D3FEND catalog as operations read them. */

/** Why a defense counters an attack: what each of them does to an artifact (the attack's may be a kind of the defense's). */
export interface MappingRelation {
  relation: string | null;
  artifact: string | null;
  attack_relation: string | null;
  attack_artifact: string | null;
}

export interface AttackMapping {
  /** `T1566` or `T1566.001` */
  attack_technique_id: string;
  name: string | null;
  relations: MappingRelation[];
}

export interface DefenseRef {
  defense_id: string;
  label: string;
}

export interface Defense extends DefenseRef {
  /** `D3-FH`; null where the ontology has none. */
  d3fend_id: string | null;
  uri: string;
  synonyms: string[];
  /** The next more general technique; null for the most general ones. */
  parent: DefenseRef | null;
  children: DefenseRef[];
  description: string | null;
  tactic: string | null;
  /** Digital artifacts that it works on, as the mappings tell; the one of most relations first. */
  artifacts: string[];
  /** ATT&CK techniques that it is itself mapped to, by id. */
  mappings: AttackMapping[];
  /** Where it has no mappings: the nearest more general technique that has. */
  inherits_from: DefenseRef | null;
}
