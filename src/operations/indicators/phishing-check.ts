import { z } from 'zod';
import { findBenignInfrastructure } from '../../analysis/indicators/benign-infrastructure.ts';
import { parseIndicator } from '../../analysis/indicators/parse-indicator.ts';
import { assessThreat, type Sighting, THREAT_LEVELS } from '../../analysis/indicators/threat-level.ts';
import { urlhausHost, urlhausUrl } from '../../sources/urlhaus.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { MAX_INDICATOR_CHARS } from './ioc-lookup.ts';
import { toWarningLists, WarningLists } from './lib/threat-confidence.ts';
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
    is_stale: z
      .boolean()
      .nullable()
      .meta({ description: 'URLhaus lists the URL or its host, and nothing of it is online now; null: not known.' }),
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
      threat: ForeignText.nullable(),
      tags: z.array(ForeignText).nullable(),
    }),
    threat_level: z.enum(THREAT_LEVELS),
    threat_reasons: z.array(ForeignText),
    warning_lists: WarningLists,
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
    const [urlResult, hostResult] = await Promise.all([
      context.ask(urlhausUrl, { url }),
      context.ask(urlhausHost, { host }),
    ]);
    const urlEntry = urlResult.status === 'ok' ? urlResult.found : null;
    const hostEntry = hostResult.status === 'ok' ? hostResult.found : null;
    const sightings: Sighting[] = [];
    if (urlEntry !== null) {
      sightings.push({
        source: 'URLhaus',
        description: `this URL, ${urlEntry.threat ?? 'malicious'}${urlEntry.online === true ? ', online now' : ''}`,
        weight: urlEntry.online === true ? 95 : 75,
        lastSeen: urlEntry.date_added,
        isCurrent: urlEntry.online === true,
        isExactMatch: true,
      });
    }
    if (hostEntry !== null) {
      sightings.push({
        source: 'URLhaus',
        description: `${formatCount(hostEntry.url_count, 'URL')} at this host, ${hostEntry.urls_online} online`,
        weight: hostEntry.urls_online > 0 ? 70 : 45,
        lastSeen:
          hostEntry.urls
            .map(({ date_added }) => date_added ?? '')
            .sort()
            .at(-1) || hostEntry.first_seen,
        isCurrent: hostEntry.urls_online > 0,
        isExactMatch: false,
      });
    }
    const complete = urlResult.status === 'ok' && hostResult.status === 'ok';
    const benign = findBenignInfrastructure(host);
    const warnings = indicator === null ? [] : context.catalog.warningsAbout(indicator);
    const { level, reasons } = assessThreat(sightings, {
      now: context.now,
      complete,
      benign,
      warnings: warnings ?? [],
    });
    return {
      url,
      host,
      is_malicious:
        urlEntry !== null ? true : complete ? hostEntry !== null && hostEntry.urls_online > 0 && benign === null : null,
      is_stale:
        sightings.length > 0
          ? sightings.every(({ isCurrent }) => !isCurrent) && (complete ? true : null)
          : complete
            ? false
            : null,
      urlhaus_host: {
        status: listingStatusOf(hostResult),
        found: hostResult.status === 'ok' ? hostEntry !== null : null,
        urls_online: hostResult.status === 'ok' ? (hostEntry?.urls_online ?? 0) : null,
        url_count: hostResult.status === 'ok' ? (hostEntry?.url_count ?? 0) : null,
      },
      urlhaus_url: {
        status: listingStatusOf(urlResult),
        found: urlResult.status === 'ok' ? urlEntry !== null : null,
        online: urlEntry?.online ?? null,
        threat: urlEntry?.threat ?? null,
        tags: urlResult.status === 'ok' ? (urlEntry?.tags ?? []) : null,
      },
      threat_level: level,
      threat_reasons: reasons,
      warning_lists: toWarningLists(warnings),
      summary: joinSummary(
        sightings.length > 0
          ? `Threat level ${level}. ${reasons[0]}.`
          : complete
            ? 'URLhaus lists neither this URL nor its host, which does not make it harmless.'
            : 'Not known: URLhaus has no key configured, or did not answer.',
      ),
    };
  },
  nextCalls: ({ url, host }) => [
    { tool: 'redirect_chain', input: url, reason: 'Where it leads.' },
    { tool: 'ioc_lookup', input: host, reason: 'What other lists say of its host.' },
  ],
});
