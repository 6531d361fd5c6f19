import { z } from 'zod';
import { isDkimSelector } from '../../analysis/email/dkim-key.ts';
import type { MailFacts } from '../../analysis/email/posture/mail-facts.ts';
import type { PostureFinding } from '../../analysis/email/posture/assess-posture.ts';
import { mailFixGuide } from '../../analysis/email/posture/mail-fix-guide.ts';
import { suggestMailRecord } from '../../analysis/email/posture/suggest-record.ts';
import { displayText } from '../../analysis/display-text.ts';
import { FixGuideField, isPastable, presentFixGuide } from '../../engine/fix-guide-field.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain, quoteInput } from '../../engine/input/identifiers.ts';
import { describeScore, formatCount, joinSummary } from '../../engine/summary.ts';
import { type EmailPosture, actionableFindings, requireEmailPosture } from './lib/email-posture.ts';
import {
  DkimKeyView,
  DkimStatus,
  DmarcView,
  presentDkimKeys,
  dkimStatusOf,
  presentDmarc,
  SpfView,
  presentSpf,
  verifiedSelectors,
} from './lib/present-email.ts';
import { CHECK_SEVERITIES } from '../../analysis/severity.ts';
import { LETTER_GRADES } from '../../analysis/letter-grade.ts';

const MAX_SELECTORS = 20;
const MAX_RECORD_CHARS = 500;
const MAX_TLSA = 20;

const SelectorsField = z
  .string()
  .max(1000)
  .transform((text, context) => {
    const selectors = text
      .split(',')
      .map((selector) => selector.trim())
      .filter((selector) => selector !== '');
    const broken = selectors.find((selector) => !isDkimSelector(selector));
    const message =
      selectors.length > MAX_SELECTORS
        ? `At most ${MAX_SELECTORS} selectors.`
        : broken !== undefined &&
          `${quoteInput(broken)} is not a DKIM selector. Accepted: names as in s= of a DKIM-Signature, for example selector1.`;
    if (message) context.addIssue({ code: 'custom', message });
    return message ? z.NEVER : selectors;
  })
  .meta({
    description: 'DKIM selectors to try beside the common ones, comma-separated.',
    examples: ['selector1,s2048'],
  });

const GradeField = z.enum(['A+', ...LETTER_GRADES]).nullable();

