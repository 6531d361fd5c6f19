import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { countIpv4Addresses } from '../../../analysis/email/spf/senders.ts';
import type { MxRecord } from '../../../analysis/email/mail-dns.ts';
import {
  type DkimFacts,
  hasNullMx,
  type MailFacts,
  usableDkimKeys,
} from '../../../analysis/email/posture/mail-facts.ts';
import { dkimKeyStrength } from '../../../analysis/email/dkim-key.ts';
import { displayText } from '../../../analysis/display-text.ts';

const MAX_RECORD_CHARS = 1000;
const MAX_TERM_CHARS = 253;
const MAX_TERMS = 100;
const MAX_HOSTS = 50;
const MAX_NETWORKS = 50;

export const MxRow = z.object({ priority: z.number().int(), exchange: ForeignText });

/** Mail servers, the most preferred first; a null MX (RFC 7505) gives an empty list. */
export function presentMxRows(mx: readonly MxRecord[] | null): z.output<typeof MxRow>[] | null {
  const servers = mx?.filter(({ exchange }) => exchange !== '').slice(0, MAX_HOSTS);
  return (
    servers?.map(({ preference, exchange }) => ({
      priority: preference,
      exchange: displayText(exchange, MAX_TERM_CHARS),
    })) ?? null
  );
}

export const SpfView = z.object({
  present: z.boolean().nullable(),
  record: ForeignText.nullable(),
  all_policy: z.enum(['pass', 'fail', 'softfail', 'neutral']).nullable(),
  mechanisms: z.array(ForeignText),
  lookup_count: z.number().int().nullable(),
  senders: z
    .array(
      z.object({
        term: ForeignText,
        service: z
          .string()
          .nullable()
          .meta({ description: 'The mail service that it includes; null: no known service.' }),
        networks: z.array(z.string()).meta({ description: 'The first 50.' }),
        network_count: z.number().int(),
        ipv4_addresses: z.number().int(),
        complete: z
          .boolean()
          .meta({ description: 'False: what it lets send depends on the message, or was not read.' }),
      }),
    )
    .nullable()
    .meta({ description: 'Who may send, by each term of the record that lets pass.' }),
  ipv4_addresses: z.number().int().nullable().meta({ description: 'That may send, each counted once.' }),
});

/** SPF (RFC 7208) as answers show it. */
export function presentSpf({ spf }: MailFacts): z.output<typeof SpfView> {
  return {
    present: spf.present,
    record: spf.records.length === 0 ? null : displayText(spf.records[0]!, MAX_RECORD_CHARS),
    all_policy: spf.allPolicy,
    mechanisms: spf.mechanisms.slice(0, MAX_TERMS).map((term) => displayText(term, MAX_TERM_CHARS)),
    lookup_count: spf.lookupCount,
    senders:
      spf.senders?.slice(0, MAX_TERMS).map(({ term, service, networks, isComplete }) => ({
        term: displayText(term, MAX_TERM_CHARS),
        service,
        networks: networks.slice(0, MAX_NETWORKS),
        network_count: networks.length,
        ipv4_addresses: countIpv4Addresses(networks),
        complete: isComplete,
      })) ?? null,
    ipv4_addresses: spf.senders === null ? null : countIpv4Addresses(spf.senders.flatMap(({ networks }) => networks)),
  };
}

const DmarcPolicyField = z.enum(['none', 'quarantine', 'reject']).nullable();

export const DmarcView = z.object({
  present: z.boolean().nullable(),
  record: ForeignText.nullable(),
  policy: DmarcPolicyField,
  subdomain_policy: DmarcPolicyField,
  absent_policy: DmarcPolicyField.meta({ description: 'np: for subdomains that do not exist.' }),
  effective_policy: DmarcPolicyField.meta({
    description: 'For this domain itself, if the record is at a parent domain.',
  }),
  pct: z.number().int().nullable(),
  testing: z.boolean().nullable(),
  alignment: z.object({ spf: z.string(), dkim: z.string() }).nullable(),
  rua_uris: z.array(ForeignText),
  ruf_uris: z.array(ForeignText),
  found_at: z.string().nullable(),
  organizational_domain: z.string().nullable(),
  public_suffix: z.boolean().nullable().meta({ description: 'psd: the record says it is of a public suffix, or not.' }),
  problems: z.array(ForeignText).meta({ description: 'Tags that receivers pass over.' }),
  external_reports: z.array(z.object({ target: ForeignText, authorized: z.boolean().nullable() })),
});

