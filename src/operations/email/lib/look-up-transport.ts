import type { MailDns, MxRecord } from '../../../analysis/email/mail-dns.ts';
import type { MailFacts, MtaStsFacts } from '../../../analysis/email/posture/mail-facts.ts';
import {
  parseBimiRecord,
  isHostCovered,
  parseMtaStsRecord,
  parseMtaStsPolicy,
  parseTlsRptRecord,
} from '../../../analysis/email/transport-records.ts';
import { dns as dnsSource } from '../../../sources/dns.ts';
import { mtaSts } from '../../../sources/mta-sts.ts';
import type { Context } from '../../../engine/context.ts';

const MAX_TLSA_HOSTS = 4;

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

/** The default BIMI record. Null: the DNS did not answer. */
export async function lookUpBimi(domain: string, dns: MailDns): Promise<MailFacts['bimi']> {
  const texts = await dns.txt(`default._bimi.${domain}`);
  if (texts === null) return null;
  const record = parseBimiRecord(texts);
  return record === null ? { present: false } : { present: true, ...record };
}

/** TLSA records of the first mail servers (DANE, RFC 7672); they count where the answer is signed. */
export async function lookUpDane(
  context: Context,
  mx: readonly MxRecord[] | null,
): Promise<{ host: string; records: number; signed: boolean }[] | null> {
  const hosts = (mx ?? []).map(({ exchange }) => exchange).filter((host) => host !== '');
  const found = await Promise.all(
    hosts.slice(0, MAX_TLSA_HOSTS).map(async (host) => {
      const outcome = await context.ask(dnsSource, { name: `_25._tcp.${host}`, type: 'TLSA', dnssec: true });
      if (outcome.status !== 'ok') return null;
      return { host, records: outcome.found.records.length, signed: outcome.found.authenticated };
    }),
  );
  return found.every((one) => one === null) && found.length > 0 ? null : found.filter((one) => one !== null);
}
