import { registrableDomain } from '../../../analysis/domain-name.ts';
import { lookUpDmarc } from '../../../analysis/email/dmarc/look-up-dmarc.ts';
import type { SiteDnsFacts } from '../../../analysis/scan/dns.ts';
import { nameExists, type DnsRecordType } from '../../../net/dns/answer.ts';
import type { Context } from '../../../engine/context.ts';
import { askDns } from '../../domain/lib/look-up-dns-records.ts';
import { createMailDns } from '../../email/lib/mail-dns.ts';
import { nxdomainError } from '../../../engine/require-answer.ts';

/** CAA is queried for the name and its parents up to the registrable domain, at most this many. */
const MAX_CAA_NAMES = 5;

/** DNS facts of a site, and its first address. Throws 404 for NXDOMAIN; an alias with a missing target counts as existing. */
export async function lookUpScanDnsFacts(
  context: Context,
  domain: string,
): Promise<SiteDnsFacts & { address: string | null }> {
  const registrable = registrableDomain(domain) ?? domain;
  const texts = async (name: string, type: DnsRecordType): Promise<string[] | null> =>
    (await askDns(context, name, type))?.records.map(({ data }) => String(data)) ?? null;
  const [a, aaaa, nameServers, txt, caa, dmarc] = await Promise.all([
    askDns(context, domain, 'A').then((answer) => {
      if (answer !== null && !nameExists(answer)) throw nxdomainError(domain);
      return answer;
    }),
    texts(domain, 'AAAA'),
    texts(registrable, 'NS'),
    texts(registrable, 'TXT'),
    Promise.all(caaNames(domain, registrable).map((name) => askDns(context, name, 'CAA'))),
    lookUpDmarc(domain, createMailDns(context)),
  ]);
  const address = a?.records[0]?.data;
  // The nearest name with CAA records decides (RFC 8659, 3); an unanswered name before it leaves the result unknown.
  const nearest = caa.findIndex((answer) => answer === null || answer.records.length > 0);
  const deciding = nearest === -1 ? [] : (caa[nearest]?.records ?? null);
  return {
    address: typeof address === 'string' ? address : null,
    caa: deciding?.map(({ data }) => data as { tag: string; value: string }) ?? null,
    nameServers,
    ipv6: aaaa === null ? null : aaaa.length > 0,
    dangling: a?.exists === false ? (a.aliases.at(-1) ?? null) : null,
    spf: txt?.filter((text) => /^v=spf1( |$)/i.test(text)) ?? null,
    dmarc,
  };
}

/** The name and its parents up to `top`. */
function caaNames(name: string, top: string): string[] {
  const names = [name];
  while (names.at(-1) !== top && names.length < MAX_CAA_NAMES)
    names.push(names.at(-1)!.slice(names.at(-1)!.indexOf('.') + 1));
  return names;
}
