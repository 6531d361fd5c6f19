import { z } from 'zod';
import {
  type BenignInfrastructure,
  findBenignInfrastructure,
} from '../../../analysis/indicators/benign-infrastructure.ts';
import { type Indicator, parseIndicator } from '../../../analysis/indicators/parse-indicator.ts';
import { assessThreat, type Sighting, type ThreatAssessment } from '../../../analysis/indicators/threat-level.ts';
import { malwarebazaar } from '../../../sources/malwarebazaar.ts';
import type { SourceResult } from '../../../sources/source.ts';
import { type ThreatFoxIndicator, threatfox } from '../../../sources/threatfox.ts';
import { type MalwareUrl, urlhausHost, urlhausUrl } from '../../../sources/urlhaus.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';

const MAX_SHOWN_LISTINGS = 5;

const MAX_SIGHTINGS_PER_SOURCE = 3;

const Listing = z.object({
  threat: z.string().nullable(),
  malware: z.string().nullable(),
  confidence: z.number().nullable(),
  online: z.boolean().nullable(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  tags: z.array(z.string()),
  reference: z.string().nullable(),
});

type Listing = z.output<typeof Listing>;

/** Finding of one source. `count`: all its entries; `listings`: the latest of them. */
export const SourceFinding = z
  .object({
    status: z.enum(['listed', 'not_listed', 'not_applicable', 'not_configured', 'not_synced', 'unavailable']),
    count: z.number().int().nullable(),
    listings: z.array(Listing).nullable(),
  })
  .meta({ id: 'SourceFinding' });

export type SourceFinding = z.output<typeof SourceFinding>;

/** A finding and the sightings (arguments for the threat level) that follow from it. */
type FindingWithSightings = { finding: SourceFinding; sightings: Sighting[] };

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
  const all = Object.values(findings);
  const sightings = all.flatMap((each) => each.sightings);
  const complete = all.every(({ finding }) => ['listed', 'not_listed', 'not_applicable'].includes(finding.status));
  return {
    ...assessThreat(sightings, { now: context.now, complete, benign }),
    sightings,
    complete,
    sources: Object.fromEntries(
      Object.entries(findings).map(([id, { finding }]) => [id, finding]),
    ) as IndicatorResult['sources'],
    benign,
  };
}

/** A finding without an answer: no count, no listings. */
function findingWithoutAnswer(status: SourceFinding['status']): FindingWithSightings {
  return { finding: { status, count: null, listings: null }, sightings: [] };
}

const NOT_APPLICABLE: FindingWithSightings = {
  finding: { status: 'not_applicable', count: null, listings: [] },
  sightings: [],
};

const NOT_LISTED: FindingWithSightings = { finding: { status: 'not_listed', count: 0, listings: [] }, sightings: [] };

function toFinding<Found>(
  outcome: SourceResult<Found>,
  read: (found: Found) => FindingWithSightings,
): FindingWithSightings {
  return outcome.status === 'ok' ? read(outcome.found) : findingWithoutAnswer(outcome.status);
}

async function askThreatfox(context: Context, indicator: Indicator): Promise<FindingWithSightings> {
  // ThreatFox stores bare hosts without a trailing slash and searches by substring, so results are filtered by isEntryAbout.
  const search = indicator.type === 'url' ? indicator.value.replace(/^(\w+:\/\/[^/]+)\/$/, '$1') : indicator.value;
  return toFinding(await context.ask(threatfox, { search }), (threats) => {
    const matchingEntries = threats
      .filter(({ ioc }) => isEntryAbout(ioc, indicator))
      .sort((a, b) => (lastSeenOf(a) > lastSeenOf(b) ? -1 : 1));
    if (matchingEntries.length === 0) return NOT_LISTED;
    const listings = matchingEntries.slice(0, MAX_SHOWN_LISTINGS).map((threat) => ({
      threat: threat.threat_type,
      malware: threat.malware,
      confidence: threat.confidence,
      online: null,
      first_seen: threat.first_seen,
      last_seen: threat.last_seen,
      tags: threat.tags,
      reference: threat.reference,
    }));
    const sightings = matchingEntries.slice(0, MAX_SIGHTINGS_PER_SOURCE).map((threat): Sighting => {
      const { threat_type, malware, confidence } = threat;
      return {
        source: 'ThreatFox',
        description: `${threat_type ?? 'threat'}${malware === null ? '' : ` of ${malware}`}, confidence ${confidence ?? 'not given'}`,
        weight: confidence ?? 50,
        lastSeen: lastSeenOf(threat) || null,
        isCurrent: indicator.type === 'hash',
        isExactMatch: indicator.type === 'url',
      };
    });
    return { finding: { status: 'listed', count: matchingEntries.length, listings }, sightings };
  });
}

