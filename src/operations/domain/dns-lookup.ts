import { z } from 'zod';
import { isPublicIp } from '../../analysis/ip-address.ts';
import { cleanText, truncateAtWord, displayText } from '../../analysis/display-text.ts';
import { type DnsAnswer, type DnsRecord, nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import type { SourceResult } from '../../sources/source.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, summarise } from '../../engine/summary.ts';
import { nxdomainError, requireTargetAnswer } from '../../engine/require-answer.ts';

const TYPES = ['A', 'AAAA', 'MX', 'NS', 'TXT', 'CNAME', 'SOA'] as const;
type Type = (typeof TYPES)[number];
const MAX_RECORDS = 100;
const MAX_TXT = 1000;

const hosts = z.array(z.string()).nullable();

export const DnsRecords = z.object({
  a: hosts,
  aaaa: hosts,
  mx: z.array(z.object({ priority: z.number().int(), exchange: z.string() })).nullable(),
  ns: hosts,
  txt: hosts,
  cname: hosts.meta({ description: 'The chain of aliases, in order.' }),
  soa: z
    .object({
      mname: z.string(),
      rname: z.string(),
      serial: z.number(),
      refresh: z.number(),
      retry: z.number(),
      expire: z.number(),
      minimum: z.number(),
    })
    .nullable(),
});
export type DnsRecords = z.output<typeof DnsRecords>;

export interface DnsFound {
  records: DnsRecords;
  /** Seconds, the shortest of each type's records; null: no such record. */
  ttl: Record<Lowercase<Type>, number | null>;
}

/**
 * All seven types of a name. A type whose query failed is null, and a gap of the answer. Throws 404 where the name does not exist,
 * 502 or 504 where no query was answered.
 */
export async function dnsRecords(context: Context, domain: string): Promise<DnsFound> {
  const outcomes = await Promise.all(TYPES.map((type) => context.ask(dns, { name: domain, type })));
  const answers = outcomes.map(answerOf);
  if (answers.every((answer) => answer === null))
    requireTargetAnswer(outcomes[0]!, domain, 'could not be looked up in the DNS');
  if (!answers.some((answer) => answer !== null && nameExists(answer))) throw nxdomainError(domain);
  const failed = TYPES.filter((_, index) => answers[index] === null);
  if (failed.length > 0) context.evidence.addGap(`no answer about ${failed.join(', ')} records`);
  const of = new Map(TYPES.map((type, index) => [type, answers[index] ?? null] as const));
  const read = <Read>(type: Type, one: (data: unknown) => Read | null): Read[] | null =>
    of
      .get(type)
      ?.records.map(({ data }) => one(data))
      .filter((value) => value !== null)
      .slice(0, MAX_RECORDS) ?? null;
  return {
    records: {
      a: read('A', host)?.sort() ?? null,
      aaaa: read('AAAA', host)?.sort() ?? null,
      mx:
        read('MX', exchange)?.sort(
          (one, other) => one.priority - other.priority || (one.exchange < other.exchange ? -1 : 1),
        ) ?? null,
      ns: read('NS', host)?.sort() ?? null,
      txt: read('TXT', text),
      cname: chainOf(answers.filter((answer) => answer !== null)) ?? read('CNAME', host),
      soa: read('SOA', authority)?.[0] ?? null,
    },
    ttl: Object.fromEntries(
      TYPES.map((type) => [type.toLowerCase(), shortest(of.get(type)?.records ?? [])]),
    ) as DnsFound['ttl'],
  };
}

function answerOf(outcome: SourceResult<DnsAnswer>): DnsAnswer | null {
  return outcome.status === 'ok' ? outcome.found : null;
}

/** The longest chain that an answer came by: a query for the alias itself shows its first link only. */
function chainOf(answers: readonly DnsAnswer[]): string[] | null {
  const longest = answers.map(({ aliases }) => aliases).sort((one, other) => other.length - one.length)[0] ?? [];
  return longest.length === 0 ? null : longest.map((name) => host(name)!).slice(0, MAX_RECORDS);
}

function host(data: unknown): string | null {
  return typeof data === 'string'
    ? truncateAtWord(
        cleanText(data)
          .toLowerCase()
          .replace(/(.)\.$/, '$1'),
        255,
      )
    : null;
}

function text(data: unknown): string | null {
  return typeof data === 'string' ? displayText(data, MAX_TXT) : null;
}

const Exchange = z.object({ preference: z.number(), exchange: z.string() });

function exchange(data: unknown): { priority: number; exchange: string } | null {
  const parsed = Exchange.safeParse(data);
  return parsed.success ? { priority: parsed.data.preference, exchange: host(parsed.data.exchange)! } : null;
}

function authority(data: unknown): NonNullable<DnsRecords['soa']> | null {
  const parsed = DnsRecords.shape.soa.unwrap().safeParse(data);
  return parsed.success ? { ...parsed.data, mname: host(parsed.data.mname)!, rname: host(parsed.data.rname)! } : null;
}

function shortest(records: readonly DnsRecord[]): number | null {
  return records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl));
}

export const dnsLookup = defineOperation({
  id: 'dns_lookup',
  area: 'domain',
  title: 'DNS records',
  description:
    'A, AAAA, MX, NS, TXT, CNAME and SOA records of a name. Empty: it has none; null: the query failed, which is not "none".',
  route: 'GET /v1/dns/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Dns', {
    domain: z.string(),
    records: DnsRecords,
    ttl: z.record(z.string(), z.number().int().nullable()).meta({ description: 'Seconds, the shortest of a type.' }),
  }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  tool: {
    description:
      'DNS records of a name. For mail settings use email_mx, for hidden names subdomain_enum, for all of it domain_report.',
    openWorld: true,
  },
  falsifiableFields: ['records'],
  async answer({ domain }, context) {
    const { records, ttl } = await dnsRecords(context, domain);
    const words = (['a', 'aaaa', 'mx', 'ns', 'txt'] as const).map((type) =>
      records[type] === null ? `${type.toUpperCase()} unknown` : `${records[type].length} ${type.toUpperCase()}`,
    );
    const alias = records.cname?.at(-1);
    return {
      domain,
      records,
      ttl,
      summary: summarise(
        `${domain}: ${words.join(', ')} ${records.mx?.length === 0 ? '(no mail exchanger)' : 'records'}.`,
        alias !== undefined && `An alias of ${alias} (${formatCount(records.cname!.length, 'step')}).`,
      ),
    };
  },
  nextCalls: ({ domain, records }) => [
    { tool: 'ssl_check', input: domain, reason: 'Certificate and TLS settings.' },
    ...(records.mx !== null && records.mx.length > 0
      ? [{ tool: 'email_security_posture', input: domain, reason: 'SPF, DKIM and DMARC of its mail.' }]
      : []),
    ...(records.a ?? [])
      .filter(isPublicIp)
      .slice(0, 1)
      .map((ip) => ({ tool: 'ip_lookup', input: ip, reason: 'Who hosts it, and what is open.' })),
  ],
});
