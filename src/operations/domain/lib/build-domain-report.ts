import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { LETTER_GRADES } from '../../../analysis/letter-grade.ts';
import { MOST_COMMON_SUBDOMAINS } from '../../../analysis/dns/common-subdomains.ts';
import { assessDomainRisk, RISK_PARTS } from '../../../analysis/domain-risk.ts';
import type { Context } from '../../../engine/context.ts';
import type { gradeSiteHeaders } from '../../web/lib/grade-site-headers.ts';
import { checkEmailPosture } from '../../email/lib/email-posture.ts';
import { type DomainThreat, threatFields, lookUpDomainThreat } from './look-up-domain-threat.ts';
import { Certificates, lookUpCertificates } from './look-up-certificates.ts';
import { DnsRecords, lookUpDnsRecords } from './look-up-dns-records.ts';
import { EmailSummary, presentEmailSummary } from './email-summary.ts';
import { lookUpRegistration } from './look-up-registration.ts';
import { AddressReputation, lookUpAddressReputations } from './address-reputation.ts';
import { ReverseDns, lookUpReverseDns } from './reverse-dns.ts';
import { openFindings } from './open-findings.ts';
import { toRiskSignals } from './risk-signals.ts';
import { sslFields, checkSsl } from './check-ssl.ts';
import { Subdomain, findSubdomains } from './find-subdomains.ts';
import { describeTls } from './probe-tls.ts';
import { WafDetection, detectDomainWaf } from './waf-detection.ts';
import { presentWhois, Whois } from './present-whois.ts';

const MAX_SHOWN_SUBDOMAINS = 50;
const RISK_MEMORY_SECONDS = 24 * 3600;
const liteFieldDescription = (what: string): string => `${what}; null in lite mode, and where it did not answer.`;

export const reportFields = {
  domain: z.string(),
  lite: z.boolean(),
  dns: DnsRecords.extend({
    total_txt_records: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Of all, before those of vendors were left out.' }),
  }),
  reverse_dns: z.array(ReverseDns).nullable().meta({ description: 'null: its addresses are not known.' }),
  whois: Whois.nullable().meta({ description: liteFieldDescription('Registration') }),
  ssl: z.object(sslFields).nullable(),
  email_security: EmailSummary.nullable(),
  subdomains: z
    .object({
      count: z.number().int(),
      names: z.array(Subdomain),
      truncated: z.boolean(),
      wildcard: z.boolean().nullable(),
    })
    .nullable(),
  certificates: Certificates.nullable(),
  waf: WafDetection.nullable(),
  threat: z.object(threatFields).nullable(),
  reputation: z.array(AddressReputation).nullable(),
  risk: z.object({
    score: z.number().int().min(0).max(100).meta({ description: '0 to 100, lower is better.' }),
    grade: z.enum(LETTER_GRADES).meta({
      description:
        'By the score: B from 10, C 25, D 45, F 70. While a finding of this answer is open it is at best B (medium), C (high), D (critical).',
    }),
    factors: z.array(z.object({ id: z.string(), points: z.number().int(), reason: ForeignText })),
    not_assessed: z
      .array(z.enum(RISK_PARTS))
      .meta({ description: 'Parts of which nothing is known: the score would not show a risk there.' }),
  }),
  risk_score: z.number().int().meta({ description: 'As risk.score.' }),
};

const DomainReport = z.object(reportFields);
export type Report = z.output<typeof DomainReport>;

/** The part of a report that domain_monitor reads later. */
export type RememberedRisk = Pick<Report['risk'], 'score' | 'grade'>;

/** The report, and its TLS part as a phrase for summaries. `headers`: what else is known and counts for the risk. Throws 404 where the name does not exist; other parts are null where they failed. */
export async function buildDomainReport(
  context: Context,
  domain: string,
  {
    lite,
    allTxt,
    headers = null,
  }: { lite: boolean; allTxt: boolean; headers?: Promise<ReturnType<typeof gradeSiteHeaders> | null> | null },
): Promise<{ report: Report; tls: string }> {
  // All in parallel; if the name does not exist the other results are dropped.
  const recordsPromise = lookUpDnsRecords(context, domain).then(({ records }) => records);
  const addressesPromise = recordsPromise.then(({ a, aaaa }) =>
    a === null && aaaa === null ? null : [...(a ?? []), ...(aaaa ?? [])],
  );
  const unlessLite = <Part>(ask: () => Promise<Part>): Promise<Part | null> => (lite ? Promise.resolve(null) : ask());
  const [records, reverseNames, ssl, mail, waf, whois, subdomainsResult, certificates, threat, reputation] =
    await Promise.all([
      recordsPromise,
      addressesPromise.then((addresses) => addresses && lookUpReverseDns(context, addresses)),
      checkSsl(context, domain),
      checkEmailPosture(context, domain, { lite }),
      detectDomainWaf(context, domain, recordsPromise, lite),
      unlessLite(() => lookUpRegistration(context, domain)),
      unlessLite(() => findSubdomains(context, domain, MOST_COMMON_SUBDOMAINS)),
      unlessLite(() => lookUpCertificates(context, domain)),
      unlessLite<DomainThreat>(() => lookUpDomainThreat(context, domain)),
      unlessLite(() => addressesPromise.then((addresses) => addresses && lookUpAddressReputations(context, addresses))),
    ]);
  const whoisRecord = whois === null || whois.source === null ? null : presentWhois(whois, context);
  const email = mail === null ? null : presentEmailSummary(mail);
  const signals = toRiskSignals({ dns: records, ssl, mail: email, whois: whoisRecord, threat, reputation }, context);
  const findings = openFindings({ posture: mail?.posture ?? null, ssl, headers: await headers });
  const { score, grade, factors, notAssessed } = assessDomainRisk(signals, findings);
  const remembered: RememberedRisk = { score, grade };
  if (!lite) await context.memory.set('domain_risk', domain, remembered, RISK_MEMORY_SECONDS);
  const report = {
    domain,
    lite,
    dns: {
      ...records,
      txt: allTxt || records.txt === null ? records.txt : filterMailPolicyRecords(records.txt),
      total_txt_records: records.txt?.length ?? null,
    },
    reverse_dns: reverseNames,
    whois: whoisRecord,
    ssl: ssl === 'none' ? null : ssl,
    email_security: email,
    subdomains:
      subdomainsResult?.total == null
        ? null
        : {
            count: subdomainsResult.subdomains.length,
            names: subdomainsResult.subdomains.slice(0, MAX_SHOWN_SUBDOMAINS),
            truncated: subdomainsResult.subdomains.length > MAX_SHOWN_SUBDOMAINS,
            wildcard: subdomainsResult.wildcard,
          },
    certificates,
    waf,
    threat,
    reputation,
    risk: { score, grade, factors, not_assessed: notAssessed },
    risk_score: score,
  };
  return { report, tls: describeTls(ssl) };
}

/** Policies that protect mail. Vendors' verification strings are left out by default. */
const MAIL_RECORD_PATTERN = /^\s*v=(spf1|dmarc1|dkim1|stsv1|tlsrptv1)\b/i;

/** Of TXT records, the policies of mail (SPF, DMARC, DKIM, MTA-STS, TLS-RPT), which a report shows by default. */
export function filterMailPolicyRecords(txt: readonly string[]): string[] {
  return txt.filter((record) => MAIL_RECORD_PATTERN.test(record));
}