/** DMARC (RFC 9989) as answers show it. */
export function presentDmarc({ dmarc }: MailFacts): z.output<typeof DmarcView> {
  const { record } = dmarc;
  return {
    present: dmarc.present,
    record: record === null ? null : displayText(record.text, MAX_RECORD_CHARS),
    policy: record?.policy ?? null,
    subdomain_policy: record?.subdomainPolicy ?? null,
    absent_policy: record?.absentPolicy ?? null,
    effective_policy: dmarc.effectivePolicy,
    pct: record?.pct ?? null,
    testing: record?.testing ?? null,
    alignment: record?.alignment ?? null,
    rua_uris: (record?.ruaUris ?? []).map((uri) => displayText(uri, MAX_TERM_CHARS)),
    ruf_uris: (record?.rufUris ?? []).map((uri) => displayText(uri, MAX_TERM_CHARS)),
    found_at: dmarc.foundAt,
    organizational_domain: dmarc.organizationalDomain,
    public_suffix: record === null || record.psd === 'u' ? null : record.psd === 'y',
    problems: (record?.problems ?? []).map((problem) => displayText(problem, MAX_TERM_CHARS)),
    external_reports: dmarc.externalReports.map(({ target, authorized }) => ({
      target: displayText(target, MAX_TERM_CHARS),
      authorized,
    })),
  };
}

/** `unknown`: no key under the selectors tested, which is not "none"; `unavailable`: the DNS did not answer; `not_tested`: left out of a lite answer. */
export const DkimStatus = z.enum(['verified', 'unknown', 'unavailable', 'not_tested']);

/** The DKIM status that follows from the tested selectors. */
export function dkimStatusOf({ dkim }: MailFacts): z.output<typeof DkimStatus> {
  if (dkim === null) return 'not_tested';
  if (usableDkimKeys(dkim).length > 0) return 'verified';
  return dkim.unanswered.length === dkim.tested.length ? 'unavailable' : 'unknown';
}

/** Selectors with a usable DKIM key. */
export function verifiedSelectors({ dkim }: MailFacts): string[] {
  return dkim === null ? [] : [...new Set(usableDkimKeys(dkim).map(({ selector }) => selector))];
}

export const DkimKeyView = z.object({
  selector: z.string(),
  key_type: z.enum(['rsa', 'ed25519', 'other']),
  bits: z.number().int().nullable(),
  revoked: z.boolean(),
  testing: z.boolean(),
  strength: z
    .enum(['strong', 'short', 'broken', 'unreadable', 'unknown'])
    .nullable()
    .meta({ description: 'RFC 8301: RSA below 1024 bits is broken, below 2048 short; null: withdrawn.' }),
});

/** DKIM keys as answers show them. */
export function presentDkimKeys(dkim: DkimFacts | null): z.output<typeof DkimKeyView>[] {
  return (dkim?.keys ?? []).map(({ selector, key }) => ({
    selector,
    key_type: key.keyType,
    bits: key.bits,
    revoked: key.revoked,
    testing: key.testing,
    strength: dkimKeyStrength(key),
  }));
}

/** Mail servers as a phrase for a summary. */
export function describeMailServers(facts: MailFacts, provider: string | null): string {
  if (facts.mx === null) return 'its mail servers could not be looked up';
  if (hasNullMx(facts)) return 'accepts no mail (null MX)';
  if (facts.mx.length === 0) return 'has no MX records';
  return `receives mail at ${provider ?? displayText(facts.mx[0]!.exchange, MAX_TERM_CHARS)}`;
}
