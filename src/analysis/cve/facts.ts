/**
 * What one source says about one CVE, in one shape for all sources.
 * Feeds produce it, the catalog keeps it, `merge.ts` joins the facts of several sources.
 */

export type CveSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW';
export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0';

/** The sources that hold whole CVE records. Scores and lists (EPSS, KEV, Exploit-DB) have shapes of their own. */
export type RecordSource = 'nvd' | 'cvelist' | 'ghsa' | 'starter';

/** One CVSS assessment, as its scorer published it. */
export interface CvssAssessment {
  version: CvssVersion;
  vector: string;
  /** 0.0-10.0 as published; null where the scorer gave a vector alone. */
  base_score: number | null;
  /** As published; null where absent or NONE. */
  base_severity: CveSeverity | null;
  /** Who scored: `nvd@nist.gov`, the CNA's id or name, `CISA-ADP`, `github`. */
  scorer: string;
  /** The record's own primary assessment (NVD type "Primary", the CNA in a CVE record). */
  primary: boolean;
}

export interface CveWeakness {
  /** `CWE-79`; entries without a number (`NVD-CWE-noinfo`) are not kept. */
  cwe_id: string;
  source: string;
}

export interface CveReference {
  url: string;
  tags: string[];
  source: string | null;
}

/** Ends of an affected version range; an end that is null is open. */
export interface VersionRange {
  start_including: string | null;
  start_excluding: string | null;
  end_including: string | null;
  end_excluding: string | null;
}

/** A product that a source names: by CPE 2.3 name, or by vendor and product (and ecosystem) in plain words. */
export interface CveProduct extends VersionRange {
  /** CPE 2.3 formatted string (NISTIR 7695), or null where the source gives plain names only. */
  cpe: string | null;
  /** Plain names; null where `cpe` says it. */
  vendor: string | null;
  product: string | null;
  /** A single affected version, where the source gives one outside a CPE. */
  version: string | null;
  /** Package ecosystem as the source writes it (`npm`, `pip`); null outside package advisories. */
  ecosystem: string | null;
  /** False for a platform that the vulnerable product runs on. */
  vulnerable: boolean;
}

/** One node of an applicability statement: products by their index in `CveFacts.products`. */
export interface CpeConfigurationNode {
  operator: 'AND' | 'OR';
  negate: boolean;
  products: number[];
}

/** NVD applicability statement: its nodes joined by `operator`. */
export interface CpeConfiguration {
  operator: 'AND' | 'OR';
  negate: boolean;
  nodes: CpeConfigurationNode[];
}

export interface CveFacts {
  /** Upper case, canonical: `CVE-2021-44228`. */
  cve_id: string;
  source: RecordSource;
  /** Status in the source's own words (`Analyzed`, `Awaiting Analysis`, `Rejected`, `PUBLISHED`, `withdrawn`). */
  status: string;
  /** True for rejected CVEs and withdrawn advisories: findable by id, left out of searches. */
  rejected: boolean;
  /** ISO 8601 UTC, or YYYY-MM-DD where the source has no time. */
  published: string | null;
  modified: string | null;
  title: string | null;
  /** English. */
  description: string | null;
  /** Who issued it: CNA id or mail address. */
  assigner: string | null;
  /** `disputed`, `unsupported-when-assigned`, `exclusively-hosted-service`. */
  tags: string[];
  metrics: CvssAssessment[];
  weaknesses: CveWeakness[];
  references: CveReference[];
  products: CveProduct[];
  configurations: CpeConfiguration[];
}