export const emailSecurityPosture = defineOperation({
  id: 'email_security_posture',
  area: 'email',
  title: 'E-mail security posture',
  description:
    'How a domain protects its mail: SPF by RFC 7208 with its lookups counted, DMARC by the tree walk of RFC 9989, DKIM keys under common and given selectors, MTA-STS with its policy fetched, TLS-RPT, BIMI and DANE; a score of 100 with what each finding takes off, and how to fix it.',
  route: 'GET /v1/email/security-posture/:domain',
  input: z.strictObject({ domain: Domain, selectors: SelectorsField.optional() }),
  output: lookupOutputSchema('EmailSecurityPosture', {
    domain: z.string(),
    spf: SpfView,
    dmarc: DmarcView,
    dkim: z.object({
      status: DkimStatus,
      verified_selectors: z.array(z.string()),
      tested_selectors: z.array(z.string()),
      keys: z.array(DkimKeyView),
    }),
    mta_sts: z
      .object({
        present: z.boolean(),
        record: ForeignText.nullable(),
        mode: z.enum(['enforce', 'testing', 'none']).nullable(),
        max_age: z.number().int().nullable(),
        mx: z.array(ForeignText).nullable(),
      })
      .nullable(),
    tls_rpt: z
      .object({ present: z.boolean(), record: ForeignText.nullable(), rua_uris: z.array(ForeignText) })
      .nullable(),
    bimi: z
      .object({
        present: z.boolean(),
        record: ForeignText.nullable(),
        logo: ForeignText.nullable(),
        certificate: ForeignText.nullable(),
        logo_problems: z
          .array(z.string())
          .nullable()
          .meta({ description: 'What keeps the logo from being shown; null: not fetched.' }),
        certificate_problem: z.string().nullable(),
        certificate_expires_at: z.string().nullable(),
      })
      .nullable(),
    mail_servers: z
      .array(
        z.object({
          host: ForeignText,
          starttls: z.boolean().nullable().meta({ description: 'Null: its port 25 could not be reached from here.' }),
          said: ForeignText.nullable().meta({ description: 'What it said instead of starting TLS.' }),
          tls_version: z.string().nullable(),
          certificate_problem: z.string().nullable().meta({ description: 'Null: valid for its name, or not seen.' }),
          certificate_expires_at: z.string().nullable(),
        }),
      )
      .nullable()
      .meta({ description: 'The first four.' }),
    dane: z
      .array(
        z.object({
          host: ForeignText,
          records: z.number().int(),
          signed: z.boolean(),
          unsigned_reason: ForeignText.nullable().meta({
            description: 'Why the records are without effect; null: they are signed, or there are none.',
          }),
          tlsa: z.array(z.string()),
          problems: z.array(z.string()).meta({ description: 'Of records that mail servers pass over.' }),
          matches: z.boolean().nullable().meta({ description: 'Null: not compared with the certificate.' }),
        }),
      )
      .nullable(),
    posture_score: z.number().int().nullable().meta({ description: '0 to 100, higher is better.' }),
    posture_grade: GradeField,
    all_findings: z.array(
      z.object({
        id: z.string(),
        check: z.string(),
        status: z.enum(['pass', 'info', 'warn', 'fail', 'unknown']),
        severity: z.enum(CHECK_SEVERITIES),
        points: z.number().int(),
        description: ForeignText,
        fix_hint: ForeignText.nullable(),
        suggested_record: z
          .object({ name: ForeignText, type: z.literal('TXT'), value: ForeignText })
          .nullable()
          .meta({
            description: 'To publish in place of the old one; null where that needs knowledge of who sends mail.',
          }),
        how_to_fix: FixGuideField,
      }),
    ),
  }),
  cost: 1,
  examples: [
    { title: 'A domain', input: { domain: 'example.com' } },
    { title: 'With a selector of its own', input: { domain: 'example.com', selectors: 'selector1,s2048' } },
  ],
  tool: {
    description:
      'Audit how a domain protects its mail from forgery: SPF, DMARC, DKIM, MTA-STS, TLS-RPT, BIMI; score, findings, fixes. For mail servers and provider alone use email_mx.',
    openWorld: true,
  },
  falsifiableFields: ['spf.record', 'dmarc.record', 'dkim.verified_selectors', 'mta_sts'],
  async answer({ domain, selectors = [] }, context) {
    const found = await requireEmailPosture(context, domain, { selectors, servers: true });
    const { facts, posture } = found;
    if (posture.score === null) context.evidence.addGap('no score: SPF or DMARC could not be read');
    return {
      domain,
      spf: presentSpf(facts),
      dmarc: presentDmarc(facts),
      dkim: {
        status: dkimStatusOf(facts),
        verified_selectors: verifiedSelectors(facts),
        tested_selectors: [...(facts.dkim?.tested ?? [])],
        keys: presentDkimKeys(facts.dkim),
      },
      ...presentTransport(found),
      ...presentServers(facts.servers),
      posture_score: posture.score,
      posture_grade: posture.grade,
      all_findings: posture.findings.map(({ remediation, description, ...finding }) => ({
        ...finding,
        description: displayText(description, MAX_RECORD_CHARS),
        fix_hint: remediation,
        suggested_record: suggestedRecordOf(finding.id, facts, domain),
        how_to_fix: needsGuide(finding) ? presentFixGuide(mailFixGuide(finding, facts, domain)) : null,
      })),
      summary: summaryOf(domain, found),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'email_mx', input: domain, reason: 'Mail servers and provider.' },
    { tool: 'domain_report', input: domain, reason: 'The domain as a whole.' },
  ],
});

/** Observations that take nothing off, and checks without a finding, need no change. */
function needsGuide({ status, points }: Pick<PostureFinding, 'status' | 'points'>): boolean {
  return status === 'warn' || status === 'fail' || points > 0;
}

function suggestedRecordOf(id: string, facts: MailFacts, domain: string) {
  const record = suggestMailRecord(id, facts, domain);
  return record !== null && isPastable(record) ? record : null;
}