function lastSeenOf({ last_seen, first_seen }: ThreatFoxIndicator): string {
  return last_seen ?? first_seen ?? '';
}

/** Whether the entry is this indicator, or a URL at this host. */
function isEntryAbout(ioc: string, indicator: Indicator): boolean {
  const entry = parseIndicator(ioc);
  if (entry === null) return false;
  if (entry.type === indicator.type) return entry.value === indicator.value;
  return entry.type === 'url' && indicator.type !== 'hash' && entry.host === indicator.value;
}

async function askUrlhaus(context: Context, indicator: Indicator): Promise<FindingWithSightings> {
  if (indicator.type === 'hash') return NOT_APPLICABLE;
  if (indicator.type === 'url') {
    return toFinding(await context.ask(urlhausUrl, { url: indicator.value }), (found) =>
      found === null
        ? NOT_LISTED
        : {
            finding: { status: 'listed', count: 1, listings: [toListing(found)] },
            sightings: [toSighting([found], 'this URL', true)],
          },
    );
  }
  return toFinding(await context.ask(urlhausHost, { host: indicator.value }), (found) =>
    found === null
      ? NOT_LISTED
      : {
          finding: {
            status: 'listed',
            count: found.url_count,
            listings: found.urls.slice(0, MAX_SHOWN_LISTINGS).map(toListing),
          },
          sightings: [toSighting(found.urls, `${formatCount(found.url_count, 'URL')} at this host`, false)],
        },
  );
}

function toListing({ threat, online, date_added, tags, reference }: MalwareUrl): Listing {
  return { threat, malware: null, confidence: null, online, first_seen: date_added, last_seen: null, tags, reference };
}

function toSighting(urls: readonly MalwareUrl[], what: string, exact: boolean): Sighting {
  const current = urls.some(({ online }) => online === true);
  const added = urls.map(({ date_added }) => date_added ?? '').sort();
  return {
    source: 'URLhaus',
    description: `${what} delivered malware${current ? ', online now' : ''}`,
    weight: current ? 90 : 65,
    lastSeen: added.at(-1) || null,
    isCurrent: current,
    isExactMatch: exact,
  };
}

async function askMalwarebazaar(context: Context, indicator: Indicator): Promise<FindingWithSightings> {
  if (indicator.type !== 'hash') return NOT_APPLICABLE;
  return toFinding(await context.ask(malwarebazaar, { hash: indicator.value }), (found) => {
    if (found === null) return NOT_LISTED;
    const { malware, first_seen, last_seen, tags, sha256 } = found;
    const reference = `https://bazaar.abuse.ch/sample/${sha256}/`;
    return {
      finding: {
        status: 'listed',
        count: 1,
        listings: [
          { threat: 'payload', malware, confidence: null, online: null, first_seen, last_seen, tags, reference },
        ],
      },
      sightings: [
        {
          source: 'MalwareBazaar',
          description: `a malware sample${malware === null ? '' : ` of ${malware}`}`,
          weight: 95,
          lastSeen: last_seen ?? first_seen,
          isCurrent: true,
          isExactMatch: true,
        },
      ],
    };
  });
}

const IP_LISTS = ['feodo', 'firehol', 'tor'] as const;

/** The synced lists, which hold only IP addresses. */
function lookUpIpLists(
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
      { ...presenceSighting, source: 'Tor', description: 'an exit: anybody may act through it', weight: 15 },
    ]),
  };
}

export const KnownBenign = z
  .object({ kind: z.enum(['public_resolver', 'cdn', 'os_updates', 'shared_hosting']), name: z.string() })
  .nullable()
  .meta({ description: 'Well-known infrastructure; entries about it are often false alarms and count less.' });
