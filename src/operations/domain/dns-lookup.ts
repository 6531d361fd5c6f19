import { z } from 'zod';
import { isPublicIp } from '../../analysis/ip-address.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { DnsRecords, lookUpDnsRecords } from './lib/look-up-dns-records.ts';

export const dnsLookup = defineOperation({
  id: 'dns_lookup',
  area: 'domain',
  title: 'DNS records',
  description:
    'A, AAAA, MX, NS, TXT, CNAME and SOA records of a name. Empty: it has none; null: the query failed, which is not "none".',
  route: 'GET /v1/dns/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Dns', {
    domain: z.string(),
    records: DnsRecords,
    ttl: z.record(z.string(), z.number().int().nullable()).meta({ description: 'Seconds, the shortest of a type.' }),
  }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'DNS records of a name. For mail settings use email_mx, for hidden names subdomain_enum, for all of it domain_report.',
    openWorld: true,
  },
  falsifiableFields: ['records'],
  async answer({ domain }, context) {
    const { records, ttl } = await lookUpDnsRecords(context, domain);
    const counts = (['a', 'aaaa', 'mx', 'ns', 'txt'] as const).map((type) =>
      records[type] === null ? `${type.toUpperCase()} unknown` : `${records[type].length} ${type.toUpperCase()}`,
    );
    const alias = records.cname?.at(-1);
    return {
      domain,
      records,
      ttl,
      summary: joinSummary(
        `${domain}: ${counts.join(', ')} ${records.mx?.length === 0 ? '(no mail exchanger)' : 'records'}.`,
        alias !== undefined && `An alias of ${alias} (${formatCount(records.cname!.length, 'step')}).`,
      ),
    };
  },
  nextCalls: ({ domain, records }) => [
    { tool: 'ssl_check', input: domain, reason: 'Certificate and TLS settings.' },
    ...(records.mx !== null && records.mx.length > 0
      ? [{ tool: 'email_security_posture', input: domain, reason: 'SPF, DKIM and DMARC of its mail.' }]
      : []),
    ...(records.a ?? [])
      .filter(isPublicIp)
      .slice(0, 1)
      .map((ip) => ({ tool: 'ip_lookup', input: ip, reason: 'Who hosts it, and what is open.' })),
  ],
});
