import { z } from 'zod';
import { dns } from '../../sources/dns.ts';
import type { Context } from '../context.ts';
import { lookupOutput, operation } from '../operation.ts';
import { Domain } from '../schemas/identifiers.ts';
import { counted, summarise } from '../summary.ts';
import { noSuchName, required } from '../target.ts';
import type { KeptRisk } from './report.ts';
import { sslOrNone } from './ssl.ts';

const SEEN_FOR_SECONDS = 7 * 24 * 3600;
const MAX_ADDRESSES = 50;

export const domainMonitor = operation({
  id: 'domain_monitor',
  area: 'domain',
  title: 'Monitor',
  description:
    'A light check of a domain for frequent polling: whether it resolves, whether its addresses changed since the last call, its certificate, and the risk grade of the last report.',
  route: 'GET /v1/monitor/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutput('Monitor', {
    domain: z.string(),
    is_up: z.boolean().meta({ description: 'It has an address, and a TLS or web server answers there.' }),
    dns_a: z.array(z.string()),
    dns_changed: z
      .boolean()
      .nullable()
      .meta({ description: 'Against the last call within a week; null the first time.' }),
    ssl_valid: z.boolean().nullable(),
    ssl_grade: z.string().nullable(),
    ssl_days_remaining: z.number().int().nullable(),
    risk_score: z.number().int().nullable().meta({ description: 'Of the last report of a day; null: none was made.' }),
    risk_grade: z.string().nullable(),
    risk_checked_at: z.string().nullable(),
  }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  falsifiable: ['dns_a', 'ssl_valid'],
  async answer({ domain }, context) {
    const [answer, ssl, risk] = await Promise.all([
      context.ask(dns, { name: domain, type: 'A' }),
      sslOrNone(context, domain),
      context.memory.recall<KeptRisk>('domain_risk', domain),
    ]);
    const { exists, records } = required(answer, domain, 'could not be looked up in the DNS');
    if (!exists) throw noSuchName(domain);
    const addresses = records
      .map(({ data }) => String(data))
      .sort()
      .slice(0, MAX_ADDRESSES);
    const changed = await changedSince(context, domain, addresses);
    const certificate = ssl === 'none' ? null : ssl;
    return {
      domain,
      is_up: addresses.length > 0 && certificate !== null,
      dns_a: addresses,
      dns_changed: changed,
      ssl_valid: certificate?.valid ?? null,
      ssl_grade: certificate?.grade ?? null,
      ssl_days_remaining: certificate?.days_remaining ?? null,
      risk_score: risk?.kept.score ?? null,
      risk_grade: risk?.kept.grade ?? null,
      risk_checked_at: risk === null ? null : new Date(risk.at).toISOString(),
      summary: summarise(
        `${domain}: ${counted(addresses.length, 'address')}${changed === true ? ', other ones than last time' : ''}.`,
        certificate === null
          ? 'No TLS server answered.'
          : `Certificate ${certificate.valid ? 'valid' : 'NOT valid'}, ${certificate.days_remaining} days left.`,
        risk === null ? 'No report of the last day.' : `Risk ${risk.kept.grade}.`,
      ),
    };
  },
});

/** Remembers the addresses, and tells whether they are others than at the last call. */
async function changedSince(context: Context, domain: string, addresses: string[]): Promise<boolean | null> {
  const seen = await context.memory.recall<string[]>('monitor_addresses', domain);
  await context.memory.keep('monitor_addresses', domain, addresses, SEEN_FOR_SECONDS);
  return seen === null ? null : seen.kept.join() !== addresses.join();
}
