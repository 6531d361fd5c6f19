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
import { dnssec } from '../../../sources/dnssec.ts';
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

/** The TLSA records of a mail server. */
export interface DaneRow {
  host: string;
  records: number;
  signed: boolean;
  /** Why the records are without effect; null: they are signed, or there are none. */
  unsigned_reason: string | null;
}

/** TLSA records of the first mail servers (DANE, RFC 7672); they count where the answer is signed. */
export async function lookUpDane(context: Context, mx: readonly MxRecord[] | null): Promise<DaneRow[] | null> {
  const hosts = (mx ?? []).map(({ exchange }) => exchange).filter((host) => host !== '');
  const found = await Promise.all(
    hosts.slice(0, MAX_TLSA_HOSTS).map(async (host): Promise<DaneRow | null> => {
      const outcome = await context.ask(dnsSource, { name: `_25._tcp.${host}`, type: 'TLSA', dnssec: true });
      if (outcome.status !== 'ok') return null;
      const { records, authenticated } = outcome.found;
      const reason = records.length === 0 || authenticated ? null : await whyUnsigned(context, host);
      return {
        host,
        records: records.length,
        signed: authenticated || (records.length > 0 && reason === null),
        unsigned_reason: reason,
      };
    }),
  );
  return found.every((one) => one === null) && found.length > 0 ? null : found.filter((one) => one !== null);
}

/**
 * A resolver that does not validate vouches for nothing, signed or not: then the chain to the name of the mail server decides, in whose
 * zone the records are. Null: that is signed.
 */
async function whyUnsigned(context: Context, host: string): Promise<string | null> {
  const outcome = await context.ask(dnssec, { name: host });
  if (outcome.status !== 'ok') return 'whether its zone is signed could not be found out';
  const { security, reason } = outcome.found;
  switch (security) {
    case 'secure':
      return null;
    case 'insecure':
      return `the zone of the mail server's name is not signed: ${reason}`;
    case 'bogus':
      return `the signatures of the mail server's name are not valid: ${reason}`;
    case 'indeterminate':
      return `whether its zone is signed could not be found out: ${reason}`;
  }
}
