import { isQueryableName, type MailDns, type MxRecord } from '../../../analysis/email/mail-dns.ts';
import { type DnsAnswer, nameExists, type DnsRecordType } from '../../../net/dns/answer.ts';
import { dns } from '../../../sources/dns.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';

/** After this many consecutive timeouts no further query is sent. */
const MAX_CONSECUTIVE_TIMEOUTS = 6;

/** A MailDns that asks through the context, so that failures appear in the evidence. */
export function createMailDns(context: Context): MailDns & { stop(): void } {
  let consecutiveTimeouts = 0;
  const ask = async (name: string, type: DnsRecordType): Promise<unknown[] | null> => {
    // Names that cannot exist (unexpanded macros, typing errors) have no records.
    if (!isQueryableName(name) || !/^[\x21-\x5b\x5d-\x7e]+$/.test(name)) return [];
    if (consecutiveTimeouts >= MAX_CONSECUTIVE_TIMEOUTS) {
      context.evidence.addGap('the DNS was asked no further: it had not answered several questions');
      return null;
    }
    const outcome = await context.ask(dns, { name: name.toLowerCase(), type });
    consecutiveTimeouts = outcome.status === 'unavailable' && outcome.timedOut ? consecutiveTimeouts + 1 : 0;
    return outcome.status === 'ok' ? outcome.found.records.map(({ data }) => data) : null;
  };
  const texts = async (name: string, type: DnsRecordType): Promise<string[] | null> =>
    (await ask(name, type))?.map(String) ?? null;
  return {
    // Called after both first queries timed out: the rest would time out too.
    stop: () => void (consecutiveTimeouts = MAX_CONSECUTIVE_TIMEOUTS),
    txt: (name) => texts(name, 'TXT'),
    a: (name) => texts(name, 'A'),
    aaaa: (name) => texts(name, 'AAAA'),
    ptr: (name) => texts(name, 'PTR'),
    mx: async (name) => (await ask(name, 'MX'))?.flatMap(toMxRecords) ?? null,
  };
}

/** Mail servers of a domain, the most preferred first; null: the DNS did not answer. `exists`: the domain does. */
export async function lookUpMailServers(
  context: Context,
  domain: string,
): Promise<{ outcome: SourceResult<DnsAnswer>; exists: boolean | null; mx: MxRecord[] | null }> {
  const outcome = await context.ask(dns, { name: domain, type: 'MX' });
  if (outcome.status !== 'ok') return { outcome, exists: null, mx: null };
  const mx = outcome.found.records.flatMap(({ data }) => toMxRecords(data));
  mx.sort((a, b) => a.preference - b.preference || a.exchange.localeCompare(b.exchange));
  return { outcome, exists: nameExists(outcome.found), mx };
}

function toMxRecords(data: unknown): MxRecord[] {
  if (typeof data !== 'object' || data === null) return [];
  const { preference, exchange } = data as Partial<MxRecord>;
  if (typeof exchange !== 'string') return [];
  return [{ preference: preference ?? 0, exchange: exchange.toLowerCase().replace(/\.$/, '') }];
}
