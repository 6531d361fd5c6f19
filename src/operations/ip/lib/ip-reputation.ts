import { z } from 'zod';
import { selectSeverity } from '../../../analysis/cve/select-severity.ts';
import {
  addressRiskLabel,
  assessAddressRisk,
  type AddressRiskFactor,
} from '../../../analysis/indicators/address-risk.ts';
import type { NetworkHit } from '../../../catalog/networks.ts';
import { type AbuseIpdbRecord, abuseipdb } from '../../../sources/abuseipdb.ts';
import { type HostExposure, internetdb } from '../../../sources/shodan-internetdb.ts';
import { type ShodanHost, shodanHost } from '../../../sources/shodan-host-api.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { isFeedMissing } from '../../../engine/not-found-error.ts';

const MAX_SHOWN_ITEMS = 100;
const MAX_RATED_VULNS = 250;
const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
const REPUTATION_LISTS = ['tor', 'firehol', 'feodo', 'cloud'] as const;

/** Fields are null where InternetDB did not answer. */
export const exposureFields = {
  ports: z.array(z.number().int()).nullable(),
  hostnames: z.array(z.string()).nullable(),
  vulns: z
    .array(
      z.object({
        cve_id: z.string(),
        severity: z.enum([...SEVERITIES, 'UNKNOWN']),
        cvss_v3: z.number().nullable(),
        in_kev: z.boolean().nullable(),
      }),
    )
    .nullable()
    .meta({ description: 'By the versions that services tell of themselves; the worst 100.' }),
  total_vulns: z.number().int().nullable(),
  cpes: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
};
const ExposureRecord = z.object(exposureFields);
export type ExposureRecord = z.output<typeof ExposureRecord>;

const KeyedSourceStatus = z.enum(['ok', 'no_data', 'not_configured', 'unavailable']);

/** Data of AbuseIPDB; `status` says why fields are null. */
export const AbuseIpdbSummary = z.object({
  status: KeyedSourceStatus,
  score: z.number().nullable(),
  total_reports: z.number().int().nullable(),
  distinct_users: z.number().int().nullable(),
  last_reported_at: z.string().nullable(),
  usage_type: z.string().nullable(),
  isp: z.string().nullable(),
  whitelisted: z.boolean().nullable(),
});
export const ShodanSummary = z.object({
  status: KeyedSourceStatus,
  org: z.string().nullable(),
  isp: z.string().nullable(),
  os: z.string().nullable(),
  ports: z.array(z.number().int()).nullable(),
  vulns: z.array(z.string()).nullable(),
  last_update: z.string().nullable(),
});

/** The synced lists that hold an address; null: that list has not been synced. */
export interface ListMembership {
  tor: boolean | null;
  firehol: boolean | null;
  feodo: boolean | null;
  /** The most specific cloud range that holds it. */
  cloud: NetworkHit | null;
  country: string | null;
}

/** What is known of an address from sources without a key; the address itself is not contacted. */
export interface IpReputation {
  exposure: ExposureRecord;
  lists: ListMembership;
  /** Null: no source answered. */
  risk_score: number | null;
  severity_label: ReturnType<typeof addressRiskLabel>;
  risk_factors: AddressRiskFactor[];
}

/** Exposure by InternetDB, the synced lists, and the risk that follows from both. */
export async function lookUpIpReputation(context: Context, ip: string): Promise<IpReputation> {
  const lists = lookUpListMembership(context, ip);
  const outcome = await context.ask(internetdb, ip);
  const exposure = toExposureRecord(context, outcome);
  return { exposure, lists, ...assessIpRisk(exposure, lists, null) };
}

export function lookUpListMembership(context: Context, ip: string): ListMembership {
  const rows = context.catalog.networksContaining(ip, REPUTATION_LISTS);
  const holds = (list: readonly NetworkHit[] | null): boolean | null => list && list.length > 0;
  return {
    tor: holds(rows.tor),
    firehol: holds(rows.firehol),
    feodo: holds(rows.feodo),
    cloud: mostSpecificCloudRow(rows.cloud ?? []),
    country: [...(rows.feodo ?? []), ...(rows.cloud ?? [])].find(({ country }) => country !== null)?.country ?? null,
  };
}

/** The most specific row of the narrowest cloud range. Azure and AWS list each range also under a general label. */
function mostSpecificCloudRow(rows: readonly NetworkHit[]): NetworkHit | null {
  const [narrowest] = rows;
  if (narrowest === undefined) return null;
  const general = ['AMAZON', 'AzureCloud'];
  const same = rows.filter(({ cidr }) => cidr === narrowest.cidr);
  const special = same.filter(({ label }) => !general.includes(label.split('.')[0]!));
  return special.find(({ region }) => region !== null) ?? same.find(({ region }) => region !== null) ?? narrowest;
}

