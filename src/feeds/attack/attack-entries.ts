/** Entries of ATT&CK, CAPEC and the mappings of CVEs to ATT&CK as operations read them. */

import type { MappingRole } from '../../analysis/detection/technique-evidence.ts';

export interface AttackLogSource {
  /** `DC0085`; null if the bundle does not hold the data component. */
  data_component_id: string | null;
  data_component: string | null;
  /** `auditd:SYSCALL` */
  name: string;
  /** What to look for there: `socket/connect`. */
  channel: string | null;
}

export interface AttackAnalytic {
  /** `AN0110` */
  analytic_id: string;
  platforms: string[];
  description: string | null;
  log_sources: AttackLogSource[];
}

export interface DetectionStrategy {
  /** `DET0103` */
  strategy_id: string;
  name: string;
  analytics: AttackAnalytic[];
}

/** A technique or sub-technique of ATT&CK Enterprise. */
export interface AttackTechnique {
  technique_id: string;
  name: string;
  description: string | null;
  tactics: string[];
  platforms: string[];
  subtechnique_of: string | null;
  /** Set for a revoked id; then the lists are empty. */
  revoked_by: string | null;
  mitigations: { mitigation_id: string; name: string }[];
  detection_strategies: DetectionStrategy[];
}

/** An attack pattern of CAPEC. */
export interface CapecPattern {
  /** `CAPEC-66` */
  capec_id: string;
  name: string;
  /** Meta, Standard or Detailed. */
  abstraction: string | null;
  likelihood: string | null;
  severity: string | null;
  cwe_ids: string[];
  /** ATT&CK techniques that CAPEC names for it. */
  technique_ids: string[];
}

/** The techniques that analysts mapped to one CVE. */
export interface CveTechniqueMapping {
  cve_id: string;
  techniques: { technique_id: string; name: string | null; role: MappingRole; comment: string | null }[];
}
