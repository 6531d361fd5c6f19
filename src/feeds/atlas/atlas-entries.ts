/** Entries of the ATLAS catalog as operations read them. Dates are YYYY-MM-DD. */

export interface AtlasTactic {
  tactic_id: string;
  name: string;
}

export interface AtlasTechniqueRef {
  technique_id: string;
  name: string;
}

export interface AtlasMitigation {
  mitigation_id: string;
  name: string;
  /** How it applies to the technique. */
  use: string | null;
}

export interface AtlasTechnique extends AtlasTechniqueRef {
  description: string;
  tactics: AtlasTactic[];
  /** True if the tactics are those of the parent. */
  inherited_tactics: boolean;
  /** `feasible`, `demonstrated` or `realized`. */
  maturity: string | null;
  attack_reference_id: string | null;
  attack_reference_url: string | null;
  subtechnique_of: string | null;
  subtechniques: AtlasTechniqueRef[];
  mitigations: AtlasMitigation[];
  created_date: string | null;
  modified_date: string | null;
}

export interface AtlasProcedureStep {
  tactic: AtlasTactic | null;
  technique: AtlasTechniqueRef;
  description: string;
}

export interface AtlasCaseStudy {
  case_study_id: string;
  name: string;
  description: string;
  target: string | null;
  actor: string | null;
  reporter: string | null;
  /** `incident` or `exercise`. */
  case_study_type: string | null;
  incident_date: string | null;
  /** How much of the date is known: `YEAR`, `MONTH` or `DATE`. */
  incident_date_granularity: string | null;
  procedure: AtlasProcedureStep[];
  /** Each technique of the procedure once, in its order. */
  techniques_used: AtlasTechniqueRef[];
  references: { title: string | null; url: string | null }[];
  /** CVE ids in its text. */
  cve_ids: string[];
  /** ATT&CK counterparts of its techniques. */
  attack_techniques: { attack_technique_id: string; technique_id: string }[];
}
