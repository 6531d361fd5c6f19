import { publicSuffix } from '../../../analysis/domain-name.ts';
import type { LookAlikeFacts, OriginalFacts } from '../../../analysis/look-alikes/assess-look-alike.ts';
import { extractBrand } from '../../../analysis/page/site-brand.ts';
import type { DnsRecordType } from '../../../net/dns/answer.ts';
import { dns } from '../../../sources/dns.ts';
import { dnsSweep, type DnsSweepResult } from '../../../sources/dns-sweep.ts';
import { site } from '../../../sources/site/site.ts';
import { tls } from '../../../sources/tls/tls.ts';
import type { Context } from '../../../engine/context.ts';
import { lookUpRegistration } from './look-up-registration.ts';
import { HTTPS_PORT } from './probe-tls.ts';

/** Of those that exist, the likeliest: how many are asked about further, by what that costs others. */
export const EXAMINED = { records: 60, registrations: 15, certificates: 15, pages: 6 } as const;
/** A label that nobody registers: an ending that resolves it resolves everything. */
const PROBE_LABEL = 'zq7-nobody-registers-this-name';

/** Which of the names exist; those below an ending that resolves any name are left out, and unknown. */
export async function sweepLookAlikes(context: Context, names: readonly string[]): Promise<DnsSweepResult> {
  const found = await sweep(context, names);
  const endings = [...new Set([...Object.keys(found.addresses), ...found.withoutAddress].map(endingOf))];
  const probes = await sweep(
    context,
    endings.map((ending) => `${PROBE_LABEL}.${ending}`),
  );
  const open = new Set([...Object.keys(probes.addresses), ...probes.withoutAddress].map(endingOf));
  const isTold = (name: string): boolean => !open.has(endingOf(name));
  const untold = Object.keys(found.addresses).filter((name) => !isTold(name));
  if (open.size > 0)
    context.evidence.addGap(`any name below ${[...open].join(', ')} resolves: what is registered there is not known`);
  return {
    addresses: Object.fromEntries(Object.entries(found.addresses).filter(([name]) => isTold(name))),
    withoutAddress: found.withoutAddress.filter(isTold),
    aliases: found.aliases,
    unknown: [...found.unknown, ...untold],
  };
}

async function sweep(context: Context, names: readonly string[]): Promise<DnsSweepResult> {
  if (names.length === 0) return { addresses: {}, withoutAddress: [], aliases: {}, unknown: [] };
  const outcome = await context.ask(dnsSweep, { names });
  return outcome.status === 'ok' ? outcome.found : { addresses: {}, withoutAddress: [], aliases: {}, unknown: names };
}

function endingOf(name: string): string {
  return publicSuffix(name) ?? name.slice(name.indexOf('.') + 1);
}

/** What the DNS and, if `withPage`, the home page say of the domain that others look like. */
export async function examineOriginal(context: Context, domain: string, withPage: boolean): Promise<OriginalFacts> {
  const [addresses, records, page] = await Promise.all([
    hostsOf(context, domain, 'A'),
    examineRecords(context, domain),
    withPage ? examinePage(context, domain) : null,
  ]);
  return { domain, addresses: addresses ?? [], ...records, page };
}

/** What stands behind a look-alike; `rank`: its place among those that exist, which bounds what is asked. */
export async function examineLookAlike(
  context: Context,
  {
    domain,
    addresses,
    rank,
    withPage,
  }: { domain: string; addresses: readonly string[]; rank: number; withPage: boolean },
): Promise<LookAlikeFacts> {
  const hasAddress = addresses.length > 0;
  const [records, registered, certificateSince, page] = await Promise.all([
    rank < EXAMINED.records ? examineRecords(context, domain) : { mailServers: null, nameServers: null },
    rank < EXAMINED.registrations ? registrationDay(context, domain) : null,
    hasAddress && rank < EXAMINED.certificates ? certificateBegin(context, domain) : null,
    hasAddress && withPage && rank < EXAMINED.pages ? examinePage(context, domain) : null,
  ]);
  return { domain, addresses, ...records, registered, certificateSince, page };
}

async function examineRecords(
  context: Context,
  domain: string,
): Promise<Pick<LookAlikeFacts, 'mailServers' | 'nameServers'>> {
  const [mailServers, nameServers] = await Promise.all([
    hostsOf(context, domain, 'MX'),
    hostsOf(context, domain, 'NS'),
  ]);
  return { mailServers, nameServers };
}

/** Hosts or addresses in records; the null MX has none. A look-alike that does not answer is no failure of a source. */
async function hostsOf(context: Context, name: string, type: DnsRecordType): Promise<string[] | null> {
  const outcome = await context.askUnrecorded(dns, { name, type });
  if (outcome.status !== 'ok') return null;
  const hosts = outcome.found.records.map(({ data }) =>
    typeof data === 'object' && data !== null && 'exchange' in data ? data.exchange : data,
  );
  return hosts
    .map((host) => String(host).toLowerCase().replace(/\.$/, ''))
    .filter((host) => host !== '')
    .sort();
}

async function registrationDay(context: Context, domain: string): Promise<string | null> {
  const found = await lookUpRegistration(context, domain);
  return found.source === null ? null : found.registration.created;
}

async function certificateBegin(context: Context, domain: string): Promise<string | null> {
  const outcome = await context.askUnrecorded(tls, { host: domain, port: HTTPS_PORT, detail: 'certificate' });
  return outcome.status === 'ok' ? (outcome.found.chain[0]?.notBefore ?? null) : null;
}

async function examinePage(context: Context, domain: string): Promise<LookAlikeFacts['page']> {
  const outcome = await context.askUnrecorded(site, { url: `https://${domain}/`, files: [], probes: [], plain: false });
  if (outcome.status !== 'ok') return null;
  const { url, page } = outcome.found;
  return {
    host: URL.parse(url)?.hostname ?? domain,
    title: page?.title ?? null,
    siteName: page === null ? null : extractBrand(page).site_name_untrusted,
  };
}
