import { z } from 'zod';
import { findWaf } from '../../../analysis/tech/detect-technologies.ts';
import type { Context } from '../../../engine/context.ts';
import { detectSite } from '../../web/lib/detect-site.ts';
import { trySite } from '../../web/lib/look-at-site.ts';
import type { DnsRecords } from '../dns-lookup.ts';

/** What filters requests before the site sees them. */
export const Waf = z.object({
  detected: z.boolean(),
  name: z.string().nullable(),
  evidence: z.string().nullable(),
});
export type Waf = z.output<typeof Waf>;

const NOTHING = { headers: {}, page: null };

/** By the DNS and, unless `dnsAlone`, by the answer of the web server. Null: the server did not answer, or must not be asked. */
export async function wafOfDomain(
  context: Context,
  domain: string,
  records: Promise<DnsRecords>,
  dnsAlone: boolean,
): Promise<Waf | null> {
  const [outcome, { ns, mx, txt, cname }] = await Promise.all([dnsAlone ? null : trySite(context, domain), records]);
  const dns = { ns: ns ?? [], mx: mx?.map(({ exchange }) => exchange) ?? [], txt: txt ?? [], cname: cname ?? [] };
  const look = outcome?.status === 'ok' ? outcome.found : null;
  const waf = findWaf(detectSite(look ?? NOTHING, dns));
  if (waf === null && look === null) return null;
  return { detected: waf !== null, name: waf?.name ?? null, evidence: waf?.evidence ?? null };
}
