import { z } from 'zod';
import { selectSeverity } from '../../../analysis/cve/select-severity.ts';
import { addressRiskLabel, assessAddressRisk } from '../../../analysis/indicators/address-risk.ts';
import type { NetworkHit } from '../../../catalog/networks.ts';
import { type AbuseIpdbRecord, abuseipdb } from '../../../sources/abuseipdb.ts';
import { type HostExposure, internetdb } from '../../../sources/shodan-internetdb.ts';
import { type ShodanHost, shodanHost } from '../../../sources/shodan-host-api.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { isFeedMissing } from '../../../engine/not-found-error.ts';
import { compareSeverity, CVE_SEVERITIES } from '../../../analysis/severity.ts';
import type { RiskFactor } from '../../../analysis/risk-factor.ts';

const MAX_SHOWN_ITEMS = 100;
const MAX_RATED_VULNS = 250;
const REPUTATION_LISTS = ['tor', 'firehol', 'feodo', 'cloud'] as const;

/** Null: not known, because InternetDB did not answer. */
export const exposureFields = {
  ports: z.array(z.number().int()).nullable(),
  hostnames: z.array(z.string()).nullable(),
  vulns: z
    .array(
      z.object({
        cve_id: z.string(),
        severity: z.enum([...CVE_SEVERITIES, 'UNKNOWN']),
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

/** A source that needs a key, as far as it told. */
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

/** What lists and clouds say of an address; null: that list has not been synced. */
export interface ListMembership {
  tor: boolean | null;
  firehol: boolean | null;
  feodo: boolean | null;
  /** The narrowest range of a cloud. */
  cloud: NetworkHit | null;
  country: string | null;
}

/** What is known of an address without a key and without asking itself. */
export interface IpReputation {
  exposure: ExposureRecord;
  lists: ListMembership;
  /** Null where nothing could be learned. */
  risk_score: number | null;
  severity_label: ReturnType<typeof addressRiskLabel>;
  risk_factors: RiskFactor[];
}

/** InternetDB and the synced lists, side by side: the light look at an address. */
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

/** Of the narrowest network the row that says most: Azure's lists have each range under a name for all of it, too. */
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
  const joined = vulns.slice(0, MAX_RATED_VULNS).map((id) => rateVuln(context, id));
  return {
    // All of them: each counts for the risk.
    ports,
    hostnames: hostnames.slice(0, MAX_SHOWN_ITEMS),
    vulns: joined.sort(compareVulns).slice(0, MAX_SHOWN_ITEMS),
    total_vulns: vulns.length,
    cpes: cpes.slice(0, MAX_SHOWN_ITEMS),
    tags: tags.slice(0, MAX_SHOWN_ITEMS),
  };
}

/** What is longer than the answer shows is a gap of it. */
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

function compareVulns(one: RatedVuln, other: RatedVuln): number {
  return (
    Number(other.in_kev ?? false) - Number(one.in_kev ?? false) ||
    compareSeverity(one.severity, other.severity) ||
    (other.cvss_v3 ?? 0) - (one.cvss_v3 ?? 0) ||
    (one.cve_id < other.cve_id ? -1 : 1)
  );
}

/** The sum of what speaks against an address. Where neither a scan nor a list told anything there is no score. */
export function assessIpRisk(
  { vulns, ports, tags }: ExposureRecord,
  { tor, firehol, feodo }: ListMembership,
  abuse: AbuseIpdbRecord | null,
): Pick<IpReputation, 'risk_score' | 'severity_label' | 'risk_factors'> {
  const told = vulns !== null || tor !== null || firehol !== null || feodo !== null || abuse !== null;
  const { score, factors } = assessAddressRisk({
    worstSeverity: CVE_SEVERITIES.find((each) => vulns?.some(({ severity }) => severity === each)) ?? null,
    unratedCount: vulns?.filter(({ severity }) => severity === 'UNKNOWN').length ?? 0,
    exploitedCount: vulns?.filter(({ in_kev }) => in_kev === true).length ?? 0,
    ports: ports ?? [],
    tags: tags ?? [],
    botnet: feodo === true,
    blocklisted: firehol === true,
    torExit: tor === true || abuse?.tor === true,
    abuseScore: abuse?.score ?? null,
  });
  const risk_score = told ? score : null;
  return { risk_score, severity_label: addressRiskLabel(risk_score), risk_factors: factors };
}

/** AbuseIPDB and Shodan, as far as there are keys for them. */
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
