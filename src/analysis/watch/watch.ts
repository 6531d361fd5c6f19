import type { FieldChange } from '../cve/field-change.ts';
import type { Severity } from '../severity.ts';

/** What a watch is about. Names, versions and addresses are as the owner gave them, checked and normalized. */
export type WatchSubject =
  | { kind: 'cve'; cve_id: string }
  /** One product by its CPE names; `version` null: any. */
  | { kind: 'product'; vendor: string | null; product: string; version: string | null }
  /** A package URL without version and qualifiers; `version` null: any. */
  | { kind: 'package'; purl: string; version: string | null }
  | { kind: 'vendor'; vendor: string }
  /** The filters of a search, as `cve_search` takes them. */
  | { kind: 'search'; filters: Readonly<Record<string, unknown>> }
  /** The packages of a lockfile or an SBOM, which itself is not kept. */
  | { kind: 'components'; components: readonly WatchedComponent[] }
  | { kind: 'domain'; domain: string }
  | { kind: 'indicator'; indicator: string };
export type SubjectKind = WatchSubject['kind'];

/** One of `purl` (without version) and `cpe` (CPE 2.3) is given. */
export interface WatchedComponent {
  purl: string | null;
  cpe: string | null;
  version: string | null;
}

/** Which changes are told. All must hold. */
export interface WatchConditions {
  /** Kinds of changes; null: all but `weakness`, `reference`, and `product` where the status of the version does not change. */
  kinds: readonly FieldChange['kind'][] | null;
  /** Only CVEs of at least this severity now; one whose severity is not known is told. Null: any. */
  severity_min: Severity | null;
  /** Only known-exploited CVEs. */
  kev_only: boolean;
  /** Changes of EPSS of at least this much (0 to 1); null: as they are recorded, 0.1. */
  epss_move_min: number | null;
  /**
   * Where the subject has a version. `affected`: only what affects it; `possible`: also what cannot be told; `all`: also what does not affect
   * it. A CVE that was told is told again where it no longer affects the version.
   */
  affected: 'affected' | 'possible' | 'all';
}

/** When it is told. Times of day are of `time_zone` (IANA). */
export interface WatchSchedule {
  when: 'at_once' | 'daily' | 'weekly';
  /** `HH:MM`, of digests. */
  at: string;
  /** Of weekly digests: 1 is Monday, 7 Sunday (ISO 8601). */
  weekday: number;
  time_zone: string;
  /** What would be told in these hours is told at their end; null: no quiet hours. `from` may be later than `to`: over midnight. */
  quiet: { from: string; to: string } | null;
}

/** The form of a webhook's body: that of Standard Webhooks, signed, or a message for a chat. */
export type WebhookFormat = 'standard' | 'slack' | 'teams';

export type WatchChannel =
  | { id: string; kind: 'webhook'; url: string; format: WebhookFormat }
  | { id: string; kind: 'email'; to: string };

/** What the owner decides. */
export interface WatchDefinition {
  name: string | null;
  subject: WatchSubject;
  conditions: WatchConditions;
  /** Empty: it is only read, at the watch's own list, feed, terminal or MCP resource. */
  channels: readonly WatchChannel[];
  schedule: WatchSchedule;
}

/** A change that is told: the form of `changes`, without the id of the CVE. */
export interface ToldChange extends FieldChange {
  source: string;
  seen_at: string;
}

/** One thing that changed, and why it concerns the owner. What it says never depends on the time at which it is sent. */
export interface WatchEvent {
  /** `evt_` and 32 hex characters: the same for the same watch and the same changes, however often they are matched. */
  id: string;
  watch_id: string;
  /** When it was seen here (ISO 8601 UTC). */
  seen_at: string;
  about:
    | { kind: 'cve'; cve_id: string }
    | { kind: 'domain'; domain: string }
    | { kind: 'indicator'; indicator: string };
  /** One sentence: `lodash 4.17.20 is affected (npm advisory GHSA-...), fixed in 4.17.21.` */
  why: string;
  /** One sentence: `Known exploited since 2026-11-24, to be mended by 2026-12-15.` */
  what: string;
  /** Of the version that is watched; null where there is none, and for domains and indicators. */
  status: 'affected' | 'not_affected' | 'unknown' | null;
  /** Which components it concerns, the affected ones first; empty where the subject has none. */
  components: readonly { name: string; version: string | null; status: string; fixed_in: string | null }[];
  changes: readonly ToldChange[];
  /** State of the CVE when it was seen; null each where it is not known. Null for domains and indicators. */
  current: {
    severity: Severity | null;
    cvss: number | null;
    kev: boolean | null;
    kev_due: string | null;
    epss: number | null;
    fixed_in: string | null;
    urgency: string | null;
  } | null;
}
