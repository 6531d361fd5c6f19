import { z } from 'zod';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireDomainExists } from './lib/look-up-dns-records.ts';
import { Certificates, lookUpCertificates } from './lib/look-up-certificates.ts';

export const certsLookup = defineOperation({
  id: 'certs_lookup',
  area: 'domain',
  title: 'Certificates in the logs',
  description:
    'Certificates issued for a domain, from the certificate transparency logs by crt.sh, newest first. Null: the log did not answer, which is not "none".',
  route: 'GET /v1/certs/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Certificates', { domain: z.string(), ...Certificates.shape }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  falsifiableFields: ['certificates'],
  async answer({ domain }, context) {
    await requireDomainExists(context, domain);
    const found = await lookUpCertificates(context, domain);
    const newest = found.certificates?.[0];
    return {
      domain,
      ...found,
      summary: joinSummary(
        found.total_certificates === null
          ? `crt.sh did not answer about ${domain}: what is in the logs is unknown.`
          : found.total_certificates === 0
            ? `No certificate for ${domain} is in the logs.`
            : `${formatCount(found.total_certificates, 'certificate')} for ${domain} in the logs, ${found.valid_now} of the ${found.truncated ? `newest ${found.certificates?.length}` : 'list'} still valid.`,
        newest !== undefined && `The newest is from ${newest.not_before.slice(0, 10)}.`,
      ),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'ssl_check', input: domain, reason: 'The certificate that is in use.' },
    { tool: 'subdomain_enum', input: domain, reason: 'Other names in its certificates.' },
  ],
});
