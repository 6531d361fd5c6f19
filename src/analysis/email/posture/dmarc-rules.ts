import { type DmarcRecord, MISSING_POLICY } from '../dmarc/dmarc-record.ts';
import { DMARC_POLICY_STRENGTH } from './dmarc-step.ts';
import { type PostureRule } from './posture-rule.ts';
import { summarizeList } from '../../display-text.ts';

export const DMARC_RULES: readonly PostureRule[] = [
  {
    id: 'dmarc_missing',
    check: 'dmarc',
    severity: 'HIGH',
    points: 40,
    remediation:
      'Publish a TXT record at _dmarc: start with "v=DMARC1; p=none; rua=mailto:..." to see who sends, then go on to quarantine and reject.',
    findProblem: ({ dmarc }) =>
      dmarc.present === false && dmarc.multipleAt === null && dmarc.malformed === null
        ? 'There is no DMARC record: receivers are not told what to do with forged mail.'
        : null,
  },
  {
    id: 'dmarc_multiple_records',
    check: 'dmarc',
    severity: 'HIGH',
    points: 40,
    remediation: 'Leave one record: several count as none (RFC 9989, section 4.10).',
    findProblem: ({ dmarc: { multipleAt, present } }) =>
      multipleAt !== null && present === false ? `There is more than one DMARC record at _dmarc.${multipleAt}.` : null,
  },
  {
    id: 'dmarc_malformed',
    check: 'dmarc',
    severity: 'HIGH',
    points: 40,
    remediation: 'Begin the record with "v=DMARC1;", written so, then p= (RFC 9989, section 4.7).',
    findProblem: ({ dmarc: { malformed, multipleAt, present } }) =>
      malformed !== null && multipleAt === null && present === false
        ? `The record at _dmarc.${malformed.at} is malformed: it does not begin with "v=DMARC1", so receivers pass over it.`
        : null,
  },
  {
    id: 'dmarc_broken',
    check: 'dmarc',
    severity: 'MEDIUM',
    points: 10,
    remediation: 'Correct the tags that are named, or leave them out: receivers ignore what is broken.',
    findProblem: ({ dmarc: { record } }) => {
      const problems = brokenTags(record);
      return problems.length > 0 ? `The DMARC record has faults: ${summarizeList(problems)}.` : null;
    },
  },
  {
    id: 'dmarc_no_policy',
    check: 'dmarc',
    severity: 'HIGH',
    points: 35,
    remediation:
      'Add p=none and rua=mailto:... as the first step, to see who sends; then go on to p=quarantine and p=reject.',
    findProblem: ({ dmarc: { record } }) =>
      record !== null && record.policy === null
        ? 'The DMARC record has no usable policy and asks for no reports: receivers ignore it.'
        : null,
  },
  {
    id: 'dmarc_policy_none',
    check: 'dmarc',
    severity: 'MEDIUM',
    points: 25,
    remediation:
      'Publish p= and ask for reports (rua) to a mailbox that exists. Once they show all legitimate senders passing, move to p=quarantine, then p=reject.',
    findProblem: ({ dmarc: { effectivePolicy, record } }) => {
      if (effectivePolicy !== 'none') return null;
      const what =
        record?.isPolicyStated === false
          ? 'The DMARC record has no valid p tag, which counts as p=none'
          : 'The DMARC policy is none';
      return `${what}: forged mail is reported at best, not kept out.`;
    },
  },
  {
    id: 'dmarc_policy_quarantine',
    check: 'dmarc',
    severity: 'LOW',
    points: 5,
    remediation: 'Move to p=reject once nothing legitimate is quarantined.',
    findProblem: ({ dmarc }) =>
      dmarc.effectivePolicy === 'quarantine'
        ? 'The DMARC policy is quarantine: forged mail goes to junk folders, not away.'
        : null,
  },
  {
    id: 'dmarc_subdomains_weaker',
    check: 'dmarc',
    severity: 'MEDIUM',
    points: 8,
    remediation: 'Leave sp out, so that the policy of the domain holds for subdomains too.',
    findProblem: ({ dmarc: { record, effectivePolicy } }) => {
      if (record === null || record.policy === null || record.subdomainPolicy === null) return null;
      // For a subdomain under the record of a parent domain the weaker policy is its own, which another rule reports.
      if (effectivePolicy !== record.policy) return null;
      const weaker = DMARC_POLICY_STRENGTH[record.subdomainPolicy] < DMARC_POLICY_STRENGTH[record.policy];
      return weaker
        ? `Subdomains have a weaker policy (sp=${record.subdomainPolicy}) than the domain (p=${record.policy}).`
        : null;
    },
  },
  {
    id: 'dmarc_testing',
    check: 'dmarc',
    severity: 'LOW',
    points: 5,
    remediation: 'Remove t=y when the tests are over.',
    findProblem: ({ dmarc: { record, effectivePolicy } }) =>
      record?.testing === true && effectivePolicy !== 'none'
        ? 'The DMARC record is in test mode (t=y): receivers act one step milder.'
        : null,
  },
  {
    id: 'dmarc_pct',
    check: 'dmarc',
    severity: 'LOW',
    points: 5,
    remediation: 'Remove pct: RFC 9989 has dropped it, and older receivers act on a part of the mail only.',
    findProblem: ({ dmarc: { record, effectivePolicy } }) =>
      record !== null && record.pct < 100 && effectivePolicy !== 'none'
        ? `The DMARC policy is asked for on ${record.pct} % of the mail only.`
        : null,
  },
  {
    id: 'dmarc_no_reports',
    check: 'dmarc',
    severity: 'LOW',
    points: 3,
    remediation: 'Add rua=mailto:... to be told who sends mail in the name of the domain.',
    findProblem: ({ dmarc: { record } }) =>
      record !== null && record.ruaUris.length === 0 ? 'The DMARC record asks for no aggregate reports (rua).' : null,
  },
  {
    id: 'dmarc_reports_unauthorized',
    check: 'dmarc',
    severity: 'LOW',
    points: 2,
    remediation:
      'The receiving domain has to publish "v=DMARC1" at <domain>._report._dmarc (RFC 9990); without it no reports are sent there.',
    findProblem: ({ dmarc: { externalReports } }) => {
      const unauthorized = externalReports.filter(({ authorized }) => authorized === false).map(({ target }) => target);
      return unauthorized.length > 0
        ? `Reports are to go to domains that have not agreed: ${summarizeList(unauthorized)}.`
        : null;
    },
  },
  {
    id: 'dmarc_unseen_by_rfc7489',
    check: 'dmarc',
    severity: 'LOW',
    points: 2,
    remediation:
      'Publish the record at the domain itself too, until receivers have moved to the tree walk of RFC 9989.',
    findProblem: ({ dmarc: { record, foundAt, seenByRfc7489 } }) =>
      record !== null && !seenByRfc7489
        ? `The DMARC record stands at ${foundAt}, where receivers that go by RFC 7489 do not look.`
        : null,
  },
];

/** Faults of the tags; that there is no policy is reported by findings of its own. */
function brokenTags(record: DmarcRecord | null): string[] {
  return (record?.problems ?? []).filter((problem) => problem !== MISSING_POLICY);
}
