import { z } from 'zod';
import { MOST_COMMON_SUBDOMAINS } from '../../analysis/dns/common-subdomains.ts';
import { assessDomainRisk } from '../../analysis/domain-risk.ts';
import { isPublicIp } from '../../analysis/ip-address.ts';
import type { Context } from '../../engine/context.ts';
import { checkEmailPosture } from '../email/lib/email-posture.ts';
import { type DomainThreat, threatFields, lookUpDomainThreat } from './threat-intel.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { capitalise, formatCount, summarise } from '../../engine/summary.ts';
import { Certificates, lookUpCertificates } from './certs-lookup.ts';
import { DnsRecords, lookUpDnsRecords } from './dns-lookup.ts';
import { EmailSummary, presentEmailSummary } from './lib/email-summary.ts';
import { lookUpRegistration } from './lib/look-up-registration.ts';
import { AddressReputation, lookUpAddressReputations } from './lib/address-reputation.ts';
import { ReverseDns, lookUpReverseDns } from './lib/reverse-dns.ts';
import { toRiskSignals } from './lib/risk-signals.ts';
import { sslFields, checkSsl } from './ssl-check.ts';
import { Subdomain, findSubdomains } from './subdomain-enum.ts';
import { filterMailRecords } from './lib/mail-txt-records.ts';
import { describeTls } from './lib/probe-tls.ts';
import { WafDetection, detectDomainWaf } from './lib/waf-detection.ts';
import { presentWhois, Whois } from './whois-lookup.ts';

const DEADLINE_MS = 12_000;
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
  reverse_dns: z.array(ReverseDns),
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
    score: z.number().int().min(0).max(100),
    grade: z.enum(['A', 'B', 'C', 'D', 'F']),
    factors: z.array(z.object({ id: z.string(), points: z.number().int(), reason: z.string() })),
  }),
};
const DomainReport = z.object(reportFields);
export type Report = z.output<typeof DomainReport>;

/** The part of a report that domain_monitor reads later. */
export type RememberedRisk = Pick<Report['risk'], 'score' | 'grade'>;

export const domainReport = defineOperation({
  id: 'domain_report',
  area: 'domain',
  title: 'Domain report',
  description:
    'All that is known of a domain, side by side under one deadline: DNS, registration, TLS, mail, subdomains, certificates, threats, and a risk score with its factors. `lite` asks the DNS and the TLS server alone. What did not answer in time is null, and the verdict says so.',
  route: 'GET /v1/domain/:domain',
  subject: { kind: 'domain', field: 'domain' },
  input: z.strictObject({
    domain: Domain,
    lite: z
      .boolean()
      .default(false)
      .meta({ description: 'About a quarter of a second: no registration, subdomains, logs, threats, reputation.' }),
    include_all_txt: z.boolean().default(false).meta({ description: 'Also TXT records that are not about mail.' }),
  }),
  output: lookupOutputSchema('DomainReport', reportFields),
  cost: 1,
  deadlineMs: DEADLINE_MS,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'First look at a domain: DNS, registration, TLS, mail, subdomains, threats, and a risk score. One aspect alone is faster: dns_lookup, whois_lookup, ssl_check. With technologies: audit_domain.',
    openWorld: true,
  },
  falsifiableFields: ['dns', 'whois', 'ssl', 'certificates'],
  async answer({ domain, lite, include_all_txt }, context) {
    const { report, tls } = await buildDomainReport(context, domain, lite, include_all_txt);
    return { ...report, summary: summaryOf(report, tls) };
  },
  nextCalls: ({ domain, risk, email_security, dns }) => [
    { tool: 'contrast_scan', input: domain, reason: 'What its web server shows, with findings to fix.' },
    ...(risk.grade === 'D' || risk.grade === 'F'
      ? [{ tool: 'ioc_lookup', input: domain, reason: 'What threat lists say of it.' }]
      : []),
    ...(email_security?.grade === 'F' || email_security?.grade === 'D'
      ? [{ tool: 'email_security_posture', input: domain, reason: 'Each mail finding with its fix.' }]
      : []),
    ...(dns.a ?? [])
      .filter(isPublicIp)
      .slice(0, 1)
      .map((ip) => ({ tool: 'threat_report', input: ip, reason: 'Who else is at its address.' })),
  ],
});

/** The report, and its TLS part as a phrase for summaries. Throws 404 where the name does not exist; other parts are null where they failed. */
export async function buildDomainReport(
  context: Context,
  domain: string,
  lite: boolean,
  allTxt: boolean,
): Promise<{ report: Report; tls: string }> {
  // All in parallel; if the name does not exist the other results are dropped.
  const recordsPromise = lookUpDnsRecords(context, domain).then(({ records }) => records);
  const addressesPromise = recordsPromise.then(({ a, aaaa }) => [...(a ?? []), ...(aaaa ?? [])]);
  const unlessLite = <Part>(ask: () => Promise<Part>): Promise<Part | null> => (lite ? Promise.resolve(null) : ask());
  const [records, reverseNames, ssl, mail, waf, whois, subdomainsResult, certificates, threat, reputation] =
    await Promise.all([
      recordsPromise,
      addressesPromise.then((addresses) => lookUpReverseDns(context, addresses)),
      checkSsl(context, domain),
      checkEmailPosture(context, domain, { lite }),
      detectDomainWaf(context, domain, recordsPromise, lite),
      unlessLite(() => lookUpRegistration(context, domain)),
      unlessLite(() => findSubdomains(context, domain, MOST_COMMON_SUBDOMAINS)),
      unlessLite(() => lookUpCertificates(context, domain)),
      unlessLite<DomainThreat>(() => lookUpDomainThreat(context, domain)),
      unlessLite(async () => lookUpAddressReputations(context, await addressesPromise)),
    ]);
  const whoisRecord = whois === null || whois.source === null ? null : presentWhois(whois, context);
  const email = mail === null ? null : presentEmailSummary(mail);
  const signals = toRiskSignals({ dns: records, ssl, mail: email, whois: whoisRecord, threat, reputation }, context);
  const risk = assessDomainRisk(signals);
  const remembered: RememberedRisk = { score: risk.score, grade: risk.grade };
  if (!lite) await context.memory.set('domain_risk', domain, remembered, RISK_MEMORY_SECONDS);
  const report = {
    domain,
    lite,
    dns: {
      ...records,
      txt: allTxt || records.txt === null ? records.txt : filterMailRecords(records.txt),
      total_txt_records: records.txt?.length ?? null,
    },
    reverse_dns: reverseNames,
    whois: whoisRecord,
    ssl: ssl === 'none' ? null : ssl,
    email_security: email,
    subdomains:
      subdomainsResult === null
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
    risk,
  };
  return { report, tls: describeTls(ssl) };
}

function summaryOf({ domain, risk, email_security, whois, threat, lite }: Report, tls: string): string {
  const [worst] = risk.factors;
  return summarise(
    `${domain}: risk ${risk.score} of 100 (${risk.grade})${worst === undefined ? '' : `, above all: ${worst.reason}`}`,
    `${capitalise(tls)}.`,
    email_security !== null && `Mail posture ${email_security.grade ?? 'unknown'}.`,
    whois?.creation_date != null && `Registered since ${whois.creation_date.slice(0, 10)}.`,
    threat?.url_count != null && threat.url_count > 0 && `${formatCount(threat.url_count, 'malware address')} listed.`,
    lite && 'A lite report.',
  );
}
