import { z } from 'zod';
import { ApiError } from '../../errors.ts';
import { nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, summarise } from '../../engine/summary.ts';
import { nxdomainError } from '../../engine/require-answer.ts';
import { type RegistrationResult, lookUpRegistration } from './lib/look-up-registration.ts';

const DAY_MS = 24 * 3600 * 1000;

export const Whois = z.object({
  name: z.string().meta({ description: 'The registered name that was asked about.' }),
  outcome: z.enum(['registered', 'reserved', 'invalid', 'unreadable']),
  source: z.enum(['rdap', 'whois']),
  registrar: z.string().nullable(),
  registrar_iana_id: z.string().nullable(),
  registrar_abuse_email: z.string().nullable(),
  creation_date: z.string().nullable(),
  updated_date: z.string().nullable(),
  expiry_date: z.string().nullable(),
  days_to_expiry: z.number().int().nullable(),
  name_servers: z.array(z.string()),
  status: z.array(z.string()),
  dnssec: z.boolean().nullable(),
  raw_excerpt: z.string().nullable().meta({ description: 'Of a text that could not be read.' }),
});
export type Whois = z.output<typeof Whois>;

/** The registration as answers show it; unreadable data is recorded as a gap. Null: the registry says the name is free. */
export function presentWhois(
  { name, source, registration: record, excerpt }: RegistrationResult,
  context: Context,
): Whois | null {
  const { outcome } = record;
  if (outcome === 'available' || outcome === 'refused') return null;
  if (outcome === 'unreadable') context.evidence.addGap(`what the registry of ${name} says could not be read`);
  if (outcome === 'invalid') context.evidence.addGap(`the registry of ${name} does not take this name`);
  return {
    name,
    outcome,
    source,
    registrar: record.registrar,
    registrar_iana_id: record.registrarIanaId,
    registrar_abuse_email: record.registrarAbuseEmail,
    creation_date: record.created,
    updated_date: record.updated,
    expiry_date: record.expires,
    days_to_expiry:
      record.expires === null ? null : Math.floor((Date.parse(record.expires) - context.now.getTime()) / DAY_MS),
    name_servers: record.nameServers,
    status: record.status,
    dnssec: record.signed,
    raw_excerpt: excerpt,
  };
}

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
  if (outcome === 'reserved') return summarise(`${name} is reserved by its registry.`);
  if (outcome !== 'registered') return summarise(`What the registry of ${name} says could not be read.`);
  const day = (date: string): string => date.slice(0, 10);
  return summarise(
    `${name} is registered${registrar === null ? '' : ` with ${registrar.replace(/\.$/, '')}`}${creation_date === null ? '' : ` since ${day(creation_date)}`}.`,
    expiry_date !== null &&
      days_to_expiry !== null &&
      (days_to_expiry < 0
        ? `It expired on ${day(expiry_date)}.`
        : `It expires on ${day(expiry_date)}, in ${formatCount(days_to_expiry, 'day')}.`),
    status.length > 0 && `Status: ${status.slice(0, 4).join(', ')}.`,
  );
}
