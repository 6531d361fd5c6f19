import { isHostName } from '../../../analysis/domain-name.ts';
import type { MxRecord } from '../../../analysis/email/mail-dns.ts';
import type { DaneFacts, MailServerFacts } from '../../../analysis/email/posture/mail-facts.ts';
import { formatTlsa, matchesTlsa, tlsaProblem, type TlsaRecord } from '../../../analysis/email/tlsa.ts';
import { dns } from '../../../sources/dns.ts';
import { dnssec } from '../../../sources/dnssec.ts';
import { smtp, type SmtpFacts } from '../../../sources/smtp.ts';
import type { Context } from '../../../engine/context.ts';

const MAX_SERVERS = 4;

/** The first mail servers: whether they start TLS, with which certificate, and their TLSA records. Null: the MX records are unknown. */
export async function lookUpMailServerFacts(
  context: Context,
  mx: readonly MxRecord[] | null,
): Promise<MailServerFacts[] | null> {
  if (mx === null) return null;
  const named = [...new Set(mx.map(({ exchange }) => exchange).filter((host) => host !== ''))];
  // Names go into commands to paste.
  const hosts = named.filter(isHostName);
  if (hosts.length < named.length)
    context.evidence.addGap('mail servers whose names are no host names were not looked at');
  if (hosts.length > MAX_SERVERS)
    context.evidence.addGap(`of ${hosts.length} mail servers, the first ${MAX_SERVERS} were looked at`);
  return Promise.all(hosts.slice(0, MAX_SERVERS).map((host) => lookUpServer(context, host)));
}

async function lookUpServer(context: Context, host: string): Promise<MailServerFacts> {
  const [outcome, records] = await Promise.all([context.ask(smtp, { host }), lookUpTlsa(context, host)]);
  const seen = outcome.status === 'ok' ? outcome.found : null;
  if (seen === null)
    context.evidence.addGap(`whether ${host} starts TLS is not known: its port 25 could not be reached from here`);
  return {
    host,
    startTls: seen === null ? null : seen.tls !== null,
    said: seen?.said ?? null,
    protocol: seen?.tls?.protocol ?? null,
    certificateProblem: seen?.tls?.certificateProblem ?? null,
    notAfter: seen?.tls?.notAfter ?? null,
    dane: records === null ? null : daneFacts(records, seen?.tls ?? null),
  };
}

interface TlsaRecords {
  records: TlsaRecord[];
  signed: boolean;
  unsignedReason: string | null;
}

function daneFacts({ records, signed, unsignedReason }: TlsaRecords, tls: SmtpFacts['tls']): DaneFacts {
  const problems = records.map(tlsaProblem).filter((problem) => problem !== null);
  const usable = records.length - problems.length;
  const chain = tls?.chain ?? [];
  const publicKeySha256 = chain[0]?.forms[1]?.[1];
  return {
    records: records.map(formatTlsa),
    signed,
    unsignedReason,
    usable,
    problems: [...new Set(problems)],
    matches: usable === 0 || chain.length === 0 ? null : records.some((record) => matchesTlsa(record, chain)),
    fitting: publicKeySha256 === undefined ? null : `3 1 1 ${publicKeySha256}`,
  };
}

/** TLSA records of a mail server, and whether they are validated by DNSSEC. Null: the DNS did not answer. */
async function lookUpTlsa(context: Context, host: string): Promise<TlsaRecords | null> {
  const outcome = await context.ask(dns, { name: `_25._tcp.${host}`, type: 'TLSA', dnssec: true });
  if (outcome.status !== 'ok') return null;
  const { authenticated } = outcome.found;
  const records = outcome.found.records.flatMap(({ data }) => toTlsaRecord(data));
  const unsignedReason = records.length === 0 || authenticated ? null : await whyUnsigned(context, host);
  return { records, signed: authenticated || (records.length > 0 && unsignedReason === null), unsignedReason };
}

/** From the form of `dns-packet`. */
function toTlsaRecord(data: unknown): TlsaRecord[] {
  if (typeof data !== 'object' || data === null || !('certificate' in data)) return [];
  const { usage, selector, matchingType, certificate } = data as Omit<TlsaRecord, 'data'> & { certificate: Uint8Array };
  return [{ usage, selector, matchingType, data: Buffer.from(certificate).toString('hex') }];
}

/**
 * A resolver that does not validate says nothing of a signature: then the chain to the name of the mail server decides, in whose
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
