import { lookUpDmarc } from '../../../analysis/email/dmarc/look-up-dmarc.ts';
import type { MailFacts } from '../../../analysis/email/posture/mail-facts.ts';
import { assessPosture, type Posture } from '../../../analysis/email/posture/assess-posture.ts';
import { lookUpMxProblems } from '../../../analysis/email/look-up-mx-problems.ts';
import { lookUpSpf } from '../../../analysis/email/spf/look-up-spf.ts';
import type { DnsAnswer } from '../../../net/dns/answer.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { nxdomainError, requireTargetAnswer } from '../../../engine/require-answer.ts';
import { lookUpDkim } from './look-up-dkim.ts';
import { createMailDns, lookUpMailServers } from './mail-dns.ts';
import { lookUpMailServerFacts } from './look-up-mail-server-facts.ts';
import { lookUpBimi, lookUpMtaSts, lookUpTlsRpt } from './look-up-transport.ts';

export interface EmailPosture {
  facts: MailFacts;
  posture: Posture;
  /** Outcome of the MX query; says how it failed where the DNS did not answer at all. */
  mxResult: SourceResult<DnsAnswer>;
}

export interface PostureOptions {
  /** DKIM selectors to try in addition to the common ones. */
  selectors?: readonly string[];
  /** Skips DKIM and the MTA-STS policy; their points are not deducted. */
  lite?: boolean;
  /** Also what mail servers show on port 25 (STARTTLS, DANE), and the files of BIMI, which takes seconds. */
  servers?: boolean;
}

/** How a domain protects its mail, with score and grade; parts without an answer are null. Null: the domain does not exist. */
export async function checkEmailPosture(
  context: Context,
  domain: string,
  { selectors = [], lite = false, servers: withServers = false }: PostureOptions = {},
): Promise<EmailPosture | null> {
  const dns = createMailDns(context);
  const [{ outcome, exists, mx }, texts] = await Promise.all([lookUpMailServers(context, domain), dns.txt(domain)]);
  if (exists === false) return null;
  if (texts === null && outcome.status === 'unavailable' && outcome.timedOut) dns.stop();
  const [mxProblems, spf, dmarc, dkim, mtaSts, tlsRpt, bimi, servers] = await Promise.all([
    lite || mx === null ? null : lookUpMxProblems(mx, dns),
    lookUpSpf(domain, dns),
    lookUpDmarc(domain, dns),
    lite ? null : lookUpDkim(domain, selectors, dns),
    lookUpMtaSts(context, { domain, mx, dns, fetchPolicy: !lite }),
    lookUpTlsRpt(domain, dns),
    lookUpBimi(context, { domain, dns, fetchFiles: withServers }),
    withServers ? lookUpMailServerFacts(context, mx) : null,
  ]);
  const facts: MailFacts = { mx, mxProblems, spf, dmarc, dkim, mtaSts, tlsRpt, bimi, servers };
  return { facts, posture: assessPosture(facts), mxResult: outcome };
}

/** Findings that cost points or ask for a change. */
export function actionableFindings({ findings }: Posture): Posture['findings'] {
  return findings.filter(({ status }) => status === 'fail' || status === 'warn');
}

/** As checkEmailPosture, but throws 404 for an unknown domain, 502 or 504 where the DNS gave no answer. */
export async function requireEmailPosture(
  context: Context,
  domain: string,
  options?: PostureOptions,
): Promise<EmailPosture> {
  const found = await checkEmailPosture(context, domain, options);
  if (found === null) throw nxdomainError(domain);
  const { mx, spf, dmarc } = found.facts;
  if (mx === null && spf.present === null && dmarc.present === null) {
    requireTargetAnswer(found.mxResult, domain, 'could not be looked up in the DNS');
  }
  return found;
}