function presentTransport({ facts: { mtaSts, tlsRpt, bimi } }: EmailPosture) {
  return {
    mta_sts: mtaSts && {
      present: mtaSts.present,
      record: mtaSts.record === null ? null : displayText(mtaSts.record, MAX_RECORD_CHARS),
      mode: mtaSts.policy?.mode ?? null,
      max_age: mtaSts.policy?.maxAge ?? null,
      mx: mtaSts.policy?.mx.map((host) => displayText(host, 253)) ?? null,
    },
    tls_rpt: tlsRpt && {
      present: tlsRpt.present,
      record: tlsRpt.record === null ? null : displayText(tlsRpt.record, MAX_RECORD_CHARS),
      rua_uris: tlsRpt.ruaUris.map((uri) => displayText(uri, 253)),
    },
    bimi:
      bimi &&
      (bimi.present
        ? {
            present: true,
            record: displayText(bimi.text, MAX_RECORD_CHARS),
            logo: bimi.logo === null ? null : displayText(bimi.logo, MAX_RECORD_CHARS),
            certificate: bimi.evidence === null ? null : displayText(bimi.evidence, MAX_RECORD_CHARS),
            logo_problems: bimi.logoProblems === null ? null : [...bimi.logoProblems],
            certificate_problem: bimi.markCertificate?.problem ?? null,
            certificate_expires_at: bimi.markCertificate?.notAfter ?? null,
          }
        : {
            present: false,
            record: null,
            logo: null,
            certificate: null,
            logo_problems: null,
            certificate_problem: null,
            certificate_expires_at: null,
          }),
  };
}

/** What mail servers show, and their TLSA records; of a server about which the DNS did not answer there is no row of DANE. */
function presentServers(servers: MailFacts['servers']) {
  const withDane = (servers ?? []).filter(({ dane }) => dane !== null);
  return {
    mail_servers:
      servers?.map(({ host, startTls, said, protocol, certificateProblem, notAfter }) => ({
        host: displayText(host, 253),
        starttls: startTls,
        said: said === null ? null : displayText(said, MAX_RECORD_CHARS),
        tls_version: protocol,
        certificate_problem: certificateProblem,
        certificate_expires_at: notAfter,
      })) ?? null,
    dane:
      servers === null || (servers.length > 0 && withDane.length === 0)
        ? null
        : withDane.map(({ host, dane }) => ({
            host: displayText(host, 253),
            records: dane!.records.length,
            signed: dane!.signed,
            unsigned_reason: dane!.unsignedReason === null ? null : displayText(dane!.unsignedReason, MAX_RECORD_CHARS),
            tlsa: dane!.records.slice(0, MAX_TLSA),
            problems: [...dane!.problems],
            matches: dane!.matches,
          })),
  };
}

function summaryOf(domain: string, { facts, posture }: EmailPosture): string {
  const worst = actionableFindings(posture);
  const dmarc = facts.dmarc.present === null ? 'unknown' : (facts.dmarc.effectivePolicy ?? describeMissingDmarc(facts));
  return joinSummary(
    posture.grade === null
      ? `${domain}: no grade, as the DNS did not answer.`
      : `${domain}: e-mail posture ${posture.grade} (${describeScore(posture.score!, 'higher')}).`,
    `SPF ${describeSpf(facts)}, DMARC ${dmarc}, DKIM ${dkimStatusOf(facts)}.`,
    worst.length > 0 && `${formatCount(worst.length, 'finding')}, first: ${worst[0]!.description}`,
  );
}

function describeSpf({ spf }: MailFacts): string {
  if (spf.present === null) return 'unknown';
  if (!spf.present) return 'missing';
  if (spf.records.length > 1) return 'permerror (several records)';
  if (spf.syntaxError !== null) return 'permerror (broken record)';
  return `all: ${spf.allPolicy ?? (spf.lookupCount === null ? 'unknown' : 'none')}`;
}

function describeMissingDmarc({ dmarc }: MailFacts): string {
  if (dmarc.multipleAt !== null) return 'without effect (several records)';
  return dmarc.malformed === null ? 'missing' : 'malformed';
}
