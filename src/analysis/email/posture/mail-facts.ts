import type { DkimKey } from '../dkim-key.ts';
import type { DmarcFacts } from '../dmarc/look-up-dmarc.ts';
import type { MxProblems } from '../look-up-mx-problems.ts';
import type { MxRecord } from '../mail-dns.ts';
import type { SpfFacts } from '../spf/look-up-spf.ts';
import type { BimiRecord, MtaStsPolicy } from '../transport-records.ts';

/** What was observed of a domain's mail. Null: not checked, or no answer. */
export interface MailFacts {
  mx: readonly MxRecord[] | null;
  mxProblems: MxProblems | null;
  spf: SpfFacts;
  dmarc: DmarcFacts;
  dkim: DkimFacts | null;
  mtaSts: MtaStsFacts | null;
  tlsRpt: { present: boolean; record: string | null; ruaUris: readonly string[] } | null;
  bimi:
    | (BimiRecord & { present: true; logoProblems: readonly string[] | null; markCertificate: MarkCertificate | null })
    | { present: false }
    | null;
  /** The first mail servers, as far as they could be reached. */
  servers: readonly MailServerFacts[] | null;
}

/** The mark certificate of a logo (VMC or CMC), as its file was read. */
export interface MarkCertificate {
  /** Why mailbox providers do not accept it; null: nothing was found. */
  problem: string | null;
  /** ISO 8601; null: it could not be read. */
  notAfter: string | null;
}

/** What a mail server shows, and what the DNS says of it. */
export interface MailServerFacts {
  host: string;
  /** Null: port 25 could not be reached from here. */
  startTls: boolean | null;
  /** What it said instead of starting TLS. */
  said: string | null;
  protocol: string | null;
  /** Why the certificate is not valid for the name of the host; null: it is, or it was not seen. */
  certificateProblem: string | null;
  /** End of the certificate, ISO 8601. */
  notAfter: string | null;
  /** Null: the DNS did not answer. */
  dane: DaneFacts | null;
}

/** TLSA records of a mail server (RFC 6698, RFC 7672). */
export interface DaneFacts {
  /** As zone files write them. */
  records: readonly string[];
  /** They are validated by DNSSEC. */
  signed: boolean;
  /** Why it does not; null: it does, or there are none. */
  unsignedReason: string | null;
  /** Number of records that mail servers can use. */
  usable: number;
  /** What is wrong with the others. */
  problems: readonly string[];
  /** A usable record matches the certificate; null: not compared, because no record is usable or the certificate was not seen. */
  matches: boolean | null;
  /** `3 1 1` record of the certificate in use; null: it was not seen. */
  fitting: string | null;
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
