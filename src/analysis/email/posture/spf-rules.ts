import { repairSpfRecord } from '../spf/repair-spf-record.ts';
import { countIpv4Addresses } from '../spf/senders.ts';
import { SPF_LIMITS } from '../spf/spf-record.ts';
import { isDmarcEnforced, type MailFacts } from './mail-facts.ts';
import { type PostureRule } from './posture-rule.ts';
import { summarizeList } from '../../display-text.ts';

const HALF_OF_IPV4 = 2 ** 31;

export const SPF_RULES: readonly PostureRule[] = [
  {
    id: 'spf_missing',
    check: 'spf',
    severity: 'HIGH',
    points: 30,
    remediation:
      'Publish one TXT record at the domain: "v=spf1", what sends its mail, and "-all". A domain that sends no mail: "v=spf1 -all".',
    findProblem: ({ spf }) =>
      spf.present === false ? 'There is no SPF record: receivers cannot tell who may send mail for this domain.' : null,
  },
  {
    id: 'spf_multiple_records',
    check: 'spf',
    severity: 'HIGH',
    points: 25,
    remediation: 'Join them into one record: receivers take several for an error (RFC 7208, section 3.2).',
    findProblem: ({ spf }) =>
      spf.records.length > 1 ? `There are ${spf.records.length} SPF records; every check ends in permerror.` : null,
  },
  {
    id: 'spf_syntax',
    check: 'spf',
    severity: 'HIGH',
    points: 25,
    remediation:
      'Write the term that is named as the standard spells it (ip4:, ip6:, include:, a, mx, -all); a record with one broken term counts as broken whole (RFC 7208, section 4.6).',
    findProblem: ({ spf: { syntaxError, records } }) => {
      if (syntaxError === null) return null;
      const repair = records.length === 1 ? repairSpfRecord(records[0]!) : null;
      const meant = repair === null ? '' : `; write ${repair.terms.map(({ meant }) => `"${meant}"`).join(', ')}`;
      return `The SPF record is broken: ${syntaxError}${meant}.`;
    },
  },
  {
    id: 'spf_pass_all',
    check: 'spf',
    severity: 'CRITICAL',
    points: 30,
    remediation:
      'Name every server and service that sends for this domain, then replace "+all" with "~all", later with "-all".',
    findProblem: ({ spf }) =>
      spf.allPolicy === 'pass' ? 'The SPF record ends in "+all": it lets everybody send for this domain.' : null,
  },
  {
    id: 'spf_covers_internet',
    check: 'spf',
    severity: 'CRITICAL',
    points: 30,
    remediation: 'List only the networks that send mail for the domain.',
    findProblem: ({ spf: { senders, allPolicy } }) =>
      allPolicy !== 'pass' && countIpv4Addresses((senders ?? []).flatMap(({ networks }) => networks)) >= HALF_OF_IPV4
        ? 'The SPF record lists networks that are most of the internet: it lets nearly everybody send for this domain.'
        : null,
  },
  {
    id: 'spf_neutral_all',
    check: 'spf',
    severity: 'MEDIUM',
    points: 15,
    remediation: 'Replace "?all" with "~all", and with "-all" once all senders are listed.',
    findProblem: ({ spf }) =>
      spf.allPolicy === 'neutral'
        ? 'The SPF record ends in "?all": it says nothing about senders that are not listed.'
        : null,
  },
  {
    id: 'spf_no_all',
    check: 'spf',
    severity: 'MEDIUM',
    points: 15,
    remediation: 'End the record with "-all" or "~all".',
    findProblem: ({ spf }) =>
      spf.lookupCount !== null && spf.allPolicy === null && spf.brokenIncludes.length + spf.loops.length === 0
        ? 'The SPF record has no "all" at its end: senders that are not listed get neutral.'
        : null,
  },
  {
    id: 'spf_softfail',
    check: 'spf',
    severity: 'LOW',
    points: 3,
    remediation: 'Replace "~all" with "-all", or let a DMARC policy of quarantine or reject decide.',
    findProblem: (facts) =>
      facts.spf.allPolicy === 'softfail' && facts.dmarc.present !== null && !isDmarcEnforced(facts)
        ? `The SPF record ends in "~all" (softfail), and ${describeMissingEnforcement(facts)}.`
        : null,
  },
  {
    id: 'spf_lookup_limit',
    check: 'spf',
    severity: 'HIGH',
    points: 20,
    remediation:
      'Leave out includes that are not needed, or replace them by ip4 and ip6: above 10 receivers end in permerror (RFC 7208, section 4.6.4).',
    findProblem: ({ spf: { lookupCount } }) =>
      lookupCount !== null && lookupCount > SPF_LIMITS.lookups
        ? `The SPF record needs ${lookupCount} lookups; 10 are allowed.`
        : null,
  },
  {
    id: 'spf_lookups_near_limit',
    check: 'spf',
    severity: 'INFO',
    points: 0,
    remediation: 'Keep a lookup or two in reserve: includes grow without notice.',
    findProblem: ({ spf: { lookupCount } }) =>
      lookupCount !== null && lookupCount >= SPF_LIMITS.lookups - 1 && lookupCount <= SPF_LIMITS.lookups
        ? `The SPF record needs ${lookupCount} of 10 lookups.`
        : null,
  },
  {
    id: 'spf_void_lookups',
    check: 'spf',
    severity: 'MEDIUM',
    points: 10,
    remediation: 'Remove the names: more than 2 that lead nowhere may end in permerror (RFC 7208, section 4.6.4).',
    findProblem: ({ spf: { voids } }) =>
      voids.length > SPF_LIMITS.voids ? `Names in the SPF record that lead nowhere: ${summarizeList(voids)}.` : null,
  },
  {
    id: 'spf_mx_limit',
    check: 'spf',
    severity: 'HIGH',
    points: 15,
    remediation:
      'Replace "mx" by what sends, as ip4 and ip6: with more than 10 mail servers receivers end in permerror (RFC 7208, section 4.6.4).',
    findProblem: ({ spf: { crowdedMx } }) =>
      crowdedMx.length > 0
        ? `The SPF record names by "mx" domains with more than 10 mail servers: ${summarizeList(crowdedMx)}.`
        : null,
  },
  {
    id: 'spf_unreached_terms',
    check: 'spf',
    severity: 'LOW',
    points: 3,
    remediation:
      'Move the terms before "all": receivers stop there, and pass over "redirect" beside it (RFC 7208, sections 5.1 and 6.1).',
    findProblem: ({ spf: { unreachedTerms } }) =>
      unreachedTerms.length > 0
        ? `Terms of the SPF record have no effect, as it has "all" before them or beside a redirect: ${summarizeList(unreachedTerms)}.`
        : null,
  },
  {
    id: 'spf_broken_include',
    check: 'spf',
    severity: 'HIGH',
    points: 15,
    remediation:
      'Remove it, or have its owner mend it: evaluation ends in permerror when it gets there (RFC 7208, section 5.2).',
    findProblem: ({ spf: { brokenIncludes } }) =>
      brokenIncludes.length > 0
        ? `The SPF record leads to what is no usable SPF record: ${summarizeList(brokenIncludes)}.`
        : null,
  },
  {
    id: 'spf_loop',
    check: 'spf',
    severity: 'HIGH',
    points: 20,
    remediation:
      'Remove the include or redirect: evaluation goes round until the limit of lookups, and ends in permerror (RFC 7208, section 4.6.4).',
    findProblem: ({ spf: { loops } }) =>
      loops.length > 0 ? `The SPF record leads back to itself: ${summarizeList(loops)}.` : null,
  },
  {
    id: 'spf_ptr',
    check: 'spf',
    severity: 'LOW',
    points: 3,
    remediation: 'Replace "ptr" by a, mx, ip4 or ip6; RFC 7208, section 5.5, says not to use it.',
    findProblem: ({ spf }) =>
      spf.usesPtr ? 'The SPF record uses "ptr", which is slow and which some receivers skip.' : null,
  },
  {
    id: 'spf_wide_network',
    check: 'spf',
    severity: 'MEDIUM',
    points: 8,
    remediation: 'List only the networks that send mail for the domain.',
    findProblem: ({ spf: { wideNetworks } }) =>
      wideNetworks.length > 0 ? `The SPF record lets very large networks send: ${summarizeList(wideNetworks)}.` : null,
  },
];

/** What keeps DMARC from making more of a softfail. */
function describeMissingEnforcement({ dmarc: { effectivePolicy, record } }: MailFacts): string {
  if (record === null || effectivePolicy === null || effectivePolicy === 'none')
    return 'no DMARC policy makes more of it';
  const limit = record.testing ? 'is in test mode (t=y)' : `is asked for on ${record.pct} % of the mail only`;
  return `the DMARC policy ${effectivePolicy}, which would make more of it, ${limit}`;
}
