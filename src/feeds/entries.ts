/** Entries of feeds, one type for each kind of feed. Dates without a time are YYYY-MM-DD. */

import type { WarningListFacts, WarningPattern, WarningValue } from '../analysis/indicators/warning-list.ts';
import type { VexStatement } from '../analysis/affected/vex-statement.ts';
import type { CveFacts } from '../analysis/cve/cve-facts.ts';
import type { PackageAdvisory } from '../analysis/packages/match-advisory.ts';

/** One row of CISA's Known Exploited Vulnerabilities catalog. */
export interface KevEntry {
  cve_id: string;
  vendor_project: string;
  product: string;
  vulnerability_name: string;
  date_added: string;
  due_date: string | null;
  required_action: string;
  short_description: string;
  /** True for `Known`, false for `Unknown`, which CISA writes when it does not know a campaign. */
  known_ransomware_use: boolean;
  notes: string | null;
  cwes: string[];
}

/** One row of FIRST's EPSS scores; both values are 0.0 to 1.0. */
export interface EpssEntry {
  cve_id: string;
  score: number;
  percentile: number;
}

/** One public exploit of the Exploit-DB archive. */
export interface ExploitEntry {
  edb_id: number;
  cve_ids: string[];
  title: string;
  date_published: string | null;
  author: string | null;
  type: string;
  platform: string;
  verified: boolean;
}

export interface WeaknessMitigation {
  phase: string | null;
  strategy: string | null;
  description: string;
  effectiveness: string | null;
}

/** An observed example: a real vulnerability with this weakness. */
export interface ObservedExample {
  reference: string;
  description: string;
  link: string | null;
}

/** One weakness of MITRE's CWE list. Parents are those of view 1000 (Research Concepts). */
export interface WeaknessEntry {
  cwe_id: string;
  name: string;
  /** Pillar, Class, Base, Variant or Compound. */
  abstraction: string;
  status: string;
  description: string;
  extended_description: string | null;
  mitigations: WeaknessMitigation[];
  examples: ObservedExample[];
  parents: string[];
  in_view_1000: boolean;
}

/** One affected package of an advisory, in the advisory's own range syntax. */
export interface AdvisoryPackage {
  ecosystem: string;
  name: string;
  /** GitHub's range text, such as `>= 2.0, < 2.15.0`. */
  vulnerable_range: string | null;
  first_patched: string | null;
}

/** One GitHub advisory; `facts` is what it says about its CVE, null if it names no CVE. */
export interface AdvisoryEntry {
  ghsa_id: string;
  cve_id: string | null;
  summary: string;
  severity: string;
  published: string | null;
  updated: string | null;
  withdrawn: string | null;
  url: string;
  packages: AdvisoryPackage[];
  facts: CveFacts | null;
  /** Present where the advisory says that the package itself is malicious (CWE-506). */
  is_malicious?: true;
}

/** What one advisory says about one package. */
export interface PackageAdvisoryEntry {
  /** As OSV writes it: `npm`, `crates.io`. */
  ecosystem: string;
  /** The package's name as the advisory has it. */
  name: string;
  advisory: PackageAdvisory;
}

/** Collections of documents, which are read by id, searched by words and filtered by links. */
export type DocumentCollection =
  | 'atlas_technique'
  | 'atlas_case_study'
  | 'd3fend_defense'
  | 'sigma_rule'
  | 'attack_technique'
  | 'attack_capec'
  | 'attack_kev'
  | 'attack_kev_mobile'
  | 'attack_cve'
  | 'endoflife_product';

/** A value by which searches filter documents: `{ kind: 'technique', value: 'T1059' }`. Values compare in lower case. */
export interface DocumentLink {
  kind: string;
  value: string;
}

/** One entry of a catalog of attacks, defenses or detections. */
export interface DocumentEntry {
  collection: DocumentCollection;
  /** Canonical id, unique within its collection. */
  id: string;
  /** Name and aliases: their words count most in a search. */
  title: string;
  /** All other words that can be searched for. */
  text: string;
  links: DocumentLink[];
  /** The data that operations read. */
  body: unknown;
}

/** The package URLs of the product that a CPE name denotes. */
export interface ProductPurlsEntry {
  /** In the form of `normalizeCpeToken`. */
  vendor: string;
  product: string;
  /** Without versions: `pkg:github/nginx/nginx`. */
  purls: string[];
}

/** A botnet's command and control server. Times in ISO 8601, UTC. */
export interface BotnetServer {
  port: number | null;
  /** Null if the list does not say. */
  online: boolean | null;
  malware: string | null;
  first_seen: string | null;
  last_online: string | null;
}

/** One row of a list of networks: attackers, Tor exits, clouds. */
export interface NetworkEntry {
  /** A CIDR or an address. */
  cidr: string;
  /** Distinguishes several rows of one network: a service, a port. */
  label: string;
  /** The region's name in the list. */
  region: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  server: BotnetServer | null;
}

/** One warning list with its values. */
export interface WarningListEntry extends WarningListFacts {
  id: string;
  values: readonly WarningValue[];
  patterns: readonly WarningPattern[];
}

export interface EntryByKind {
  cve: CveFacts;
  kev: KevEntry;
  epss: EpssEntry;
  exploit: ExploitEntry;
  weakness: WeaknessEntry;
  advisory: AdvisoryEntry;
  document: DocumentEntry;
  package_advisory: PackageAdvisoryEntry;
  network: NetworkEntry;
  product_purls: ProductPurlsEntry;
  vex: VexStatement;
  warning_list: WarningListEntry;
}

export type EntryKind = keyof EntryByKind;
