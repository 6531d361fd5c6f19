import { hasNullMx, isDmarcEnforced, receivesMail } from './mail-facts.ts';
import { type PostureRule } from './posture-rule.ts';
import { summarizeList } from '../../display-text.ts';

const DAY_SECONDS = 86_400;

/** Rules about incoming mail (MTA-STS, TLS-RPT), and about the logo (BIMI). */
export const TRANSPORT_RULES: readonly PostureRule[] = [
  {
    id: 'mx_null',
    check: 'mx',
    severity: 'INFO',
    points: 0,
    remediation: 'Nothing to do, if the domain is not to receive mail.',
    findProblem: (facts) => (hasNullMx(facts) ? 'The domain accepts no mail (null MX, RFC 7505).' : null),
  },
  {
    id: 'mx_missing',
    check: 'mx',
    severity: 'INFO',
    points: 0,
    remediation: 'Publish MX records, or "0 ." (RFC 7505) if the domain is not to receive mail.',
    findProblem: ({ mx }) =>
      mx?.length === 0
        ? 'There are no MX records: senders fall back on the address of the domain itself (RFC 5321, section 5.1).'
        : null,
  },
  {
    id: 'mx_without_address',
    check: 'mx',
    severity: 'MEDIUM',
    points: 0,
    remediation: 'Give the host an A or AAAA record, or take it out of the MX records.',
    findProblem: ({ mxProblems }) =>
      mxProblems !== null && mxProblems.withoutAddress.length > 0
        ? `MX records name hosts that have no address: ${summarizeList(mxProblems.withoutAddress)}.`
        : null,
  },
  {
    id: 'mx_malformed',
    check: 'mx',
    severity: 'MEDIUM',
    points: 0,
    remediation:
      'Name hosts in MX records, no addresses (RFC 5321, section 5.1); the null MX "0 ." stands alone (RFC 7505).',
    findProblem: ({ mxProblems }) =>
      mxProblems !== null && mxProblems.malformed.length > 0
        ? `MX records that senders cannot use: ${summarizeList(mxProblems.malformed)}.`
        : null,
  },
  {
    id: 'mta_sts_missing',
    check: 'mta_sts',
    severity: 'LOW',
    points: 5,
    remediation:
      'Publish an MTA-STS policy (RFC 8461), first in mode testing: without it mail to the domain can be read or diverted on the way.',
    findProblem: (facts) =>
      facts.mtaSts?.present === false && receivesMail(facts) === true
        ? 'There is no MTA-STS: senders may deliver without TLS.'
        : null,
  },
  {
    id: 'mta_sts_no_policy',
    check: 'mta_sts',
    severity: 'MEDIUM',
    points: 6,
    remediation:
      'Serve the policy at https://mta-sts.<domain>/.well-known/mta-sts.txt with a valid certificate and no redirect (RFC 8461, section 3.3).',
    findProblem: ({ mtaSts }) =>
      mtaSts !== null && mtaSts.policyProblem !== null
        ? `The MTA-STS record is there, but the policy ${mtaSts.policyProblem}.`
        : null,
  },
  {
    id: 'mta_sts_not_enforced',
    check: 'mta_sts',
    severity: 'LOW',
    points: 3,
    remediation: 'Set "mode: enforce" once the TLS reports show no failures.',
    findProblem: ({ mtaSts }) =>
      mtaSts?.policy && mtaSts.policy.mode !== 'enforce'
        ? `The MTA-STS policy is in mode ${mtaSts.policy.mode}: nothing is enforced.`
        : null,
  },
  {
    id: 'mta_sts_mx_uncovered',
    check: 'mta_sts',
    severity: 'HIGH',
    points: 8,
    remediation: 'Name every mail server in an "mx:" line, then change the id of the record.',
    findProblem: ({ mtaSts }) =>
      mtaSts?.policy?.mode === 'enforce' && mtaSts.uncovered.length > 0
        ? `The MTA-STS policy does not name these mail servers, to which senders will not deliver: ${summarizeList(mtaSts.uncovered)}.`
        : null,
  },
  {
    id: 'mta_sts_mx_uncovered_in_testing',
    check: 'mta_sts',
    severity: 'LOW',
    points: 2,
    remediation:
      'Name every mail server in an "mx:" line, and change the id of the record, before the mode becomes enforce.',
    // RFC 8461, section 5: in this mode senders report what fails, and deliver.
    findProblem: ({ mtaSts }) =>
      mtaSts?.policy?.mode === 'testing' && mtaSts.uncovered.length > 0
        ? `The MTA-STS policy (mode testing) does not name these mail servers; senders deliver to them, and would not in mode enforce: ${summarizeList(mtaSts.uncovered)}.`
        : null,
  },
  {
    id: 'mta_sts_short_max_age',
    check: 'mta_sts',
    severity: 'LOW',
    points: 1,
    remediation: 'Set max_age to weeks (RFC 8461, section 3.2).',
    findProblem: ({ mtaSts }) =>
      mtaSts?.policy?.mode === 'enforce' && mtaSts.policy.maxAge < DAY_SECONDS
        ? `The MTA-STS policy is good for ${mtaSts.policy.maxAge} seconds only.`
        : null,
  },
  {
    id: 'mta_sts_bad_id',
    check: 'mta_sts',
    severity: 'LOW',
    points: 2,
    remediation: 'Write the record as "v=STSv1; id=20260101T000000Z": letters and digits, changed with the policy.',
    findProblem: ({ mtaSts }) =>
      mtaSts?.present === true && mtaSts.id === null ? 'The MTA-STS record has no usable id: senders ignore it.' : null,
  },
  {
    id: 'tls_rpt_missing',
    check: 'tls_rpt',
    severity: 'LOW',
    points: 2,
    remediation: 'Publish "v=TLSRPTv1; rua=mailto:..." at _smtp._tls to hear of failed TLS (RFC 8460).',
    findProblem: (facts) =>
      facts.tlsRpt?.present === false && receivesMail(facts) === true
        ? 'There is no TLS-RPT record: failed TLS goes unnoticed.'
        : null,
  },
  {
    id: 'tls_rpt_no_address',
    check: 'tls_rpt',
    severity: 'LOW',
    points: 2,
    remediation: 'Add rua=mailto:... or rua=https://... (RFC 8460, section 3).',
    findProblem: ({ tlsRpt }) =>
      tlsRpt?.present === true && tlsRpt.ruaUris.length === 0
        ? 'The TLS-RPT record names no address for reports.'
        : null,
  },
  {
    id: 'bimi_missing',
    check: 'bimi',
    severity: 'INFO',
    points: 0,
    remediation: 'Nothing to do, unless a logo is to be shown beside the mail of the domain.',
    findProblem: ({ bimi }) => (bimi?.present === false ? 'There is no BIMI record.' : null),
  },
  {
    id: 'bimi_malformed',
    check: 'bimi',
    severity: 'LOW',
    points: 0,
    remediation: 'Write one record "v=BIMI1; l=https://...; a=https://..."; the logo is an SVG file.',
    findProblem: ({ bimi }) =>
      bimi?.present === true && bimi.problems.length > 0
        ? `Mailbox providers pass over the BIMI record: ${summarizeList(bimi.problems)}.`
        : null,
  },
  {
    id: 'bimi_without_enforcement',
    check: 'bimi',
    severity: 'INFO',
    points: 0,
    remediation: 'Move DMARC to quarantine or reject, for all mail: logos are shown only then.',
    findProblem: (facts) =>
      facts.bimi?.present === true && facts.dmarc.present !== null && !isDmarcEnforced(facts)
        ? 'There is a BIMI record, but no enforced DMARC policy, without which no logo is shown.'
        : null,
  },
  {
    id: 'bimi_no_certificate',
    check: 'bimi',
    severity: 'INFO',
    points: 0,
    remediation: 'Add a mark certificate (a=): large mailbox providers show a logo only with one.',
    findProblem: ({ bimi }) =>
      bimi?.present === true && bimi.logo !== null && bimi.evidence === null
        ? 'The BIMI record has no mark certificate.'
        : null,
  },
  {
    id: 'bimi_logo',
    check: 'bimi',
    severity: 'LOW',
    points: 0,
    remediation:
      'Serve the logo as SVG Tiny Portable/Secure: square, with a title, at most 32 KiB, without scripts and links.',
    findProblem: ({ bimi }) =>
      bimi?.present === true && bimi.logoProblems !== null && bimi.logoProblems.length > 0
        ? `The BIMI logo is not shown: ${summarizeList(bimi.logoProblems)}.`
        : null,
  },
  {
    id: 'bimi_certificate',
    check: 'bimi',
    severity: 'LOW',
    points: 0,
    remediation:
      'Serve the mark certificate with its chain (PEM) that the authority issued for this domain, and renew it in time.',
    findProblem: ({ bimi }) =>
      bimi?.present === true && bimi.markCertificate !== null && bimi.markCertificate.problem !== null
        ? `The mark certificate of BIMI is of no use: ${bimi.markCertificate.problem}.`
        : null,
  },
];
