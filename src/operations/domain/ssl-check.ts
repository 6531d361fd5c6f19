import { z } from 'zod';
import { PROTOCOL_VERSIONS } from '../../analysis/tls/tls-facts.ts';
import { tlsVersionLabel } from '../../analysis/tls/version-label.ts';
import { tls } from '../../sources/tls/tls.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireTargetAnswer } from '../../engine/require-answer.ts';
import { HTTPS_PORT } from './lib/probe-tls.ts';
import { sslFields, SslReport, toSslReport } from './lib/check-ssl.ts';
import { type TlsSettings, tlsSettingFields, toTlsSettings } from './lib/tls-settings.ts';

export const sslCheck = defineOperation({
  id: 'ssl_check',
  area: 'domain',
  title: 'TLS check',
  description:
    'The TLS certificate and settings of a name on port 443: chain as sent and as built, every protocol version, cipher suite, group and signature algorithm that the server takes, resumption, renegotiation, OCSP, known attacks told without attacking, and a grade with the caps that led to it. At most 60 connections.',
  route: 'GET /v1/ssl/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Ssl', {
    domain: z.string(),
    ...sslFields,
    ...tlsSettingFields,
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
  falsifiableFields: ['issuer', 'not_after', 'san', 'chain', 'protocols', 'cipher_suites', 'groups'],
  async answer({ domain }, context) {
    const outcome = await context.ask(tls, { host: domain, port: HTTPS_PORT, detail: 'all' });
    const facts = requireTargetAnswer(outcome, domain, 'did not answer over TLS on port 443');
    for (const version of PROTOCOL_VERSIONS) {
      if (facts.protocols[version] === null)
        context.evidence.addGap(`whether it accepts ${tlsVersionLabel(version)} is not known`);
    }
    for (const gap of facts.gaps) context.evidence.addGap(gap);
    if (facts.issuerUnknown)
      context.evidence.addGap('the certificate of an issuer could not be fetched from its published address');
    const ssl = toSslReport(facts, context.now);
    const settings = toTlsSettings(facts, ssl.caps);
    return {
      domain,
      ...ssl,
      ...settings,
      cert_valid: ssl.valid,
      days_until_expiry: ssl.days_remaining,
      summary: summaryOf(domain, ssl, settings),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'scan_headers', input: domain, reason: 'Whether HSTS keeps browsers on TLS.' },
    { tool: 'domain_report', input: domain, reason: 'DNS, registration and mail posture of the same name.' },
  ],
});

function summaryOf(domain: string, ssl: SslReport, settings: TlsSettings): string {
  const reasons = [...ssl.caps.slice(0, 2).map(({ reason }) => reason), settingsPhrase(settings)];
  const days = ssl.days_remaining;
  if (days === null)
    return joinSummary(`${domain}: TLS grade ${ssl.grade}, NO certificate, ${ssl.protocol}.`, ...reasons);
  const time = days < 0 ? `expired ${formatCount(-days, 'day')} ago` : `${formatCount(days, 'day')} left`;
  return joinSummary(
    `${domain}: TLS grade ${ssl.grade}, ${ssl.valid ? 'a valid' : 'NOT a valid'} certificate of ${ssl.issuer ?? 'an unnamed issuer'}, ${time}, ${ssl.protocol}.`,
    ...reasons,
  );
}

function settingsPhrase({ cipher_suites: suites, post_quantum: postQuantum, attacks }: TlsSettings): string {
  const possible = attacks.filter(({ vulnerable }) => vulnerable === true).map(({ name }) => name);
  const exchange = postQuantum.groups === null ? 'not known' : postQuantum.groups.join(', ') || 'none';
  return joinSummary(
    `${formatCount(suites.length, 'cipher suite')}, post-quantum key exchange: ${exchange}.`,
    ...(possible.length > 0 ? [`Open to ${possible.join(', ')}.`] : []),
  );
}
