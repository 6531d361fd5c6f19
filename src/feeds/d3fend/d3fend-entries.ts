/** Entries of the D3FEND catalog as operations read them. */

/** Why a defense counters an attack: what each does to a digital artifact. The attack's artifact may be a subclass of the defense's. */
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
  /** `D3-FH`; null if the ontology has none. */
  d3fend_id: string | null;
  uri: string;
  synonyms: string[];
  /** The next more general technique; null for the most general ones. */
  parent: DefenseRef | null;
  children: DefenseRef[];
  description: string | null;
  tactic: string | null;
  /** Digital artifacts of the mappings, the one with most relations first. */
  artifacts: string[];
  /** ATT&CK techniques that it is mapped to, without inherited mappings, sorted by id. */
  mappings: AttackMapping[];
  /** If it has no mappings: the nearest more general technique that has some. */
  inherits_from: DefenseRef | null;
}
