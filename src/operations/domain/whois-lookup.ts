import { z } from 'zod';
import { ApiError } from '../../errors.ts';
import { nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { nxdomainError } from '../../engine/require-answer.ts';
import { lookUpRegistration } from './lib/look-up-registration.ts';
import { Whois, presentWhois } from './lib/present-whois.ts';

export const whoisLookup = defineOperation({
  id: 'whois_lookup',
  area: 'domain',
  title: 'Registration',
  description:
    'Registrar, dates, name servers and status of the registered domain that a name belongs to: by RDAP, else by WHOIS. Data of people is left out.',
  route: 'GET /v1/whois/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('WhoisRecord', { domain: z.string(), whois: Whois }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Who a domain is registered with, since when and until when. For its DNS records use dns_lookup, for all of it domain_report.',
    openWorld: true,
  },
  falsifiableFields: ['whois'],
  async answer({ domain }, context) {
    const [found, inDns] = await Promise.all([
      lookUpRegistration(context, domain),
      context.ask(dns, { name: domain, type: 'A' }),
    ]);
    const whois = found.source === null ? null : presentWhois(found, context);
    if (inDns.status === 'ok' && !nameExists(inDns.found)) {
      if (whois?.outcome !== 'registered') throw nxdomainError(domain);
      throw new ApiError('not_found', `${domain} does not exist in the DNS (NXDOMAIN). ${summaryOf(whois)}`);
    }
    if (found.source === null) {
      throw new ApiError(
        found.timedOut ? 'upstream_timeout' : 'upstream_error',
        `The registration of ${found.name} could not be looked up: ${found.reason}.`,
      );
    }
    if (whois === null) throw new ApiError('not_found', `${found.name} is not registered, its registry says.`);
    return { domain, whois, summary: summaryOf(whois) };
  },
  nextCalls: ({ whois }) => [
    { tool: 'dns_lookup', input: whois.name, reason: 'Where it points.' },
    { tool: 'wayback_lookup', input: whois.name, reason: 'What the site was before.' },
  ],
});

function summaryOf(whois: Whois): string {
  const { name, outcome, registrar, creation_date, expiry_date, days_to_expiry, status } = whois;
  if (outcome === 'reserved') return joinSummary(`${name} is reserved by its registry.`);
  if (outcome === 'invalid') return joinSummary(`The registry of ${name} does not take this name.`);
  if (outcome !== 'registered') return joinSummary(`What the registry of ${name} says could not be read.`);
  const day = (date: string): string => date.slice(0, 10);
  return joinSummary(
    `${name} is registered${registrar === null ? '' : ` with ${registrar.replace(/\.$/, '')}`}${creation_date === null ? '' : ` since ${day(creation_date)}`}.`,
    expiry_date !== null &&
      days_to_expiry !== null &&
      (days_to_expiry < 0
        ? `It expired on ${day(expiry_date)}.`
        : `It expires on ${day(expiry_date)}, in ${formatCount(days_to_expiry, 'day')}.`),
    status.length > 0 && `Status: ${status.slice(0, 4).join(', ')}.`,
  );
}
