import { z } from 'zod';
import { findBenignInfrastructure } from '../../analysis/indicators/benign-infrastructure.ts';
import { parseIndicator } from '../../analysis/indicators/parse-indicator.ts';
import { assessThreat, type Sighting, THREAT_LEVELS } from '../../analysis/indicators/threat-level.ts';
import { urlhausHost, urlhausUrl } from '../../sources/urlhaus.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { formatCount, summarise } from '../../engine/summary.ts';
import { MAX_INDICATOR_CHARS } from './ioc-lookup.ts';
import { ListingStatus, listingStatusOf } from './lib/listing-status.ts';

const PhishingUrl = identifierSchema({
  read(text) {
    const indicator = parseIndicator(text);
    return indicator?.type === 'url' && /^https?:/.test(indicator.value) ? indicator.value : null;
  },
  name: 'web address',
  accepted:
    'a URL that begins with http:// or https:// (or hxxp), without a login and not of a private address, as it is or percent-encoded whole',
  example: 'https://example.com/login',
  maxLength: MAX_INDICATOR_CHARS,
});

export const phishingCheck = defineOperation({
  id: 'phishing_check',
  area: 'indicators',
  title: 'Phishing and malware URL',
  description:
    'Whether URLhaus lists a URL, or other URLs of its host, for phishing or malware. The URL itself is not opened.',
  route: 'GET /v1/phishing/*url',
  input: z.strictObject({ url: PhishingUrl }),
  output: lookupOutputSchema('Phishing', {
    url: z.string(),
    host: z.string(),
    is_malicious: z
      .boolean()
      .nullable()
      .meta({ description: 'null: not known, URLhaus was not asked or did not answer.' }),
    urlhaus_host: z.object({
      status: ListingStatus,
      found: z.boolean().nullable(),
      urls_online: z.number().int().nullable(),
      url_count: z.number().int().nullable(),
    }),
    urlhaus_url: z.object({
      status: ListingStatus,
      found: z.boolean().nullable(),
      online: z.boolean().nullable(),
      threat: z.string().nullable(),
      tags: z.array(z.string()).nullable(),
    }),
    threat_level: z.enum(THREAT_LEVELS),
    threat_reasons: z.array(z.string()),
  }),
  cost: 1,
  examples: [{ title: 'A URL', input: { url: 'https://example.com/login' } }],
  tool: {
    description:
      'Is a link known to deliver malware or phishing, without opening it. Where it leads: redirect_chain. Other kinds of indicators: ioc_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['urlhaus_host', 'urlhaus_url'],
  async answer({ url }, context) {
    const indicator = parseIndicator(url);
    const host = indicator?.type === 'url' ? indicator.host : '';
    const [ofUrl, ofHost] = await Promise.all([context.ask(urlhausUrl, { url }), context.ask(urlhausHost, { host })]);
    const listed = ofUrl.status === 'ok' ? ofUrl.found : null;
    const hosting = ofHost.status === 'ok' ? ofHost.found : null;
    const sightings: Sighting[] = [];
    if (listed !== null) {
      sightings.push({
        source: 'URLhaus',
        description: `this URL, ${listed.threat ?? 'malicious'}${listed.online === true ? ', online now' : ''}`,
        weight: listed.online === true ? 95 : 75,
        lastSeen: listed.date_added,
        isCurrent: listed.online === true,
        isExactMatch: true,
      });
    }
    if (hosting !== null) {
      sightings.push({
        source: 'URLhaus',
        description: `${formatCount(hosting.url_count, 'URL')} at this host, ${hosting.urls_online} online`,
        weight: hosting.urls_online > 0 ? 70 : 45,
        lastSeen:
          hosting.urls
            .map(({ date_added }) => date_added ?? '')
            .sort()
            .at(-1) || hosting.first_seen,
        isCurrent: hosting.urls_online > 0,
        isExactMatch: false,
      });
    }
    const complete = ofUrl.status === 'ok' && ofHost.status === 'ok';
    const benign = findBenignInfrastructure(host);
    const { level, reasons } = assessThreat(sightings, { now: context.now, complete, benign });
    return {
      url,
      host,
      is_malicious:
        listed !== null ? true : complete ? hosting !== null && hosting.urls_online > 0 && benign === null : null,
      urlhaus_host: {
        status: listingStatusOf(ofHost),
        found: ofHost.status === 'ok' ? hosting !== null : null,
        urls_online: ofHost.status === 'ok' ? (hosting?.urls_online ?? 0) : null,
        url_count: ofHost.status === 'ok' ? (hosting?.url_count ?? 0) : null,
      },
      urlhaus_url: {
        status: listingStatusOf(ofUrl),
        found: ofUrl.status === 'ok' ? listed !== null : null,
        online: listed?.online ?? null,
        threat: listed?.threat ?? null,
        tags: ofUrl.status === 'ok' ? (listed?.tags ?? []) : null,
      },
      threat_level: level,
      threat_reasons: reasons,
      summary: summarise(
        sightings.length > 0
          ? `Threat level ${level}. ${reasons[0]}.`
          : complete
            ? 'URLhaus lists neither this URL nor its host, which does not make it harmless.'
            : 'Not known: URLhaus was not asked for lack of a key, or did not answer.',
      ),
    };
  },
  nextCalls: ({ url, host }) => [
    { tool: 'redirect_chain', input: url, reason: 'Where it leads.' },
    { tool: 'ioc_lookup', input: host, reason: 'What other lists say of its host.' },
  ],
});
