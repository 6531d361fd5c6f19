import { z } from 'zod';
import {
  type BenignInfrastructure,
  findBenignInfrastructure,
} from '../../../analysis/indicators/benign-infrastructure.ts';
import { type Indicator, parseIndicator } from '../../../analysis/indicators/parse-indicator.ts';
import { assessThreat, type Sighting, type ThreatAssessment } from '../../../analysis/indicators/threat-level.ts';
import type { Warning } from '../../../analysis/indicators/warning-list.ts';
import type { Context } from '../../../engine/context.ts';
import {
  MAX_SHOWN_LISTINGS,
  MAX_SIGHTINGS_PER_SOURCE,
  SourceFinding,
  type FindingWithSightings,
  findingWithoutAnswer,
  NOT_APPLICABLE,
  NOT_LISTED,
} from './source-finding.ts';
import { askThreatfox, askUrlhaus, askMalwarebazaar } from './ask-threat-sources.ts';

export const IocSources = z.object({
  threatfox: SourceFinding,
  feodo: SourceFinding,
  urlhaus: SourceFinding,
  malwarebazaar: SourceFinding,
  firehol: SourceFinding,
  tor: SourceFinding,
});

export interface IndicatorResult extends ThreatAssessment {
  sources: z.output<typeof IocSources>;
  benign: BenignInfrastructure | null;
  /** The warning lists that it is in; null: they were never synced. */
  warnings: Warning[] | null;
  sightings: Sighting[];
  /** Whether all applicable sources answered. */
  complete: boolean;
}

/** Asks all applicable sources and derives the threat level. */
export async function lookUpIndicator(context: Context, indicator: Indicator): Promise<IndicatorResult> {
  const host = indicator.type === 'url' ? indicator.host : indicator.value;
  const [threatfoxFinding, urlhausFinding, malwarebazaarFinding] = await Promise.all([
    askThreatfox(context, indicator),
    askUrlhaus(context, indicator),
    askMalwarebazaar(context, indicator),
  ]);
  const { feodo, firehol, tor } = lookUpIpLists(context, indicator.type === 'hash' ? null : parseIndicator(host));
  const findings = {
    threatfox: threatfoxFinding,
    feodo,
    urlhaus: urlhausFinding,
    malwarebazaar: malwarebazaarFinding,
    firehol,
    tor,
  };
  const benign = indicator.type === 'hash' ? null : findBenignInfrastructure(host);
  const warnings = context.catalog.warningsAbout(indicator);
  const all = Object.values(findings);
  const sightings = all.flatMap((each) => each.sightings);
  const complete = all.every(({ finding }) => ['listed', 'not_listed', 'not_applicable'].includes(finding.status));
  return {
    ...assessThreat(sightings, { now: context.now, complete, benign, warnings: warnings ?? [] }),
    warnings,
    sightings,
    complete,
    sources: Object.fromEntries(
      Object.entries(findings).map(([id, { finding }]) => [id, finding]),
    ) as IndicatorResult['sources'],
    benign,
  };
}

const IP_LISTS = ['feodo', 'firehol', 'tor'] as const;

/** The synced lists, which hold only IP addresses. */
export function lookUpIpLists(
  context: Context,
  host: Indicator | null,
): Record<(typeof IP_LISTS)[number], FindingWithSightings> {
  if (host?.type !== 'ip') return { feodo: NOT_APPLICABLE, firehol: NOT_APPLICABLE, tor: NOT_APPLICABLE };
  const rows = context.catalog.networksContaining(host.value, IP_LISTS);
  const listFinding = (list: (typeof IP_LISTS)[number], sightings: Sighting[]): FindingWithSightings => {
    const found = rows[list];
    if (found === null) return findingWithoutAnswer('not_synced');
    if (found.length === 0) return NOT_LISTED;
    const listings = found.slice(0, MAX_SHOWN_LISTINGS).map(({ server }) => ({
      threat: server === null ? null : 'botnet_cc',
      malware: server?.malware ?? null,
      confidence: null,
      online: server?.online ?? null,
      first_seen: server?.first_seen ?? null,
      last_seen: server?.last_online ?? null,
      tags: [],
      reference: null,
    }));
    return { finding: { status: 'listed', count: found.length, listings }, sightings };
  };
  const presenceSighting = { lastSeen: null, isCurrent: true, isExactMatch: false };
  return {
    feodo: listFinding(
      'feodo',
      (rows.feodo ?? []).slice(0, MAX_SIGHTINGS_PER_SOURCE).map(({ server }) => ({
        source: 'Feodo Tracker',
        description: `botnet command and control of ${server?.malware ?? 'unnamed malware'}${server?.online === true ? ', online now' : ''}`,
        weight: server?.online === true ? 95 : 80,
        lastSeen: server?.last_online ?? server?.first_seen ?? null,
        isCurrent: server?.online === true,
        isExactMatch: false,
      })),
    ),
    firehol: listFinding('firehol', [
      {
        ...presenceSighting,
        source: 'FireHOL level 1',
        description: `in ${rows.firehol?.[0]?.cidr ?? 'it'}`,
        weight: 45,
      },
    ]),
    tor: listFinding('tor', [
      { ...presenceSighting, source: 'Tor', description: 'an exit: many people act through it', weight: 15 },
    ]),
  };
}

export const KnownBenign = z
  .object({ kind: z.enum(['public_resolver', 'cdn', 'os_updates', 'shared_hosting']), name: z.string() })
  .nullable()
  .meta({ description: 'Well-known infrastructure; entries about it are often false alarms and count less.' });
