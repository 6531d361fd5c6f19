import { z } from 'zod';
import type { SourceResult } from '../../sources/source.ts';
import { type Capture, wayback } from '../../sources/wayback.ts';
import type { Context } from '../../engine/context.ts';
import { lookupOutputSchema, defineOperation } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { Domain } from '../../engine/input/identifiers.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { requireDomainExists } from './lib/look-up-dns-records.ts';

const YEAR_MS = 365.25 * 24 * 3600 * 1000;

const UNAVAILABLE_REASONS = [
  'cdx_timeout',
  'cdx_rate_limited',
  'cdx_unavailable',
  'cdx_error',
  'cdx_parse_error',
  'cdx_body_too_large',
] as const;
type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

export const waybackLookup = defineOperation({
  id: 'wayback_lookup',
  area: 'domain',
  title: 'Archive history',
  description:
    "Captures of a site's front page in the Wayback Machine: first, last, how many, and a sample spread over time. Where the archive does not answer, `status` is `unavailable` and there is no count: unknown, not zero.",
  route: 'GET /v1/archive/:domain',
  input: z.strictObject({ domain: Domain }),
  output: lookupOutputSchema('Archive', {
    domain: z.string(),
    status: z.enum(['ok', 'unavailable']),
    reason: z.enum(UNAVAILABLE_REASONS).nullable().meta({ description: 'Why it is unavailable.' }),
    total_snapshots: z.number().int().optional(),
    first_seen: z.string().nullable(),
    last_seen: z.string().nullable(),
    earliest: z.string().nullable().meta({ description: 'As first_seen.' }),
    latest: z.string().nullable().meta({ description: 'As last_seen.' }),
    years_online: z.number().nullable().meta({ description: 'From the first capture to the last.' }),
    snapshots: z
      .array(z.object({ timestamp: z.string(), status_code: z.number().int().nullable(), url: ForeignText }))
      .nullable()
      .meta({ description: 'null: the archive did not answer.' }),
    archive_url: z.string(),
    warnings: z.array(z.string()),
  }),
  cost: 1,
  examples: [{ title: 'A site', input: { domain: 'example.com' } }],
  tool: {
    description:
      'Since when a site exists and how it looked before, by the Wayback Machine. For the age of the registration use whois_lookup.',
    openWorld: true,
  },
  falsifiableFields: ['total_snapshots', 'first_seen', 'last_seen', 'snapshots'],
  async answer({ domain }, context) {
    await requireDomainExists(context, domain);
    const outcome = await context.ask(wayback, { domain, lastOnly: false });
    const archive_url = `https://web.archive.org/web/*/${domain}`;
    if (outcome.status !== 'ok') {
      const reason = unavailableReason(outcome);
      return {
        domain,
        status: 'unavailable' as const,
        reason,
        first_seen: null,
        last_seen: null,
        earliest: null,
        latest: null,
        years_online: null,
        snapshots: null,
        archive_url,
        warnings: [`The archive did not answer (${reason}): how many captures there are is unknown.`],
        summary: joinSummary(
          `The Wayback Machine did not answer about ${domain} (${reason}); that says nothing of its history.`,
        ),
      };
    }
    const { total, more, sample } = outcome.found;
    const last = more ? await fetchLastCapture(context, domain) : (sample.at(-1) ?? null);
    const first = sample[0] ?? null;
    const first_seen = first === null ? null : captureTime(first);
    const last_seen = last === null ? null : captureTime(last);
    const years =
      first === null || last === null
        ? null
        : (Date.parse(captureTime(last)) - Date.parse(captureTime(first))) / YEAR_MS;
    const years_online = years === null ? null : Math.round(years * 10) / 10;
    return {
      domain,
      status: 'ok' as const,
      reason: null,
      total_snapshots: total,
      first_seen,
      last_seen,
      earliest: first_seen,
      latest: last_seen,
      years_online,
      snapshots: sample.map((capture) => ({
        timestamp: captureTime(capture),
        status_code: capture.status_code,
        url: `https://web.archive.org/web/${capture.timestamp}/http://${domain}/`,
      })),
      archive_url,
      warnings: [
        ...(more ? [`There are at least ${total} captures: counting ended there, and the sample is of those.`] : []),
        ...(more && last === null ? ['The last capture is not known: the archive did not answer about it.'] : []),
      ],
      summary:
        first === null || last === null
          ? joinSummary(
              `${more ? `At least ${formatCount(total, 'capture')}` : 'No capture'} of ${domain} in the Wayback Machine.`,
            )
          : joinSummary(
              `${domain}: ${more ? 'at least ' : ''}${formatCount(total, 'capture')} in the Wayback Machine, from ${captureTime(first).slice(0, 10)} to ${captureTime(last).slice(0, 10)} (${years_online} years).`,
            ),
    };
  },
  nextCalls: ({ domain }) => [
    { tool: 'whois_lookup', input: domain, reason: 'Since when it is registered, and with whom.' },
  ],
});

/** Fetches the last capture with a request of its own, as counting ended early. */
async function fetchLastCapture(context: Context, domain: string): Promise<Capture | null> {
  const outcome = await context.ask(wayback, { domain, lastOnly: true });
  return outcome.status === 'ok' ? (outcome.found.sample.at(-1) ?? null) : null;
}

function captureTime({ timestamp }: Capture): string {
  return timestamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');
}

function unavailableReason(outcome: Exclude<SourceResult<unknown>, { status: 'ok' }>): UnavailableReason {
  if (outcome.status === 'not_configured') return 'cdx_unavailable';
  const { failure, reason, timedOut } = outcome;
  if (timedOut) return 'cdx_timeout';
  if (failure === 'too_large') return 'cdx_body_too_large';
  if (failure === 'unreadable') return 'cdx_parse_error';
  if (failure !== 'status') return 'cdx_unavailable';
  const status = Number(/\d{3}$/.exec(reason)?.[0]);
  if (status === 429) return 'cdx_rate_limited';
  if (status === 504) return 'cdx_timeout';
  return status >= 500 ? 'cdx_unavailable' : 'cdx_error';
}
