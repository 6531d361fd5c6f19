import type { DkimKey } from '../dkim-key.ts';
import type { DmarcFacts } from '../dmarc/look-up-dmarc.ts';
import type { MxRecord } from '../mail-dns.ts';
import type { SpfFacts } from '../spf/look-up-spf.ts';
import type { BimiRecord, MtaStsPolicy } from '../transport-records.ts';

/** What was observed of a domain's mail. Null: not checked, or no answer. */
export interface MailFacts {
  mx: readonly MxRecord[] | null;
  spf: SpfFacts;
  dmarc: DmarcFacts;
  dkim: DkimFacts | null;
  mtaSts: MtaStsFacts | null;
  tlsRpt: { present: boolean; record: string | null; ruaUris: readonly string[] } | null;
  bimi: (BimiRecord & { present: true }) | { present: false } | null;
}

export interface DkimFacts {
  tested: readonly string[];
  /** Selectors whose question was not answered. */
  unanswered: readonly string[];
  keys: readonly { selector: string; key: DkimKey }[];
  /** Selectors with a record that is no key. */
  unreadable: readonly string[];
  /** The zone answers to every selector: what it says about one proves nothing. */
  wildcard: boolean;
}

export interface MtaStsFacts {
  present: boolean;
  record: string | null;
  id: string | null;
  policy: MtaStsPolicy | null;
  /** Why there is no policy although there is a record, ending a sentence that begins with "the policy"; null: there is one, or it is not known. */
  policyProblem: string | null;
  /** Mail servers that the policy does not name. */
  uncovered: readonly string[];
}

/** Whether the domain accepts mail: it has mail servers, and not the null one (RFC 7505). Null: not known. */
export function receivesMail({ mx }: MailFacts): boolean | null {
  return mx === null ? null : mx.some(({ exchange }) => exchange !== '');
}

export function hasNullMx({ mx }: MailFacts): boolean {
  return mx?.length === 1 && mx[0]!.exchange === '';
}

/** Its SPF record says that no server sends mail in its name. */
export function sendsNoMail({ spf }: MailFacts): boolean {
  return spf.mechanisms.length === 1 && spf.allPolicy === 'fail' && spf.lookupCount === 0;
}

/** Keys that mail can be verified with. */
export function usableDkimKeys({ keys }: DkimFacts): DkimFacts['keys'] {
  return keys.filter(({ key }) => key.valid && !key.revoked);
}

/** Mail that fails is to be kept out, by all receivers and for all of it. */
export function isDmarcEnforced({ dmarc: { effectivePolicy, record } }: MailFacts): boolean {
  return effectivePolicy !== null && effectivePolicy !== 'none' && record?.testing === false && record.pct === 100;
}
