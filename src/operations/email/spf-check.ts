import { z } from 'zod';
import { displayText } from '../../analysis/display-text.ts';
import { checkHost, type SpfResult } from '../../analysis/email/spf/check-host.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain, PublicIp } from '../../engine/input/identifiers.ts';
import { defineOperation, lookupOutputSchema } from '../../engine/operation.ts';
import { joinSummary } from '../../engine/summary.ts';
import { requireDomainExists } from '../domain/lib/look-up-dns-records.ts';
import { createMailDns } from './lib/mail-dns.ts';

const MEANINGS: Readonly<Record<SpfResult, string>> = {
  pass: 'may send mail for',
  fail: 'may not send mail for',
  softfail: 'probably may not send mail for',
  neutral: 'is not spoken of by',
  none: 'cannot be judged, as there is no SPF record of',
  permerror: 'cannot be judged, as the SPF record is broken of',
  temperror: 'cannot be judged now, as the DNS did not answer about',
};

export const spfCheck = defineOperation({
  id: 'spf_check',
  area: 'email',
  title: 'SPF of an address',
  description:
    'Whether an address may send mail for a domain: check_host() of RFC 7208, with includes, macros, redirects and the limits of lookups, and the term that decides.',
  route: 'GET /v1/email/spf/:domain',
  input: z.strictObject({
    domain: Domain,
    ip: PublicIp.meta({ description: 'Address of the server that sends.' }),
    local_part: z
      .string()
      .regex(/^[\x21-\x3f\x41-\x7e]{1,64}$/, 'At most 64 printable characters without spaces and @.')
      .default('postmaster')
      .meta({ description: 'Of the sender, before the @; only macros look at it.', examples: ['postmaster'] }),
    helo: Domain.optional().meta({ description: 'Name in HELO or EHLO; only macros look at it. Default: the domain.' }),
  }),
  output: lookupOutputSchema('SpfCheck', {
    domain: z.string(),
    ip: z.string(),
    result: z.enum(['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror']),
    term: ForeignText.nullable().meta({ description: 'The term that decided, as written; null: none did.' }),
    term_domain: ForeignText.nullable().meta({ description: 'The domain whose record has it.' }),
    explanation: ForeignText.nullable().meta({ description: 'What the domain says of a fail (exp=).' }),
    reason: ForeignText.nullable().meta({ description: 'Why it could not be decided.' }),
  }),
  cost: 1,
  examples: [{ title: 'An address', input: { domain: 'example.com', ip: '8.8.8.8' } }],
  falsifiableFields: ['result', 'term'],
  async answer({ domain, ip, local_part, helo = domain }, context) {
    await requireDomainExists(context, domain);
    const found = await checkHost(
      { ip, sender: `${local_part}@${domain}`, helo, time: Math.floor(context.now.getTime() / 1000) },
      createMailDns(context),
    );
    const { result, decidedBy, explanation, reason } = found;
    if (result === 'temperror') context.evidence.addGap('the DNS did not answer all that the record asks');
    const text = (value: string | null | undefined): string | null => (value == null ? null : displayText(value, 500));
    return {
      domain,
      ip,
      result,
      term: text(decidedBy?.term),
      term_domain: text(decidedBy?.domain),
      explanation: text(explanation),
      reason: text(reason),
      summary: joinSummary(
        `${ip} ${MEANINGS[result]} ${domain}: ${result}.`,
        decidedBy !== null &&
          `By the term ${displayText(decidedBy.term, 100)} of ${displayText(decidedBy.domain, 100)}.`,
      ),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'email_security_posture', input: domain, reason: 'All that may send, and what is to be mended.' },
  ],
});
