import { z } from 'zod';
import { findWaf } from '../../../analysis/tech/detect-technologies.ts';
import type { Context } from '../../../engine/context.ts';
import { detectSiteTechnologies } from '../../web/lib/detect-site-technologies.ts';
import { fetchSite } from '../../web/lib/fetch-site.ts';
import type { DnsRecords } from '../dns-lookup.ts';

/** What filters requests before the site sees them. */
export const WafDetection = z.object({
  detected: z.boolean(),
  name: z.string().nullable(),
  evidence: z.string().nullable(),
});
export type WafDetection = z.output<typeof WafDetection>;

const NO_WEB_RESPONSE = { headers: {}, page: null };

/** By the DNS and, unless `dnsAlone`, by the answer of the web server. Null: the server did not answer, or must not be asked. */
export async function detectDomainWaf(
  context: Context,
  domain: string,
  records: Promise<DnsRecords>,
  dnsAlone: boolean,
): Promise<WafDetection | null> {
  const [outcome, { ns, mx, txt, cname }] = await Promise.all([dnsAlone ? null : fetchSite(context, domain), records]);
  const dns = { ns: ns ?? [], mx: mx?.map(({ exchange }) => exchange) ?? [], txt: txt ?? [], cname: cname ?? [] };
  const look = outcome?.status === 'ok' ? outcome.found : null;
  const waf = findWaf(detectSiteTechnologies(look ?? NO_WEB_RESPONSE, dns));
  if (waf === null && look === null) return null;
  return { detected: waf !== null, name: waf?.name ?? null, evidence: waf?.evidence ?? null };
}
