import { z } from 'zod';
import { findMailProvider } from '../../analysis/email/mail-providers.ts';
import { displayText } from '../../analysis/display-text.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { joinSummary } from '../../engine/summary.ts';
import { actionableFindings, requireEmailPosture } from './lib/email-posture.ts';
import {
  DkimStatus,
  dkimStatusOf,
  presentDmarc,
  MxRow,
  describeMailServers,
  presentMxRows,
  presentSpf,
  verifiedSelectors,
} from './lib/present-email.ts';

export const emailMx = defineOperation({
  id: 'email_mx',
  area: 'email',
  title: 'Mail servers',
  description:
    "A domain's mail servers and the service behind them, with SPF, DMARC and DKIM in short and the grade of its e-mail posture.",
  route: 'GET /v1/email/mx/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('EmailMx', {
    domain: z.string(),
    mx_records: z.array(MxRow).nullable(),
    null_mx: z.boolean().nullable().meta({ description: 'It says that it accepts no mail (RFC 7505).' }),
    mail_provider: z.string().nullable(),
    email_security: z.object({
      spf: z.object({
        present: z.boolean().nullable(),
        record: ForeignText.nullable(),
        all_policy: z.string().nullable(),
      }),
      dmarc: z.object({
        present: z.boolean().nullable(),
        record: ForeignText.nullable(),
        policy: z.string().nullable(),
      }),
      dkim_selectors: z.array(z.string()),
      dkim_status: DkimStatus,
      grade: z.string().nullable(),
      issues: z.array(ForeignText),
    }),
  }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      "A domain's mail servers and mail provider, with SPF, DMARC and DKIM in short. For findings, fixes and MTA-STS use email_security_posture.",
    openWorld: true,
  },
  falsifiableFields: ['mx_records', 'email_security.spf.record', 'email_security.dmarc.record'],
  async answer({ domain }, context) {
    const { facts, posture } = await requireEmailPosture(context, domain);
    const rows = presentMxRows(facts.mx);
    const provider = findMailProvider((rows ?? []).map(({ exchange }) => exchange));
    const { present, record, all_policy } = presentSpf(facts);
    const dmarc = presentDmarc(facts);
    return {
      domain,
      mx_records: rows,
      null_mx: rows === null ? null : facts.mx!.length > 0 && rows.length === 0,
      mail_provider: provider,
      email_security: {
        spf: { present, record, all_policy },
        dmarc: { present: dmarc.present, record: dmarc.record, policy: dmarc.effective_policy },
        dkim_selectors: verifiedSelectors(facts),
        dkim_status: dkimStatusOf(facts),
        grade: posture.grade,
        issues: actionableFindings(posture).map(({ description }) => displayText(description, 500)),
      },
      summary: joinSummary(
        `${domain} ${describeMailServers(facts, provider)}.`,
        posture.grade === null
          ? 'No grade, as the DNS did not answer.'
          : `E-mail posture ${posture.grade}: SPF ${all_policy ?? (present ? 'without all' : 'missing')}, DMARC ${dmarc.effective_policy ?? 'missing'}, DKIM ${dkimStatusOf(facts)}.`,
      ),
    };
  },
  nextCalls: ({ domain }) => [
    {
      tool: 'email_security_posture',
      input: domain,
      reason: 'Each finding with its fix, and MTA-STS, TLS-RPT and BIMI.',
    },
  ],
});
