import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import type { Context } from '../../../engine/context.ts';
import { daysUntil } from '../../../engine/time-units.ts';
import type { RegistrationResult } from './look-up-registration.ts';

export const Whois = z.object({
  name: z.string().meta({ description: 'The registered name that was asked about.' }),
  outcome: z.enum(['registered', 'reserved', 'invalid', 'unreadable']),
  source: z.enum(['rdap', 'whois']),
  registrar: ForeignText.nullable(),
  registrar_iana_id: ForeignText.nullable(),
  registrar_abuse_email: ForeignText.nullable(),
  creation_date: z.string().nullable(),
  updated_date: z.string().nullable(),
  expiry_date: z.string().nullable(),
  days_to_expiry: z.number().int().nullable(),
  name_servers: z.array(ForeignText),
  status: z.array(ForeignText),
  dnssec: z.boolean().nullable(),
  raw_excerpt: ForeignText.nullable().meta({ description: 'Of a text that could not be read.' }),
});
export type Whois = z.output<typeof Whois>;

/** The registration as answers show it; unreadable data is recorded as a gap. Null: the registry says the name is free. */
export function presentWhois(
  { name, source, registration: record, excerpt }: RegistrationResult,
  context: Context,
): Whois | null {
  const { outcome } = record;
  if (outcome === 'available') return null;
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
    days_to_expiry: record.expires === null ? null : daysUntil(record.expires, context.now),
    name_servers: record.nameServers,
    status: record.status,
    dnssec: record.signed,
    raw_excerpt: excerpt,
  };
}
