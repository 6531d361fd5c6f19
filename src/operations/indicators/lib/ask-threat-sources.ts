import { type Indicator, parseIndicator } from '../../../analysis/indicators/parse-indicator.ts';
import type { Sighting } from '../../../analysis/indicators/threat-level.ts';
import { malwarebazaar } from '../../../sources/malwarebazaar.ts';
import { type ThreatFoxIndicator, threatfox } from '../../../sources/threatfox.ts';
import { type MalwareUrl, urlhausHost, urlhausUrl } from '../../../sources/urlhaus.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';
import {
  MAX_SHOWN_LISTINGS,
  MAX_SIGHTINGS_PER_SOURCE,
  Listing,
  type FindingWithSightings,
  NOT_APPLICABLE,
  NOT_LISTED,
  toFinding,
} from './source-finding.ts';

/** Entries of ThreatFox about the indicator, or about URLs at the host. */
export async function askThreatfox(context: Context, indicator: Indicator): Promise<FindingWithSightings> {
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

/** Entries of URLhaus about the URL or host; not applicable to hashes. */
export async function askUrlhaus(context: Context, indicator: Indicator): Promise<FindingWithSightings> {
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

/** The sample of MalwareBazaar with this hash; not applicable to other indicators. */
export async function askMalwarebazaar(context: Context, indicator: Indicator): Promise<FindingWithSightings> {
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
