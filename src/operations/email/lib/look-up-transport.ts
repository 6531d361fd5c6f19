import type { MailDns, MxRecord } from '../../../analysis/email/mail-dns.ts';
import type { MailFacts, MtaStsFacts } from '../../../analysis/email/posture/mail-facts.ts';
import {
  parseBimiRecord,
  isHostCovered,
  parseMtaStsRecord,
  parseMtaStsPolicy,
  parseTlsRptRecord,
} from '../../../analysis/email/transport-records.ts';
import { bimiFiles } from '../../../sources/bimi.ts';
import { mtaSts } from '../../../sources/mta-sts.ts';
import type { Context } from '../../../engine/context.ts';

/** MTA-STS record (RFC 8461) and, if `fetchPolicy`, the policy file. Null: the DNS did not answer. */
export async function lookUpMtaSts(
  context: Context,
  {
    domain,
    mx,
    dns,
    fetchPolicy,
  }: { domain: string; mx: readonly MxRecord[] | null; dns: MailDns; fetchPolicy: boolean },
): Promise<MtaStsFacts | null> {
  const texts = await dns.txt(`_mta-sts.${domain}`);
  if (texts === null) return null;
  const record = parseMtaStsRecord(texts);
  const survey: MtaStsFacts = {
    present: record !== null,
    record: record?.text ?? null,
    id: record?.id ?? null,
    policy: null,
    policyProblem: null,
    uncovered: [],
  };
  if (record === null || !fetchPolicy) return survey;
  const outcome = await context.ask(mtaSts, domain);
  if (outcome.status !== 'ok') return survey;
  if ('problem' in outcome.found) return { ...survey, policyProblem: outcome.found.problem };
  const policy = parseMtaStsPolicy(outcome.found.body);
  if (typeof policy === 'string') return { ...survey, policyProblem: `cannot be used: ${policy}` };
  const hosts = (mx ?? []).map(({ exchange }) => exchange).filter((host) => host !== '');
  const uncovered = policy.mode === 'none' ? [] : hosts.filter((host) => !isHostCovered(policy, host));
  return { ...survey, policy, uncovered };
}

/** The TLS-RPT record (RFC 8460). Null: the DNS did not answer. */
export async function lookUpTlsRpt(domain: string, dns: MailDns): Promise<MailFacts['tlsRpt']> {
  const texts = await dns.txt(`_smtp._tls.${domain}`);
  if (texts === null) return null;
  const record = parseTlsRptRecord(texts);
  return { present: record !== null, record: record?.text ?? null, ruaUris: record?.ruaUris ?? [] };
}

/** The default BIMI record and, if `fetchFiles`, its logo and mark certificate. Null: the DNS did not answer. */
export async function lookUpBimi(
  context: Context,
  { domain, dns, fetchFiles }: { domain: string; dns: MailDns; fetchFiles: boolean },
): Promise<MailFacts['bimi']> {
  const texts = await dns.txt(`default._bimi.${domain}`);
  if (texts === null) return null;
  const record = parseBimiRecord(texts);
  if (record === null) return { present: false };
  const unseen = { present: true as const, ...record, logoProblems: null, markCertificate: null };
  const { logo, evidence } = record;
  if (!fetchFiles || (logo === null && evidence === null)) return unseen;
  const outcome = await context.ask(bimiFiles, { domain, logo, evidence });
  return outcome.status === 'ok' ? { ...unseen, ...outcome.found } : unseen;
}
