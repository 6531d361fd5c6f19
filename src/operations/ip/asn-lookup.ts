import { z } from 'zod';
import { parseDomainName } from '../../analysis/domain-name.ts';
import { isPublicIp, parseIp } from '../../analysis/ip-address.ts';
import type { Context } from '../../engine/context.ts';
import { ApiError } from '../../errors.ts';
import { nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import { announcedPrefixes, announcedRoute, autonomousSystem } from '../../sources/ripestat.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { identifierSchema } from '../../engine/input/identifiers.ts';
import { joinSummary, formatNumber } from '../../engine/summary.ts';
import { nxdomainError, requireSourceAnswer, requireTargetAnswer } from '../../engine/require-answer.ts';

const MAX_SHOWN_PREFIXES = 50;
const AS_NUMBER = /^AS\d+$/;
const MAX_ASN = 4_294_967_295;

/** `AS13335`, an address in canonical form, or a domain name. */
const AsnTarget = identifierSchema({
  read(text) {
    const digits = /^(?:AS)?(\d{1,10})$/i.exec(text)?.[1];
    if (digits !== undefined) return Number(digits) >= 1 && Number(digits) <= MAX_ASN ? `AS${Number(digits)}` : null;
    const ip = parseIp(text);
    if (ip !== null) return isPublicIp(ip) ? ip : null;
    return parseDomainName(text);
  },
  name: 'valid AS number, public address or domain name',
  accepted: 'an AS number with or without AS before it, a public IPv4 or IPv6 address, or a domain name',
  example: 'AS13335',
});

const PrefixListField = z.array(z.string()).nullable();

export const asnLookup = defineOperation({
  id: 'asn_lookup',
  area: 'ip',
  title: 'Autonomous system',
  description:
    'Holder and announced prefixes of an autonomous system, given by its number, or by an address or domain in it (RIPEstat). The counts are of all prefixes.',
  route: 'GET /v1/asn/:target',
  subject: { kind: 'asn', field: 'target' },
  input: z.strictObject({
    target: AsnTarget,
    include_full_prefixes: z
      .boolean()
      .default(false)
      .meta({ description: `All prefixes, not the first ${MAX_SHOWN_PREFIXES} of each family.` }),
  }),
  output: lookupOutputSchema('AsnRecord', {
    target: z.string(),
    resolved_ip: z.string().nullable(),
    asn: z.number().int().nullable().meta({ description: 'null: no network announces the address.' }),
    asn_name: ForeignText.nullable(),
    announced: z.boolean().nullable(),
    prefix: z.string().nullable().meta({ description: 'The announced prefix that holds the address.' }),
    ipv4_prefixes: PrefixListField,
    ipv6_prefixes: PrefixListField,
    ipv4_count: z.number().int().nullable(),
    ipv6_count: z.number().int().nullable(),
    prefix_count: z.number().int().nullable().meta({ description: 'Of both families.' }),
  }),
  cost: 1,
  examples: [{ title: 'By number', input: { target: 'AS13335' } }],
  tool: {
    description:
      'Who holds an AS number, or the network of an address, and which prefixes it announces. What runs at an address: ip_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['asn', 'asn_name', 'ipv4_count', 'ipv6_count'],
  async answer({ target, include_full_prefixes }, context) {
    const resolved_ip = AS_NUMBER.test(target) ? null : (parseIp(target) ?? (await resolveDomain(context, target)));
    const route =
      resolved_ip === null
        ? null
        : requireSourceAnswer(
            await context.ask(announcedRoute, { routeOf: resolved_ip }),
            resolved_ip,
            'could not be looked up at RIPEstat',
          );
    const asn = route === null ? Number(target.slice(2)) : (route.asns[0] ?? null);
    if (asn === null) return { ...unannouncedAnswer(target, resolved_ip), prefix: route?.prefix ?? null };
    if (route !== null && route.asns.length > 1) {
      context.evidence.addGap(
        `announced by several: ${route.asns
          .slice(0, 5)
          .map((each) => `AS${each}`)
          .join(', ')}; the answer is about the first`,
      );
    }
    const [system, announced] = await Promise.all([
      context.ask(autonomousSystem, { systemOf: asn }),
      context.ask(announcedPrefixes, { prefixesOf: asn }),
    ]);
    if (announced.status !== 'ok') requireSourceAnswer(system, `AS${asn}`, 'could not be looked up at RIPEstat');
    const found = system.status === 'ok' ? system.found : null;
    const all = announced.status === 'ok' ? announced.found : null;
    const v4 = all?.filter((prefix) => !prefix.includes(':')) ?? null;
    const v6 = all?.filter((prefix) => prefix.includes(':')) ?? null;
    const shown = (list: string[] | null): string[] | null =>
      include_full_prefixes ? list : (list?.slice(0, MAX_SHOWN_PREFIXES) ?? null);
    return {
      target,
      resolved_ip,
      asn,
      asn_name: found?.holder ?? null,
      announced: found?.announced ?? (all === null ? null : all.length > 0),
      prefix: route?.prefix ?? null,
      ipv4_prefixes: shown(v4),
      ipv6_prefixes: shown(v6),
      ipv4_count: v4?.length ?? null,
      ipv6_count: v6?.length ?? null,
      prefix_count: all?.length ?? null,
      summary: joinSummary(
        `AS${asn}${found === null ? '' : `, ${found.holder ?? 'without a named holder'}`}.`,
        v4 === null || v6 === null
          ? 'Its prefixes are not known: RIPEstat did not answer.'
          : `Prefixes announced: ${formatNumber(v4.length)} of IPv4, ${formatNumber(v6.length)} of IPv6.`,
      ),
    };
  },
  nextCalls: ({ resolved_ip }) =>
    resolved_ip === null ? [] : [{ tool: 'ip_lookup', input: resolved_ip, reason: 'What runs at the address.' }],
});

/** The first public address of a name. Throws as `requireTargetAnswer`; 404 where it has no address, 400 where none is public. */
async function resolveDomain(context: Context, domain: string): Promise<string> {
  for (const type of ['A', 'AAAA'] as const) {
    const answer = requireTargetAnswer(
      await context.ask(dns, { name: domain, type }),
      domain,
      'could not be looked up in the DNS',
    );
    if (!nameExists(answer)) throw nxdomainError(domain);
    const addresses = answer.records.flatMap(({ data }) => (typeof data === 'string' ? (parseIp(data) ?? []) : []));
    const found = addresses.find(isPublicIp);
    if (found !== undefined) return found;
    if (addresses.length > 0)
      throw new ApiError('invalid_argument', `${domain} leads to an address that is not public.`);
  }
  throw new ApiError('not_found', `${domain} exists, but has no address.`);
}

function unannouncedAnswer(target: string, resolved_ip: string | null) {
  return {
    target,
    resolved_ip,
    asn: null,
    asn_name: null,
    announced: false,
    ipv4_prefixes: [],
    ipv6_prefixes: [],
    ipv4_count: 0,
    ipv6_count: 0,
    prefix_count: 0,
    summary: joinSummary(`No network announces ${target} now.`),
  };
}
