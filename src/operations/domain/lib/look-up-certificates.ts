import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { crtsh, type CertificateLogResult } from '../../../sources/crtsh.ts';
import type { Context } from '../../../engine/context.ts';
import { formatCount } from '../../../engine/summary.ts';

export const Certificates = z.object({
  total_certificates: z.number().int().nullable(),
  valid_now: z.number().int().nullable().meta({ description: 'Of those that are listed.' }),
  certificates: z
    .array(
      z.object({
        issuer: ForeignText,
        common_name: ForeignText.nullable(),
        not_before: z.string(),
        not_after: z.string(),
        expired: z.boolean(),
        serial_number: z.string().nullable(),
        names: z.number().int(),
        url: ForeignText,
      }),
    )
    .nullable(),
  truncated: z.boolean(),
});
export type Certificates = z.output<typeof Certificates>;

/** Certificates in the public logs, newest first; all null where crt.sh did not answer. */
export async function lookUpCertificates(context: Context, domain: string): Promise<Certificates> {
  const outcome = await context.ask(crtsh, { domain, subdomainsOnly: false });
  if (outcome.status === 'ok') addUnrelatedCertificatesGap(context, outcome.found, domain);
  return presentCertificates(outcome.status === 'ok' ? outcome.found : null, context.now);
}

/** Records a gap where crt.sh sent entries about other domains: it may also have omitted some about this one. */
export function addUnrelatedCertificatesGap(
  { evidence }: Context,
  { unrelated_entries: unrelated }: CertificateLogResult,
  domain: string,
): void {
  if (unrelated > 0) {
    const entries = `${formatCount(unrelated, 'entry')} of crt.sh ${unrelated === 1 ? 'was' : 'were'}`;
    evidence.addGap(`${entries} not about ${domain}, and left out`);
  }
}

function presentCertificates(found: CertificateLogResult | null, now: Date): Certificates {
  if (found === null) return { total_certificates: null, valid_now: null, certificates: null, truncated: false };
  const shown = found.certificates.map(({ id, ...certificate }) => ({
    ...certificate,
    expired: Date.parse(certificate.not_after) < now.getTime(),
    url: `https://crt.sh/?id=${id}`,
  }));
  return {
    total_certificates: found.total,
    valid_now: shown.filter(({ expired }) => !expired).length,
    certificates: shown,
    truncated: shown.length < found.total,
  };
}
