import type { DmarcPolicy } from '../dmarc/dmarc-record.ts';
import { type MailFacts, sendsNoMail } from './mail-facts.ts';

/** The record to publish next, and what to know of it. */
export interface DmarcStep {
  value: string;
  /** What it does to mail, what has to be so first, and what comes after it. */
  caution: string;
}

export const DMARC_POLICY_STRENGTH: Readonly<Record<DmarcPolicy, number>> = { none: 0, quarantine: 1, reject: 2 };

export const REPORT_MAILBOX =
  'The mailbox of rua has to exist and is filled by machines: make it, or write the address of a service that reads reports. At another domain, that domain has to agree by a record (RFC 9990).';
const NEXT_POLICY: Readonly<Record<DmarcPolicy, DmarcPolicy>> = {
  none: 'quarantine',
  quarantine: 'reject',
  reject: 'reject',
};
const POLICY_TAGS: ReadonlySet<string> = new Set(['p', 'sp', 'np']);
const WHEN_REPORTS_PASS = 'once the reports show that all mail of the domain passes';

/**
 * The one next step for whatever is wrong with the DMARC record of a domain, so that several findings ask for the same: first a valid
 * record with reports, which changes nothing for mail; then without what limits its policy; then the next stricter policy. Null: the
 * record is that of a domain above, or there are several.
 */
export function nextDmarcStep(facts: MailFacts, domain: string): DmarcStep | null {
  const { record, foundAt, multipleAt, present } = facts.dmarc;
  if (multipleAt !== null || present === null) return null;
  const isSilent = sendsNoMail(facts);
  if (record === null) {
    const policy = isSilent ? 'reject' : 'none';
    return {
      value: `v=DMARC1; p=${policy}; rua=${reportAddress(domain)}`,
      caution: isSilent ? tighterCaution('reject') : `${firstStepCaution()} ${REPORT_MAILBOX}`,
    };
  }
  if (foundAt !== domain) return null;
  const { v: _, p: __, ...tags } = validTags(record.text);
  const stated = record.isPolicyStated ? record.policy! : 'none';
  const hasReports = record.ruaUris.length > 0;
  const rua = hasReports ? {} : { rua: reportAddress(domain) };
  const write = (policy: DmarcPolicy, changed: Record<string, string | undefined>): string =>
    [
      'v=DMARC1',
      `p=${policy}`,
      ...Object.entries({ ...tags, ...rua, ...changed }).flatMap(([name, value]) =>
        value === undefined ? [] : `${name}=${value}`,
      ),
    ].join('; ');
  const unlimited = { t: undefined, pct: undefined };
  const withoutWeaker = (policy: DmarcPolicy): Record<string, undefined> =>
    tags['sp'] !== undefined && strengthOf(tags['sp']) < DMARC_POLICY_STRENGTH[policy] ? { sp: undefined } : {};
  if (isSilent)
    return {
      value: write('reject', { ...unlimited, ...withoutWeaker('reject') }),
      caution: tighterCaution('reject'),
    };
  if (!hasReports || !record.isPolicyStated)
    return { value: write(stated, {}), caution: sameCaution(stated, hasReports) };
  const isLimited = stated !== 'none' && (record.testing || record.pct < 100 || 'sp' in withoutWeaker(stated));
  const policy = isLimited ? stated : NEXT_POLICY[stated];
  const isTighter = isLimited || policy !== stated;
  return {
    value: write(policy, isTighter ? { ...unlimited, ...withoutWeaker(policy) } : {}),
    caution: isTighter ? tighterCaution(policy) : sameCaution(policy, true),
  };
}

function firstStepCaution(): string {
  return `This is the first step: with p=none nothing happens to mail yet. Next, ${WHEN_REPORTS_PASS}: p=quarantine, then p=reject.`;
}

function sameCaution(policy: DmarcPolicy, hasReports: boolean): string {
  const mailbox = hasReports ? '' : ` ${REPORT_MAILBOX}`;
  if (policy === 'none') return `${firstStepCaution()}${mailbox}`;
  const next = policy === 'quarantine' ? ` Next, ${WHEN_REPORTS_PASS}: p=reject.` : '';
  return `What happens to mail stays as it is.${next}${mailbox}`;
}

function tighterCaution(policy: DmarcPolicy): string {
  const effect = policy === 'reject' ? 'is refused' : 'goes to junk';
  const next = policy === 'quarantine' ? ' Next, when nothing legitimate goes there: p=reject.' : '';
  return `Only ${WHEN_REPORTS_PASS}, or if nothing sends mail for it: mail that fails ${effect}.${next}`;
}

function reportAddress(domain: string): string {
  return `mailto:dmarc-reports@${domain}`;
}

function strengthOf(policy: string): number {
  return DMARC_POLICY_STRENGTH[policy.toLowerCase() as DmarcPolicy] ?? 0;
}

/** The tags of a record that receivers can read, the first of each name; broken ones count as absent. */
function validTags(text: string): Record<string, string> {
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', ...rest] = part.split('=');
    const [key, value] = [name.trim().toLowerCase(), rest.join('=').trim()];
    if (rest.length === 0 || value === '' || !/^[a-z]\w*$/.test(key) || tags.has(key)) continue;
    if (POLICY_TAGS.has(key) && !Object.hasOwn(DMARC_POLICY_STRENGTH, value.toLowerCase())) continue;
    if (key === 'pct' && !/^(?:\d{1,2}|100)$/.test(value)) continue;
    if (key === 'rua' && !/[a-z][a-z0-9+.-]*:\S/i.test(value)) continue;
    tags.set(key, value);
  }
  return Object.fromEntries(tags);
}
