import { findBenignInfrastructure } from '../../../analysis/indicators/benign-infrastructure.ts';
import { addressRiskLabel, assessAddressRisk } from '../../../analysis/indicators/address-risk.ts';
import { assessThreat, type Sighting } from '../../../analysis/indicators/threat-level.ts';
import type { Warning } from '../../../analysis/indicators/warning-list.ts';
import type { NetworkHit } from '../../../catalog/networks.ts';
import type { AbuseIpdbRecord } from '../../../sources/abuseipdb.ts';
import { internetdb } from '../../../sources/shodan-internetdb.ts';
import type { Context } from '../../../engine/context.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import type { RiskFactor } from '../../../analysis/risk-factor.ts';
import { lookUpIpLists } from '../../indicators/lib/look-up-indicator.ts';
import { toAbuseSightings } from './abuse-sightings.ts';
import { ExposureRecord, toExposureRecord } from './exposure.ts';

const REPUTATION_LISTS = ['tor', 'firehol', 'feodo', 'cloud'] as const;

/** The synced lists that hold an address; null: that list has not been synced. */
export interface ListMembership {
  tor: boolean | null;
  firehol: boolean | null;
  feodo: boolean | null;
  /** The most specific cloud range that holds it. */
  cloud: NetworkHit | null;
  country: string | null;
  /** What the lists of threats say of it. */
  sightings: readonly Sighting[];
  /** Why what they say may be a mistake. */
  warnings: readonly Warning[];
}

/** What is known of an address from sources without a key; the address itself is not contacted. */
export interface IpReputation {
  exposure: ExposureRecord;
  lists: ListMembership;
  /** Null: no source answered. */
  risk_score: number | null;
  severity_label: ReturnType<typeof addressRiskLabel>;
  risk_factors: RiskFactor[];
}

/** Exposure by InternetDB, the synced lists, and the risk that follows from both. */
export async function lookUpIpReputation(context: Context, ip: string): Promise<IpReputation> {
  const lists = lookUpListMembership(context, ip);
  const outcome = await context.ask(internetdb, ip);
  const exposure = toExposureRecord(context, outcome);
  return { exposure, lists, ...assessIpRisk(context, ip, exposure, lists, null) };
}

/** Looks the address up in the synced lists. */
export function lookUpListMembership(context: Context, ip: string): ListMembership {
  const rows = context.catalog.networksContaining(ip, REPUTATION_LISTS);
  const findings = Object.values(lookUpIpLists(context, { type: 'ip', value: ip }));
  const holds = (list: readonly NetworkHit[] | null): boolean | null => list && list.length > 0;
  return {
    tor: holds(rows.tor),
    firehol: holds(rows.firehol),
    feodo: holds(rows.feodo),
    cloud: mostSpecificCloudRow(rows.cloud ?? []),
    country: [...(rows.feodo ?? []), ...(rows.cloud ?? [])].find(({ country }) => country !== null)?.country ?? null,
    sightings: findings.flatMap(({ sightings }) => sightings),
    warnings: context.catalog.warningsAbout({ type: 'ip', value: ip }) ?? [],
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

/** Risk score and its factors. The score is null where no source answered, or where nothing was found and not all of them did. */
export function assessIpRisk(
  { now }: Pick<Context, 'now'>,
  ip: string,
  { vulns, ports, tags }: ExposureRecord,
  { firehol, feodo, sightings, warnings }: ListMembership,
  abuse: AbuseIpdbRecord | null,
): Pick<IpReputation, 'risk_score' | 'severity_label' | 'risk_factors'> {
  const isComplete = vulns !== null && firehol !== null && feodo !== null;
  const threat = assessThreat([...sightings, ...toAbuseSightings(abuse)], {
    now,
    complete: isComplete,
    benign: findBenignInfrastructure(ip),
    warnings,
  });
  const { score, factors } = assessAddressRisk({
    worstSeverity: SEVERITIES.find((each) => vulns?.some(({ severity }) => severity === each)) ?? null,
    unratedCount: vulns?.filter(({ severity }) => severity === 'UNKNOWN').length ?? 0,
    exploitedCount: vulns?.filter(({ in_kev }) => in_kev === true).length ?? 0,
    ports: ports ?? [],
    tags: tags ?? [],
    threat,
  });
  const risk_score = isComplete || score > 0 ? score : null;
  return { risk_score, severity_label: addressRiskLabel(risk_score, threat.level), risk_factors: factors };
}
