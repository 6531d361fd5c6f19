import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { displayText } from '../../../analysis/display-text.ts';
import { type EmailPosture, actionableFindings } from '../../email/lib/email-posture.ts';
import {
  DkimStatus,
  DmarcView,
  dkimStatusOf,
  presentDmarc,
  MxRow,
  presentMxRows,
  SpfView,
  presentSpf,
  verifiedSelectors,
} from '../../email/lib/present-email.ts';

const MAX_ISSUE_CHARS = 500;

/** E-mail posture as a report shows it. */
export const EmailSummary = z.object({
  mx: z.array(MxRow).nullable(),
  spf: SpfView.pick({ present: true, record: true, all_policy: true, lookup_count: true }),
  dmarc: DmarcView.pick({ present: true, record: true, effective_policy: true }),
  dkim: z.object({ status: DkimStatus, selectors: z.array(z.string()) }),
  mta_sts: z.boolean().nullable(),
  tls_rpt: z.boolean().nullable(),
  score: z.number().int().nullable(),
  grade: z.string().nullable(),
  issues: z.array(ForeignText),
});
export type EmailSummary = z.output<typeof EmailSummary>;

/** The e-mail posture as a domain report shows it. */
export function presentEmailSummary({ facts, posture }: EmailPosture): EmailSummary {
  const spf = presentSpf(facts);
  const dmarc = presentDmarc(facts);
  return {
    mx: presentMxRows(facts.mx),
    spf: { present: spf.present, record: spf.record, all_policy: spf.all_policy, lookup_count: spf.lookup_count },
    dmarc: { present: dmarc.present, record: dmarc.record, effective_policy: dmarc.effective_policy },
    dkim: { status: dkimStatusOf(facts), selectors: verifiedSelectors(facts) },
    mta_sts: facts.mtaSts?.present ?? null,
    tls_rpt: facts.tlsRpt?.present ?? null,
    score: posture.score,
    grade: posture.grade,
    issues: actionableFindings(posture).map(({ description }) => displayText(description, MAX_ISSUE_CHARS)),
  };
}
