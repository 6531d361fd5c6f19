import { z } from 'zod';
import { nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import { urlhausHost } from '../../sources/urlhaus.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, summarise } from '../../engine/summary.ts';
import { nxdomainError } from '../../engine/require-answer.ts';
import { ListingStatus, listingStatusOf } from '../indicators/lib/listing-status.ts';

const MAX_SHOWN_URLS = 25;

export const threatFields = {
  urlhaus_status: ListingStatus,
  urls_online: z.number().int().nullable(),
  url_count: z.number().int().nullable(),
  threat_types: z.array(z.string()).nullable(),
  tags: z.array(z.string()).nullable(),
  urls: z
    .array(
      z.object({
        url: z.string(),
        online: z.boolean().nullable(),
        date_added: z.string().nullable(),
        threat: z.string().nullable(),
        tags: z.array(z.string()),
      }),
    )
    .nullable()
    .meta({ description: `The latest, at most ${MAX_SHOWN_URLS}. They are live malware: do not open them.` }),
  first_seen: z.string().nullable(),
};
const ThreatRecord = z.object(threatFields);
export type DomainThreat = z.output<typeof ThreatRecord>;

export const threatIntel = defineOperation({
  id: 'threat_intel',
  area: 'domain',
  title: 'Malware at a domain',
  description:
    'URLs at a domain that URLhaus knows for delivering malware. A name that is gone is told of all the same.',
  route: 'GET /v1/threat/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('DomainThreat', { domain: z.string(), ...threatFields }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Which malware URLs a domain is known for, and how many are online. One URL: phishing_check; other lists too: ioc_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['url_count', 'urls'],
  async answer({ domain }, context) {
    const [threat, inDns] = await Promise.all([
      lookUpDomainThreat(context, domain),
      context.ask(dns, { name: domain, type: 'A' }),
    ]);
    const isMissing = inDns.status === 'ok' && !nameExists(inDns.found);
    if (threat.urlhaus_status !== 'listed' && isMissing) throw nxdomainError(domain);
    return { domain, ...threat, summary: summarise(`${domain}: ${describeThreat(threat)}`) };
  },
  nextCalls: ({ domain, urlhaus_status }) => [
    { tool: 'ioc_lookup', input: domain, reason: 'Whether other lists name it.' },
    ...(urlhaus_status === 'listed'
      ? [{ tool: 'domain_report', input: domain, reason: 'Who stands behind the name.' }]
      : []),
  ],
});

/** The URLhaus entry of a host name; null fields where it was not asked or did not answer. */
export async function lookUpDomainThreat(context: Context, domain: string): Promise<DomainThreat> {
  const outcome = await context.ask(urlhausHost, { host: domain });
  if (outcome.status !== 'ok') {
    const unknown = { urls_online: null, url_count: null, threat_types: null, tags: null, urls: null };
    return { urlhaus_status: listingStatusOf(outcome), ...unknown, first_seen: null };
  }
  const { found } = outcome;
  const urls = found?.urls ?? [];
  return {
    urlhaus_status: listingStatusOf(outcome),
    urls_online: found?.urls_online ?? 0,
    url_count: found?.url_count ?? 0,
    threat_types: [...new Set(urls.map(({ threat }) => threat).filter((threat) => threat !== null))],
    tags: [...new Set(urls.flatMap(({ tags }) => tags))],
    urls: urls.slice(0, MAX_SHOWN_URLS).map(({ reference: _, ...url }) => url),
    first_seen: found?.first_seen ?? null,
  };
}

function describeThreat({ urlhaus_status, url_count, urls_online, threat_types, tags }: DomainThreat): string {
  switch (urlhaus_status) {
    case 'listed': {
      const named = [...(threat_types ?? []), ...(tags ?? [])].slice(0, 6).join(', ');
      return `URLhaus knows ${formatCount(url_count ?? 0, 'malware URL')} there, ${urls_online} of the latest online${named === '' ? '' : ` (${named})`}.`;
    }
    case 'not_listed':
      return 'URLhaus does not list it.';
    case 'not_configured':
      return 'not known: URLhaus needs a key, and none is configured.';
    default:
      return 'not known: URLhaus did not answer.';
  }
}
