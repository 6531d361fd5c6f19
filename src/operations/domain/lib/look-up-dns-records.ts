import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { cleanText, truncateAtWord, displayText } from '../../../analysis/display-text.ts';
import { type DnsAnswer, type DnsRecord, type DnsRecordType, nameExists } from '../../../net/dns/answer.ts';
import { dns } from '../../../sources/dns.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { nxdomainError, requireTargetAnswer } from '../../../engine/require-answer.ts';

const LOOKUP_RECORD_TYPES = ['A', 'AAAA', 'MX', 'NS', 'TXT', 'CNAME', 'SOA'] as const;
type LookupRecordType = (typeof LOOKUP_RECORD_TYPES)[number];
const MAX_RECORDS = 100;
const MAX_TXT_CHARS = 1000;
const NullableTextList = z.array(ForeignText).nullable();

export const DnsRecords = z.object({
  a: NullableTextList,
  aaaa: NullableTextList,
  mx: z.array(z.object({ priority: z.number().int(), exchange: ForeignText })).nullable(),
  ns: NullableTextList,
  txt: NullableTextList,
  cname: NullableTextList.meta({ description: 'The chain of aliases, in order.' }),
  soa: z
    .object({
      mname: ForeignText,
      rname: ForeignText,
      serial: z.number(),
      refresh: z.number(),
      retry: z.number(),
      expire: z.number(),
      minimum: z.number(),
    })
    .nullable(),
});
export type DnsRecords = z.output<typeof DnsRecords>;

export interface DnsLookupResult {
  records: DnsRecords;
  /** Seconds, the shortest of each type's records; null: no such record. */
  ttl: Record<Lowercase<LookupRecordType>, number | null>;
}

/**
 * Records of all seven types. A type whose query failed is null and recorded as a gap. Throws 404 for NXDOMAIN, 502 or 504 where no
 * query was answered.
 */
export async function lookUpDnsRecords(context: Context, domain: string): Promise<DnsLookupResult> {
  const outcomes = await Promise.all(LOOKUP_RECORD_TYPES.map((type) => context.ask(dns, { name: domain, type })));
  const answers = outcomes.map(answerOrNull);
  if (answers.every((answer) => answer === null))
    requireTargetAnswer(outcomes[0]!, domain, 'could not be looked up in the DNS');
  if (!answers.some((answer) => answer !== null && nameExists(answer))) throw nxdomainError(domain);
  const failed = LOOKUP_RECORD_TYPES.filter((_, index) => answers[index] === null);
  if (failed.length > 0) context.evidence.addGap(`no answer about ${failed.join(', ')} records`);
  const answerByType = new Map(LOOKUP_RECORD_TYPES.map((type, index) => [type, answers[index] ?? null] as const));
  const readRecords = <Read>(type: LookupRecordType, readData: (data: unknown) => Read | null): Read[] | null =>
    answerByType
      .get(type)
      ?.records.map(({ data }) => readData(data))
      .filter((value) => value !== null)
      .slice(0, MAX_RECORDS) ?? null;
  return {
    records: {
      a: readRecords('A', toHostName)?.sort() ?? null,
      aaaa: readRecords('AAAA', toHostName)?.sort() ?? null,
      mx:
        readRecords('MX', toMxRecord)?.sort((a, b) => a.priority - b.priority || (a.exchange < b.exchange ? -1 : 1)) ??
        null,
      ns: readRecords('NS', toHostName)?.sort() ?? null,
      txt: readRecords('TXT', toShownText),
      cname: longestAliasChain(answers.filter((answer) => answer !== null)) ?? readRecords('CNAME', toHostName),
      soa: readRecords('SOA', toSoaRecord)?.[0] ?? null,
    },
    ttl: Object.fromEntries(
      LOOKUP_RECORD_TYPES.map((type) => [type.toLowerCase(), minTtlSeconds(answerByType.get(type)?.records ?? [])]),
    ) as DnsLookupResult['ttl'],
  };
}

function answerOrNull(outcome: SourceResult<DnsAnswer>): DnsAnswer | null {
  return outcome.status === 'ok' ? outcome.found : null;
}

/** The records of one type; null: the query failed, which is recorded as evidence. */
export async function askDns(context: Context, name: string, type: DnsRecordType): Promise<DnsAnswer | null> {
  return answerOrNull(await context.ask(dns, { name, type }));
}

/** The longest alias chain of all answers: a CNAME query itself shows only the first link. */
function longestAliasChain(answers: readonly DnsAnswer[]): string[] | null {
  const longest = answers.map(({ aliases }) => aliases).sort((a, b) => b.length - a.length)[0] ?? [];
  return longest.length === 0 ? null : longest.map((name) => toHostName(name)!).slice(0, MAX_RECORDS);
}

function toHostName(data: unknown): string | null {
  return typeof data === 'string'
    ? truncateAtWord(
        cleanText(data)
          .toLowerCase()
          .replace(/(.)\.$/, '$1'),
        255,
      )
    : null;
}

function toShownText(data: unknown): string | null {
  return typeof data === 'string' ? displayText(data, MAX_TXT_CHARS) : null;
}

const MxData = z.object({ preference: z.number(), exchange: z.string() });

function toMxRecord(data: unknown): { priority: number; exchange: string } | null {
  const parsed = MxData.safeParse(data);
  return parsed.success ? { priority: parsed.data.preference, exchange: toHostName(parsed.data.exchange)! } : null;
}

function toSoaRecord(data: unknown): NonNullable<DnsRecords['soa']> | null {
  const parsed = DnsRecords.shape.soa.unwrap().safeParse(data);
  return parsed.success
    ? { ...parsed.data, mname: toHostName(parsed.data.mname)!, rname: toHostName(parsed.data.rname)! }
    : null;
}

function minTtlSeconds(records: readonly DnsRecord[]): number | null {
  return records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl));
}

/** Throws 404 on NXDOMAIN. If the DNS does not answer the name is assumed to exist. */
export async function requireDomainExists(context: Context, domain: string): Promise<void> {
  const outcome = await context.ask(dns, { name: domain, type: 'A' });
  if (outcome.status === 'ok' && !nameExists(outcome.found)) throw nxdomainError(domain);
}
