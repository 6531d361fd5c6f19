import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import type { MxRecord } from '../../../analysis/email/mail-dns.ts';
import {
  type DkimFacts,
  hasNullMx,
  type MailFacts,
  usableDkimKeys,
} from '../../../analysis/email/posture/mail-facts.ts';
import { displayText } from '../../../analysis/display-text.ts';

const MAX_RECORD_CHARS = 1000;
const MAX_TERM_CHARS = 253;
const MAX_TERMS = 100;
const MAX_HOSTS = 50;

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
});

/** SPF (RFC 7208) as answers show it. */
export function presentSpf({ spf }: MailFacts): z.output<typeof SpfView> {
  return {
    present: spf.present,
    record: spf.records.length === 0 ? null : displayText(spf.records[0]!, MAX_RECORD_CHARS),
    all_policy: spf.allPolicy,
    mechanisms: spf.mechanisms.slice(0, MAX_TERMS).map((term) => displayText(term, MAX_TERM_CHARS)),
    lookup_count: spf.lookupCount,
  };
}

const DmarcPolicyField = z.enum(['none', 'quarantine', 'reject']).nullable();

export const DmarcView = z.object({
  present: z.boolean().nullable(),
  record: ForeignText.nullable(),
  policy: DmarcPolicyField,
  subdomain_policy: DmarcPolicyField,
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
    effective_policy: dmarc.effectivePolicy,
    pct: record?.pct ?? null,
    testing: record?.testing ?? null,
    alignment: record?.alignment ?? null,
    rua_uris: (record?.ruaUris ?? []).map((uri) => displayText(uri, MAX_TERM_CHARS)),
    ruf_uris: (record?.rufUris ?? []).map((uri) => displayText(uri, MAX_TERM_CHARS)),
    found_at: dmarc.foundAt,
    organizational_domain: dmarc.organizationalDomain,
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
});

/** DKIM keys as answers show them. */
export function presentDkimKeys(dkim: DkimFacts | null): z.output<typeof DkimKeyView>[] {
  return (dkim?.keys ?? []).map(({ selector, key: { keyType, bits, revoked, testing } }) => ({
    selector,
    key_type: keyType,
    bits,
    revoked,
    testing,
  }));
}

/** Mail servers as a phrase for a summary. */
export function describeMailServers(facts: MailFacts, provider: string | null): string {
  if (facts.mx === null) return 'its mail servers could not be looked up';
  if (hasNullMx(facts)) return 'accepts no mail (null MX)';
  if (facts.mx.length === 0) return 'has no MX records';
  return `receives mail at ${provider ?? displayText(facts.mx[0]!.exchange, MAX_TERM_CHARS)}`;
}
