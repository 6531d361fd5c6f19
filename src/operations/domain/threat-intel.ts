import { z } from 'zod';
import { nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { nxdomainError } from '../../engine/require-answer.ts';
import { threatFields, type DomainThreat, lookUpDomainThreat } from './lib/look-up-domain-threat.ts';

export const threatIntel = defineOperation({
  id: 'threat_intel',
  area: 'domain',
  title: 'Malware at a domain',
  description:
    'URLs at a domain that URLhaus knows for delivering malware. A name that no longer exists in the DNS is answered too.',
  route: 'GET /v1/threat/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('DomainThreat', { domain: z.string(), ...threatFields }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Which malware URLs a domain is known for, and how many are online. One URL: phishing_check; other lists too: ioc_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['url_count', 'urls'],
  async answer({ domain }, context) {
    const [threat, inDns] = await Promise.all([
      lookUpDomainThreat(context, domain),
      context.ask(dns, { name: domain, type: 'A' }),
    ]);
    const isMissing = inDns.status === 'ok' && !nameExists(inDns.found);
    if (threat.urlhaus_status !== 'listed' && isMissing) throw nxdomainError(domain);
    return { domain, ...threat, summary: joinSummary(`${domain}: ${describeThreat(threat)}`) };
  },
  nextCalls: ({ domain, urlhaus_status }) => [
    { tool: 'ioc_lookup', input: domain, reason: 'Whether other lists name it.' },
    ...(urlhaus_status === 'listed'
      ? [{ tool: 'domain_report', input: domain, reason: 'Registration, DNS and mail of the name.' }]
      : []),
  ],
});

function describeThreat({ urlhaus_status, url_count, urls_online, threat_types, tags }: DomainThreat): string {
  switch (urlhaus_status) {
    case 'listed': {
      const named = [...(threat_types ?? []), ...(tags ?? [])].slice(0, 6).join(', ');
      return `URLhaus knows ${formatCount(url_count ?? 0, 'malware URL')} there, ${urls_online} of the latest online${named === '' ? '' : ` (${named})`}.`;
    }
    case 'not_listed':
      return 'URLhaus does not list it.';
    case 'not_configured':
      return 'not known: URLhaus needs a key, and none is configured.';
    default:
      return 'not known: URLhaus did not answer.';
  }
}