export function toExposureRecord(context: Context, outcome: SourceResult<HostExposure | null>): ExposureRecord {
  if (outcome.status !== 'ok') {
    return { ports: null, hostnames: null, vulns: null, total_vulns: null, cpes: null, tags: null };
  }
  const { ports, hostnames, vulns, cpes, tags } = outcome.found ?? {
    ports: [],
    hostnames: [],
    vulns: [],
    cpes: [],
    tags: [],
  };
  if (vulns.length > MAX_RATED_VULNS) {
    context.evidence.addGap(`only ${MAX_RATED_VULNS} of its ${vulns.length} vulnerabilities were rated`);
  }
  noteTruncatedLists(context, { 'host names': hostnames, CPEs: cpes, tags });
  const rated = vulns.slice(0, MAX_RATED_VULNS).map((id) => rateVuln(context, id));
  return {
    // All of them: each counts for the risk.
    ports,
    hostnames: hostnames.slice(0, MAX_SHOWN_ITEMS),
    vulns: rated.sort(compareVulns).slice(0, MAX_SHOWN_ITEMS),
    total_vulns: vulns.length,
    cpes: cpes.slice(0, MAX_SHOWN_ITEMS),
    tags: tags.slice(0, MAX_SHOWN_ITEMS),
  };
}

/** Records a gap for each list that is longer than the answer shows. */
function noteTruncatedLists({ evidence }: Context, lists: Record<string, readonly unknown[]>): void {
  for (const [what, list] of Object.entries(lists)) {
    if (list.length > MAX_SHOWN_ITEMS)
      evidence.addGap(`only ${MAX_SHOWN_ITEMS} of its ${list.length} ${what} are listed`);
  }
}

type RatedVuln = NonNullable<ExposureRecord['vulns']>[number];

function rateVuln({ catalog }: Context, cveId: string): RatedVuln {
  const dossier = catalog.cve(cveId);
  const { severity, basis } = selectSeverity(dossier?.record?.metrics ?? []);
  return {
    cve_id: cveId,
    severity: severity ?? 'UNKNOWN',
    cvss_v3: basis !== null && basis.version.startsWith('3') ? basis.base_score : null,
    in_kev: isFeedMissing(catalog, 'kev') ? null : dossier !== null && dossier.kev !== null,
  };
}

function compareVulns(a: RatedVuln, b: RatedVuln): number {
  const rank = ({ severity }: RatedVuln): number =>
    severity === 'UNKNOWN' ? SEVERITIES.length : SEVERITIES.indexOf(severity);
  return (
    Number(b.in_kev ?? false) - Number(a.in_kev ?? false) ||
    rank(a) - rank(b) ||
    (b.cvss_v3 ?? 0) - (a.cvss_v3 ?? 0) ||
    (a.cve_id < b.cve_id ? -1 : 1)
  );
}

/** Risk score and its factors. The score is null where no source answered. */
export function assessIpRisk(
  { vulns, ports, tags }: ExposureRecord,
  { tor, firehol, feodo }: ListMembership,
  abuse: AbuseIpdbRecord | null,
): Pick<IpReputation, 'risk_score' | 'severity_label' | 'risk_factors'> {
  const isKnown = vulns !== null || tor !== null || firehol !== null || feodo !== null || abuse !== null;
  const { score, factors } = assessAddressRisk({
    worstSeverity: SEVERITIES.find((each) => vulns?.some(({ severity }) => severity === each)) ?? null,
    unratedCount: vulns?.filter(({ severity }) => severity === 'UNKNOWN').length ?? 0,
    exploitedCount: vulns?.filter(({ in_kev }) => in_kev === true).length ?? 0,
    ports: ports ?? [],
    tags: tags ?? [],
    botnet: feodo === true,
    blocklisted: firehol === true,
    torExit: tor === true || abuse?.tor === true,
    abuseScore: abuse?.score ?? null,
  });
  const risk_score = isKnown ? score : null;
  return { risk_score, severity_label: addressRiskLabel(risk_score), risk_factors: factors };
}

/** AbuseIPDB and Shodan; `not_configured` without a key. */
export async function askKeyedSources(context: Context, ip: string) {
  const [abuse, shodan] = await Promise.all([context.ask(abuseipdb, ip), context.ask(shodanHost, ip)]);
  const reports = abuse.status === 'ok' ? abuse.found : null;
  const host = shodan.status === 'ok' ? shodan.found : null;
  noteTruncatedLists(context, { 'ports by Shodan': host?.ports ?? [], 'CVEs by Shodan': host?.vulns ?? [] });
  return {
    reports,
    host,
    abuseipdb: toAbuseIpdbSummary(abuse.status, reports),
    shodan: toShodanSummary(shodan.status, host),
  };
}

type OutcomeStatus = SourceResult<unknown>['status'];

function toAbuseIpdbSummary(asked: OutcomeStatus, found: AbuseIpdbRecord | null): z.output<typeof AbuseIpdbSummary> {
  return {
    status: asked,
    score: found?.score ?? null,
    total_reports: found?.total_reports ?? null,
    distinct_users: found?.distinct_users ?? null,
    last_reported_at: found?.last_reported_at ?? null,
    usage_type: found?.usage_type ?? null,
    isp: found?.isp ?? null,
    whitelisted: found?.whitelisted ?? null,
  };
}

function toShodanSummary(asked: OutcomeStatus, found: ShodanHost | null): z.output<typeof ShodanSummary> {
  return {
    status: asked === 'ok' && found === null ? 'no_data' : asked,
    org: found?.org ?? null,
    isp: found?.isp ?? null,
    os: found?.os ?? null,
    ports: found?.ports.slice(0, MAX_SHOWN_ITEMS) ?? null,
    vulns: found?.vulns.slice(0, MAX_SHOWN_ITEMS) ?? null,
    last_update: found?.last_update ?? null,
  };
}
