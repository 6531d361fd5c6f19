import { z } from 'zod';
import { tlsVersionLabel } from '../../analysis/tls/grade-caps.ts';
import { TLS_VERSIONS } from '../../analysis/tls/tls-facts.ts';
import { tls } from '../../sources/tls/tls.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireTargetAnswer } from '../../engine/require-answer.ts';
import { HTTPS_PORT } from './lib/probe-tls.ts';
import { sslFields, SslReport, toSslReport } from './lib/check-ssl.ts';

export const sslCheck = defineOperation({
  id: 'ssl_check',
  area: 'domain',
  title: 'TLS check',
  description:
    'The TLS certificate and settings of a name on port 443: chain as sent and as built, each protocol version tried, key and cipher strengths, and a grade with the caps that led to it.',
  route: 'GET /v1/ssl/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Ssl', {
    domain: z.string(),
    ...sslFields,
    cert_valid: z.boolean().meta({ description: 'As valid.' }),
    days_until_expiry: z.number().int().nullable().meta({ description: 'As days_remaining.' }),
  }),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Certificate, chain, expiry, protocol versions and TLS grade of a name, tried live. For HTTP headers use scan_headers.',
    openWorld: true,
  },
  falsifiableFields: ['issuer', 'not_after', 'san', 'chain', 'protocols'],
  async answer({ domain }, context) {
    const outcome = await context.ask(tls, { host: domain, port: HTTPS_PORT, certificateOnly: false });
    const facts = requireTargetAnswer(outcome, domain, 'did not answer over TLS on port 443');
    for (const version of TLS_VERSIONS) {
      if (facts.protocols[version] === null)
        context.evidence.addGap(`whether it accepts ${tlsVersionLabel(version)} is not known`);
    }
    if (!facts.insecure.complete) context.evidence.addGap('not all insecure cipher suites could be tried');
    if (facts.issuerUnknown)
      context.evidence.addGap('the certificate of an issuer could not be fetched from its published address');
    const ssl = toSslReport(facts, context.now);
    return {
      domain,
      ...ssl,
      cert_valid: ssl.valid,
      days_until_expiry: ssl.days_remaining,
      summary: summaryOf(domain, ssl),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'scan_headers', input: domain, reason: 'Whether HSTS keeps browsers on TLS.' },
    { tool: 'domain_report', input: domain, reason: 'DNS, registration and mail posture of the same name.' },
  ],
});

function summaryOf(domain: string, ssl: SslReport): string {
  const reasons = ssl.caps.slice(0, 2).map(({ reason }) => reason);
  const days = ssl.days_remaining;
  if (days === null)
    return joinSummary(`${domain}: TLS grade ${ssl.grade}, NO certificate, ${ssl.protocol}.`, ...reasons);
  const time = days < 0 ? `expired ${formatCount(-days, 'day')} ago` : `${formatCount(days, 'day')} left`;
  return joinSummary(
    `${domain}: TLS grade ${ssl.grade}, ${ssl.valid ? 'a valid' : 'NOT a valid'} certificate of ${ssl.issuer ?? 'an unnamed issuer'}, ${time}, ${ssl.protocol}.`,
    ...reasons,
  );
}
