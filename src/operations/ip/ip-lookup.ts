import { z } from 'zod';
import { CLOUD_PROVIDERS } from '../../feeds/ip-lists/cloud-providers.ts';
import type { AbuseIpdbRecord } from '../../sources/abuseipdb.ts';
import { lookUpPointer } from '../domain/lib/reverse-dns.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { PublicIp } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { lookUpIpReputation, assessIpRisk, type ListMembership } from './lib/ip-reputation.ts';
import { AbuseIpdbSummary, askKeyedSources, ShodanSummary } from './lib/keyed-sources.ts';
import { exposureFields } from './lib/exposure.ts';
import { lookUpNetwork } from './lib/look-up-network.ts';
import { SEVERITIES } from '../../analysis/severity.ts';

export const ipLookup = defineOperation({
  id: 'ip_lookup',
  area: 'ip',
  title: 'IP address',
  description:
    'A public IP address: reverse name (confirmed forward), open ports and vulnerabilities by Shodan InternetDB, network, cloud, Tor exit, blocklists, and reputation where keys are configured. The address itself is not contacted.',
  route: 'GET /v1/ip/:ip',
  subject: { kind: 'ip', field: 'ip' },
  input: z.strictObject({ ip: PublicIp }),
  output: lookupOutputSchema('IpRecord', {
    ip: z.string(),
    ptr: ForeignText.nullable(),
    ptr_confirmed: z.boolean().nullable().meta({ description: 'The name leads back to the address.' }),
    ...exposureFields,
    asn: z.number().int().nullable(),
    asn_name: ForeignText.nullable(),
    prefix: z.string().nullable(),
    country: z.string().nullable().meta({ description: 'ISO 3166-1; null where no source gives it.' }),
    cloud_provider: z.string().nullable(),
    cloud_region: ForeignText.nullable(),
    cloud_service: ForeignText.nullable(),
    is_datacenter: z
      .boolean()
      .nullable()
      .meta({ description: 'null: no list has it, and no source says what it is used for.' }),
    tor_exit: z.boolean().nullable(),
    severity_label: z.enum([...SEVERITIES, 'UNKNOWN']),
    risk_score: z.number().int().nullable(),
    risk_factors: z.array(z.object({ id: z.string(), points: z.number().int(), reason: ForeignText })),
    reputation: z.object({
      firehol: z.object({ status: z.enum(['listed', 'not_listed', 'not_synced']) }),
      feodo: z.object({ status: z.enum(['listed', 'not_listed', 'not_synced']) }),
      abuseipdb: AbuseIpdbSummary,
      shodan: ShodanSummary,
    }),
  }),
  cost: 1,
  examples: [{ title: 'A public resolver', input: { ip: '8.8.8.8' } }],
  tool: {
    description:
      'What runs at an IP and whose it is: ports, CVEs, names, ASN, cloud, Tor, reputation. For a verdict on threats: threat_report; one list entry: ioc_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['ptr', 'ports', 'vulns', 'asn', 'tor_exit'],
  async answer({ ip }, context) {
    const [ipReputation, reverseName, network, keyedSources] = await Promise.all([
      lookUpIpReputation(context, ip),
      lookUpPointer(context, ip),
      lookUpNetwork(context, ip),
      askKeyedSources(context, ip),
    ]);
    const { exposure, lists } = ipReputation;
    const { reports, host } = keyedSources;
    const risk = assessIpRisk(context, ip, exposure, lists, reports);
    const cloud_provider = cloudProviderName(lists);
    const tor_exit = lists.tor === true || reports?.tor === true ? true : lists.tor;
    return {
      ip,
      ptr: reverseName.ptr,
      ptr_confirmed: reverseName.confirmed,
      ...exposure,
      ...network,
      country: host?.country ?? reports?.country ?? lists.country,
      cloud_provider,
      cloud_region: lists.cloud?.region ?? null,
      cloud_service: lists.cloud?.label || null,
      is_datacenter: isDatacenter(lists, exposure.tags, reports),
      tor_exit,
      ...risk,
      reputation: {
        firehol: { status: listStatusOf(lists.firehol) },
        feodo: { status: listStatusOf(lists.feodo) },
        abuseipdb: keyedSources.abuseipdb,
        shodan: keyedSources.shodan,
      },
      summary: joinSummary(
        `${ip}${reverseName.ptr === null ? '' : ` (${reverseName.ptr.slice(0, 80)})`}: risk ${risk.severity_label}${risk.risk_score === null ? '' : ` (${risk.risk_score})`}.`,
        exposure.ports === null
          ? 'Its exposure is not known: InternetDB did not answer.'
          : `${formatCount(exposure.ports.length, 'open port')}, ${formatCount(exposure.total_vulns ?? 0, 'known CVE')}.`,
        network.asn !== null &&
          `AS${network.asn}${network.asn_name === null ? '' : ` ${network.asn_name.slice(0, 60)}`}.`,
        cloud_provider !== null && `In the ranges of ${cloud_provider}.`,
        tor_exit === true && 'A Tor exit.',
        lists.firehol === true && 'On FireHOL level 1.',
        lists.feodo === true && 'A botnet server, says Feodo Tracker.',
      ),
    };
  },
  nextCalls: ({ ip, vulns, asn }) => [
    { tool: 'threat_report', input: ip, reason: 'Whether it is known as a threat, and how sure.' },
    ...(vulns ?? [])
      .slice(0, 2)
      .map(({ cve_id }) => ({ tool: 'cve_lookup', input: cve_id, reason: 'What the vulnerability is.' })),
    ...(asn === null ? [] : [{ tool: 'asn_lookup', input: `AS${asn}`, reason: 'The network that it is in.' }]),
  ],
});

function cloudProviderName({ cloud }: ListMembership): string | null {
  return cloud === null ? null : (CLOUD_PROVIDERS.find(({ id }) => cloud.list === `cloud/${id}`)?.title ?? null);
}

const HOSTING_USAGE_PATTERN = /^(?:data center|content delivery)/i;

function isDatacenter(
  { cloud }: ListMembership,
  tags: readonly string[] | null,
  reports: AbuseIpdbRecord | null,
): boolean | null {
  if (cloud !== null || tags?.some((tag) => tag === 'cloud' || tag === 'cdn') === true) return true;
  return reports?.usage_type == null ? null : HOSTING_USAGE_PATTERN.test(reports.usage_type);
}

function listStatusOf(isListed: boolean | null): 'listed' | 'not_listed' | 'not_synced' {
  return isListed === null ? 'not_synced' : isListed ? 'listed' : 'not_listed';
}
