import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { urlhausHost } from '../../../sources/urlhaus.ts';
import type { Context } from '../../../engine/context.ts';
import { ListingStatus, listingStatusOf } from '../../indicators/lib/listing-status.ts';

const MAX_SHOWN_URLS = 25;

export const threatFields = {
  urlhaus_status: ListingStatus,
  urls_online: z.number().int().nullable(),
  url_count: z.number().int().nullable(),
  threat_types: z.array(ForeignText).nullable(),
  tags: z.array(ForeignText).nullable(),
  urls: z
    .array(
      z.object({
        url: ForeignText,
        online: z.boolean().nullable(),
        date_added: z.string().nullable(),
        threat: ForeignText.nullable(),
        tags: z.array(ForeignText),
      }),
    )
    .nullable()
    .meta({ description: `The latest, at most ${MAX_SHOWN_URLS}. They are live malware: do not open them.` }),
  first_seen: z.string().nullable(),
};

const ThreatRecord = z.object(threatFields);
export type DomainThreat = z.output<typeof ThreatRecord>;

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
