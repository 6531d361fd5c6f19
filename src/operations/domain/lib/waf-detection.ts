import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { findWaf } from '../../../analysis/tech/detect-technologies.ts';
import type { Context } from '../../../engine/context.ts';
import { detectSiteTechnologies } from '../../web/lib/detect-site-technologies.ts';
import { fetchSite } from '../../web/lib/fetch-site.ts';
import type { DnsRecords } from './look-up-dns-records.ts';

/** The web application firewall in front of a site. */
export const WafDetection = z.object({
  detected: z.boolean(),
  name: z.string().nullable(),
  evidence: ForeignText.nullable(),
});
export type WafDetection = z.output<typeof WafDetection>;
const NO_WEB_RESPONSE = { headers: {}, page: null };

/** From DNS and, unless `dnsOnly`, from the web server's answer. Null: the server gave no answer or its robots.txt forbids the request. */
export async function detectDomainWaf(
  context: Context,
  domain: string,
  records: Promise<DnsRecords>,
  dnsOnly: boolean,
): Promise<WafDetection | null> {
  const [outcome, { ns, mx, txt, cname }] = await Promise.all([dnsOnly ? null : fetchSite(context, domain), records]);
  const dns = { ns: ns ?? [], mx: mx?.map(({ exchange }) => exchange) ?? [], txt: txt ?? [], cname: cname ?? [] };
  const snapshot = outcome?.status === 'ok' ? outcome.found : null;
  const waf = findWaf(detectSiteTechnologies(snapshot ?? NO_WEB_RESPONSE, dns));
  if (waf === null && snapshot === null) return null;
  return { detected: waf !== null, name: waf?.name ?? null, evidence: waf?.evidence ?? null };
}
