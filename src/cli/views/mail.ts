import { summarizeList } from '../../analysis/display-text.ts';
import { mailVerdict } from '../../analysis/domain-verdict.ts';
import { describeScore } from '../../engine/summary.ts';
import type { emailMx } from '../../operations/email/email-mx.ts';
import type { emailSecurityPosture } from '../../operations/email/email-security-posture.ts';
import { guideSteps } from './fix-guide.ts';
import { defineView, findings, table, textLines } from './view.ts';

const postureView = defineView<typeof emailSecurityPosture>('email_security_posture', (mail) => ({
  title: mail.domain,
  verdict: [
    mail.dmarc === null ? null : `mail: ${mailVerdict(mail.dmarc).text}`,
    mail.posture_grade === null ? 'not graded' : `grade ${mail.posture_grade}`,
    mail.posture_score === null ? null : describeScore(mail.posture_score, 'higher'),
  ],
  facts: {
    SPF: mail.spf === null ? 'not known' : (mail.spf.record ?? 'no record'),
    DMARC: mail.dmarc === null ? 'not known' : (mail.dmarc.record ?? 'no record'),
    DKIM:
      mail.dkim === null
        ? 'not known'
        : [mail.dkim.status, summarizeList(mail.dkim.verified_selectors ?? [])].filter(Boolean).join(': '),
    'MTA-STS': presence(mail.mta_sts, mail.mta_sts?.mode),
    'TLS-RPT': presence(mail.tls_rpt, null),
    BIMI: presence(mail.bimi, null),
  },
  sections: [
    findings(
      'what to mend',
      mail.all_findings.filter(({ status }) => status !== 'pass'),
      ({ severity, description, fix_hint, how_to_fix }) => ({
        severity,
        text: description,
        remedy: fix_hint,
        ...guideSteps(how_to_fix),
      }),
      20,
    ),
  ],
}));

function presence(found: { present: boolean | null } | null, detail: string | null | undefined): string {
  if (found === null || found.present === null) return 'not known';
  return found.present ? (detail ?? 'there') : 'none';
}

const mxView = defineView<typeof emailMx>('email_mx', ({ mx_records, mail_provider, email_security }) => ({
  facts: {
    provider: mail_provider,
    SPF: email_security?.spf?.record,
    DMARC: email_security?.dmarc?.record,
    DKIM: summarizeList(email_security?.dkim_selectors ?? []),
  },
  sections: [
    table('mail servers', mx_records, [
      { title: 'priority', cell: ({ priority }) => priority, align: 'right' },
      { title: 'server', cell: ({ exchange }) => exchange },
    ]),
    textLines('problems', email_security?.issues ?? []),
  ],
}));

/** How a domain receives mail, and how its mail is protected. */
export const MAIL_VIEWS = [postureView, mxView];
