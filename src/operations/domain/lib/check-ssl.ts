import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { LETTER_GRADES } from '../../../analysis/letter-grade.ts';
import { SEVERITIES } from '../../../analysis/severity.ts';
import { describeChainOddities } from '../../../analysis/tls/chain-notes.ts';
import {
  type CertificateFacts,
  certificationPath,
  PROTOCOL_VERSIONS,
  type TlsFacts,
} from '../../../analysis/tls/tls-facts.ts';
import { tlsVersionLabel } from '../../../analysis/tls/version-label.ts';
import { gradeTls } from '../../../analysis/tls/grade-tls.ts';
import { CertificateRow, presentCertificate } from './certificate-row.ts';
import type { Context } from '../../../engine/context.ts';
import { daysUntil } from '../../../engine/time-units.ts';
import { isTlsAbsent, probeTls } from './probe-tls.ts';

export const sslFields = {
  valid: z.boolean().meta({ description: 'Trusted, for this name, and at this time.' }),
  issuer: ForeignText.nullable(),
  subject: ForeignText.nullable(),
  not_before: z.string().nullable(),
  not_after: z.string().nullable(),
  days_remaining: z.number().int().nullable(),
  san: z.array(ForeignText),
  protocol: z.string(),
  protocols: z.record(z.string(), z.boolean().nullable()).meta({ description: 'null: not known.' }),
  cipher: z.object({ name: z.string(), bits: z.number().int().nullable(), forward_secrecy: z.boolean() }),
  chain: z.array(CertificateRow),
  chain_status: z.enum(['trusted', 'incomplete', 'self_signed', 'unknown_issuer']).meta({
    description:
      'incomplete: certificates of issuers were not sent. They were fetched, or nothing leads to a root: then valid is false.',
  }),
  chain_notes: z
    .array(ForeignText)
    .meta({ description: 'Oddities of the chain as sent, which do not change the grade.' }),
  ocsp_stapled: z.boolean(),
  must_staple: z.boolean(),
  grade: z.enum(LETTER_GRADES),
  score: z.number().int(),
  caps: z.array(
    z.object({
      id: z.string(),
      at_best: z.string(),
      severity: z.enum(SEVERITIES),
      reason: ForeignText,
      remedy: z.string(),
    }),
  ),
};

export const SslReport = z.object(sslFields);
export type SslReport = z.output<typeof SslReport>;

/**
 * Certificate and TLS settings for reports. `none`: no TLS on port 443, which is an answer; null: unknown, recorded as a gap.
 */
export async function checkSsl(context: Context, domain: string): Promise<SslReport | 'none' | null> {
  const outcome = await probeTls(context, domain, 'certificate');
  if (outcome.status === 'ok') return toSslReport(outcome.found, context.now);
  return isTlsAbsent(outcome) ? 'none' : null;
}

/** Grades the TLS facts; `valid` needs a trusted chain, a matching name and current validity. */
export function toSslReport(facts: TlsFacts, now: Date): SslReport {
  const { chain, negotiated, trust } = facts;
  const path = certificationPath(facts);
  const [leaf] = path;
  const { grade, score, caps } = gradeTls(facts, now);
  return {
    valid:
      leaf !== undefined &&
      facts.nameMatches &&
      (trust === 'trusted' || trust === 'incomplete') &&
      !isOutsideValidity(path, now),
    issuer: leaf === undefined ? null : (leaf.issuerOrganization ?? leaf.issuerName),
    subject: leaf?.commonName ?? leaf?.names[0] ?? null,
    not_before: leaf?.notBefore ?? null,
    not_after: leaf?.notAfter ?? null,
    days_remaining: leaf === undefined ? null : daysUntil(leaf.notAfter, now),
    san: [...(leaf?.names ?? [])],
    protocol: tlsVersionLabel(negotiated.protocol),
    protocols: Object.fromEntries(
      PROTOCOL_VERSIONS.map((version) => [tlsVersionLabel(version), facts.protocols[version]]),
    ),
    cipher: {
      name: negotiated.standardCipher,
      bits: negotiated.bits,
      forward_secrecy: negotiated.protocol === 'TLSv1.3' || facts.keyExchange !== null,
    },
    chain: chain.map(presentCertificate),
    chain_status: trust === 'missing_issuer' ? 'incomplete' : trust,
    chain_notes: describeChainOddities(facts),
    ocsp_stapled: facts.staple !== null,
    must_staple: leaf?.mustStaple ?? false,
    grade,
    score,
    caps: caps.map(({ id, atBest, severity, description, remediation }) => ({
      id,
      at_best: atBest,
      severity,
      reason: description,
      remedy: remediation,
    })),
  };
}

function isOutsideValidity(path: readonly CertificateFacts[], now: Date): boolean {
  const time = now.getTime();
  return path.some(({ notBefore, notAfter }) => time < Date.parse(notBefore) || time > Date.parse(notAfter));
}
