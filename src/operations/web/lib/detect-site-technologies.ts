import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { registrableDomain, normalizeDnsName } from '../../../analysis/domain-name.ts';
import { type DetectedTechnology, detectTechnologies } from '../../../analysis/tech/detect-technologies.ts';
import type { TechnologyDnsFacts } from '../../../analysis/tech/url-signals.ts';
import { choosePurl } from '../../../analysis/tech/technology-purl.ts';
import type { SiteSnapshot } from '../../../sources/site/site.ts';
import type { Context } from '../../../engine/context.ts';
import { askDns } from '../../domain/lib/look-up-dns-records.ts';

const MAX_RECORDS = 100;

/** A technology as answers show it. */
export const TechnologyRow = z
  .object({
    name: z.string(),
    category: z.string(),
    source: z.string().meta({ description: 'What shows it.' }),
    version: ForeignText.nullable(),
    party: z.enum(['first', 'third']).meta({
      description: 'third: it only shows how another host is made that the page takes a file from.',
    }),
    confidence: z.number().meta({ description: '0-1.' }),
    cpe: z.object({ vendor: z.string(), product: z.string() }).nullable(),
    purl: ForeignText.nullable().meta({ description: 'Its package, where one is known.' }),
  })
  .meta({ id: 'Technology' });

/** Technologies detected in a site snapshot and its DNS records (null: not asked), most certain first. */
export function detectSiteTechnologies(
  { headers, page }: Pick<SiteSnapshot, 'headers' | 'page'>,
  dns: TechnologyDnsFacts | null,
): DetectedTechnology[] {
  return detectTechnologies({ headers, cookies: cookieNames(headers), page, dns });
}

/** Technologies detected in a site snapshot and in the DNS of its domain, which is asked here. */
export async function lookUpSiteTechnologies(
  context: Context,
  domain: string,
  snapshot: SiteSnapshot,
): Promise<DetectedTechnology[]> {
  return detectSiteTechnologies(snapshot, await lookUpDnsFacts(context, domain, snapshot));
}

/** DNS records that reveal services of a domain; types without an answer are empty. */
async function lookUpDnsFacts(
  context: Context,
  domain: string,
  { url }: Pick<SiteSnapshot, 'url'>,
): Promise<TechnologyDnsFacts> {
  const [ns, mx, txt, alias] = await Promise.all([
    askDns(context, registrableDomain(domain) ?? domain, 'NS'),
    askDns(context, domain, 'MX'),
    askDns(context, domain, 'TXT'),
    askDns(context, new URL(url).hostname, 'A'),
  ]);
  const texts = (answer: typeof ns): string[] =>
    (answer?.records ?? []).slice(0, MAX_RECORDS).flatMap(({ data }) => (typeof data === 'string' ? [data] : []));
  const exchanges = (mx?.records ?? []).slice(0, MAX_RECORDS).flatMap(({ data }) => {
    const { exchange } = (data ?? {}) as { exchange?: unknown };
    return typeof exchange === 'string' ? [exchange] : [];
  });
  return {
    ns: texts(ns).map(normalizeDnsName),
    mx: exchanges.map(normalizeDnsName),
    txt: texts(txt),
    cname: [...(alias?.aliases ?? [])].slice(0, MAX_RECORDS).map(normalizeDnsName),
  };
}

/** The rows of an answer, and the categories among them. */
export function presentTechnologies(found: readonly DetectedTechnology[], { catalog }: Pick<Context, 'catalog'>) {
  return {
    technologies: found.map(({ waf: _, ...row }) => ({
      ...row,
      purl: row.cpe === null ? null : choosePurl(catalog.purlsOf(row.cpe), row),
    })),
    categories: [...new Set(found.map(({ category }) => category))].sort(),
    count: found.length,
  };
}

/** The name before the first `=` of each cookie (RFC 6265, 5.2). */
function cookieNames(headers: SiteSnapshot['headers']): string[] {
  return (headers['set-cookie'] ?? []).map((line) => line.slice(0, 200).split('=', 1)[0]!.trim());
}
