/** Entries of the ATLAS catalog as operations read them. Dates are YYYY-MM-DD. */

export interface AtlasTactic {
  tactic_id: string;
  name: string;
}

export interface AtlasTechniqueName {
  technique_id: string;
  name: string;
}

export interface AtlasMitigation {
  mitigation_id: string;
  name: string;
  /** How it applies to the technique. */
  use: string | null;
}

export interface AtlasTechnique extends AtlasTechniqueName {
  description: string;
  tactics: AtlasTactic[];
  /** The tactics are those of the parent. */
  inherited_tactics: boolean;
  /** `feasible`, `demonstrated` or `realized`. */
  maturity: string | null;
  attack_reference_id: string | null;
  attack_reference_url: string | null;
  subtechnique_of: string | null;
  subtechniques: AtlasTechniqueName[];
  mitigations: AtlasMitigation[];
  created_date: string | null;
  modified_date: string | null;
}

export interface AtlasStep {
  tactic: AtlasTactic | null;
  technique: AtlasTechniqueName;
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
  procedure: AtlasStep[];
  /** Each technique of the procedure once, in its order. */
  techniques_used: AtlasTechniqueName[];
  references: { title: string | null; url: string | null }[];
  /** CVE ids in its text. */
  cve_ids: string[];
  /** ATT&CK counterparts of its techniques. */
  attack_techniques: { attack_technique_id: string; technique_id: string }[];
}
