import { z } from 'zod';
import { type DnsAnswer, nameExists } from '../../net/dns/answer.ts';
import { dns } from '../../sources/dns.ts';
import { robotsTxt } from '../../sources/site/robots-txt.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { capitalize, formatCount, joinSummary } from '../../engine/summary.ts';
import { nxdomainError, requireTargetAnswer } from '../../engine/require-answer.ts';
import type { RememberedRisk } from './lib/build-domain-report.ts';
import { checkSsl } from './lib/check-ssl.ts';
import { describeTls } from './lib/probe-tls.ts';

const ADDRESS_MEMORY_SECONDS = 7 * 24 * 3600;
const MAX_ADDRESSES = 50;

export const domainMonitor = defineOperation({
  id: 'domain_monitor',
  area: 'domain',
  title: 'Monitor',
  description:
    'A light check of a domain for frequent polling: whether it resolves, whether its addresses changed since the last call of the same caller, its certificate, and the risk grade of the last report.',
  route: 'GET /v1/monitor/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Monitor', {
    domain: z.string(),
    is_up: z
      .boolean()
      .nullable()
      .meta({ description: 'It has an address, and a TLS or web server answers there; null: not known.' }),
    dns_a: z.array(z.string()),
    dns_aaaa: z.array(z.string()).nullable(),
    dns_changed: z
      .boolean()
      .nullable()
      .meta({ description: 'Against the last call of the same caller within a week; null the first time.' }),
    ssl_valid: z.boolean().nullable(),
    ssl_grade: z.string().nullable(),
    ssl_days_remaining: z.number().int().nullable(),
    risk_score: z.number().int().nullable().meta({ description: 'Of the last report of a day; null: none was made.' }),
    risk_grade: z.string().nullable(),
    risk_checked_at: z
      .string()
      .nullable()
      .meta({ description: 'The day of that report; the time is left out, as it would show when others ask.' }),
  }),
  cost: 1,
  examples: [{ title: 'A domain', input: { domain: 'example.com' } }],
  falsifiableFields: ['dns_a', 'ssl_valid'],
  personal: 'optional',
  async answer({ domain }, context) {
    const [v4, v6, ssl, risk] = await Promise.all([
      context.ask(dns, { name: domain, type: 'A' }),
      context.ask(dns, { name: domain, type: 'AAAA' }),
      checkSsl(context, domain),
      context.memory.get<RememberedRisk>('domain_risk', domain),
    ]);
    const found = requireTargetAnswer(v4, domain, 'could not be looked up in the DNS');
    if (!nameExists(found)) throw nxdomainError(domain);
    const addresses = addressesIn(found);
    const addresses6 = v6.status === 'ok' ? addressesIn(v6.found) : null;
    const changed = await rememberAndCompareAddresses(context, domain, addresses, addresses6);
    const certificate = ssl === 'none' ? null : ssl;
    const isReachable = addresses.length > 0 || (addresses6 === null ? null : addresses6.length > 0);
    const is_up = isReachable === true ? certificate !== null || (await hasWebServer(context, domain)) : isReachable;
    return {
      domain,
      is_up,
      dns_a: addresses,
      dns_aaaa: addresses6,
      dns_changed: changed,
      ssl_valid: certificate?.valid ?? null,
      ssl_grade: certificate?.grade ?? null,
      ssl_days_remaining: certificate?.days_remaining ?? null,
      risk_score: risk?.value.score ?? null,
      risk_grade: risk?.value.grade ?? null,
      risk_checked_at: risk === null ? null : new Date(risk.at).toISOString().slice(0, 10),
      summary: joinSummary(
        `${domain}: ${formatCount(addresses.length + (addresses6?.length ?? 0), 'address')}${changed === true ? ', changed since the last call' : ''}.`,
        is_up === true ? 'Up.' : is_up === false ? 'Down.' : 'Whether it is up is not known.',
        certificate === null
          ? `${capitalize(describeTls(ssl))}.`
          : `Certificate ${certificate.valid ? 'valid' : 'NOT valid'}, ${certificate.days_remaining} days left.`,
        risk === null ? 'No report of the last day.' : `Risk ${risk.value.grade}.`,
      ),
    };
  },
});

function addressesIn({ records }: DnsAnswer): string[] {
  return records
    .map(({ data }) => String(data))
    .sort()
    .slice(0, MAX_ADDRESSES);
}

/**
 * Whether an HTTP server answers, tried with /robots.txt, which crawlers may always fetch; null: unknown. A refused connection counts
 * as an answer.
 */
async function hasWebServer(context: Context, domain: string): Promise<boolean | null> {
  const outcome = await context.askUnrecorded(robotsTxt, { origin: `http://${domain}` });
  const isDown = outcome.status === 'unavailable' && ['refused', 'reset', 'timeout'].includes(outcome.failure);
  if (isDown) context.evidence.recordLiveAnswer(robotsTxt.policy.id, 0);
  else context.evidence.recordOutcome(robotsTxt.policy, outcome);
  if (outcome.status === 'ok') return true;
  return isDown ? false : null;
}

/** Stores the addresses for this caller and compares them with those of the last call; null where a comparison is not possible. */
async function rememberAndCompareAddresses(
  context: Context,
  domain: string,
  v4: readonly string[],
  v6: readonly string[] | null,
): Promise<boolean | null> {
  const about = `${context.callerPseudonym} ${domain}`;
  const seen = await context.memory.get<SeenAddresses>('monitor_addresses', about);
  // An unanswered query leaves the previous addresses in place.
  const now: SeenAddresses = { v4, v6: v6 ?? seen?.value.v6 ?? null };
  await context.memory.set('monitor_addresses', about, now, ADDRESS_MEMORY_SECONDS);
  if (seen === null) return null;
  const before = seen.value;
  return (
    before.v4.join() !== now.v4.join() || (before.v6 !== null && now.v6 !== null && before.v6.join() !== now.v6.join())
  );
}

interface SeenAddresses {
  v4: readonly string[];
  v6: readonly string[] | null;
}
