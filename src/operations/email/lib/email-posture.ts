import { discoverDmarc } from '../../../analysis/email/dmarc/discover-dmarc.ts';
import type { MailFacts } from '../../../analysis/email/posture/mail-facts.ts';
import { assessPosture, type Posture } from '../../../analysis/email/posture/assess-posture.ts';
import { surveySpf } from '../../../analysis/email/spf/survey-spf.ts';
import type { DnsAnswer } from '../../../net/dns/answer.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { nxdomainError, requireTargetAnswer } from '../../../engine/require-answer.ts';
import { surveyDkim } from './survey-dkim.ts';
import { createMailDns, lookUpMailServers } from './mail-dns.ts';
import { surveyBimi, surveyDane, surveyMtaSts, surveyTlsRpt } from './survey-transport.ts';

export interface EmailPosture {
  facts: MailFacts;
  posture: Posture;
  dane: { host: string; records: number; signed: boolean }[] | null;
  /** Of the question for mail servers: how it failed, where the DNS did not answer at all. */
  mxResult: SourceResult<DnsAnswer>;
}

export interface PostureOptions {
  /** DKIM selectors to try beside the common ones. */
  selectors?: readonly string[];
  /** Without DKIM, DANE and the domain's web server: what a few questions to the DNS tell. Their points are not taken off. */
  lite?: boolean;
}

/** How a domain protects its mail, with score and grade. Null: the domain does not exist. What did not answer is null in it. */
export async function checkEmailPosture(
  context: Context,
  domain: string,
  { selectors = [], lite = false }: PostureOptions = {},
): Promise<EmailPosture | null> {
  const dns = createMailDns(context);
  const [{ outcome, exists, mx }, texts] = await Promise.all([lookUpMailServers(context, domain), dns.txt(domain)]);
  if (exists === false) return null;
  if (texts === null && outcome.status === 'unavailable' && outcome.timedOut) dns.stop();
  const [spf, dmarc, dkim, mtaSts, tlsRpt, bimi, dane] = await Promise.all([
    surveySpf(domain, dns),
    discoverDmarc(domain, dns),
    lite ? null : surveyDkim(domain, selectors, dns),
    surveyMtaSts(context, { domain, mx, dns, fetchPolicy: !lite }),
    surveyTlsRpt(domain, dns),
    surveyBimi(domain, dns),
    lite ? null : surveyDane(context, mx),
  ]);
  const facts: MailFacts = { mx, spf, dmarc, dkim, mtaSts, tlsRpt, bimi };
  return { facts, posture: assessPosture(facts), dane, mxResult: outcome };
}

/** The same for an answer that is about nothing else: 404 where the domain does not exist, 502 or 504 where the DNS said nothing. */
export async function requireEmailPosture(
  context: Context,
  domain: string,
  options?: PostureOptions,
): Promise<EmailPosture> {
  const found = await checkEmailPosture(context, domain, options);
  if (found === null) throw nxdomainError(domain);
  const { mx, spf, dmarc } = found.facts;
  if (mx === null && spf.present === null && dmarc.present === null) {
    requireTargetAnswer(found.mxResult, domain, 'could not be asked about in the DNS');
  }
  return found;
}
