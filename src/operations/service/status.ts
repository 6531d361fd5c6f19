import { z } from 'zod';
import { coverageShares, type MonthCoverage } from '../../analysis/cve/coverage.ts';
import type { FeedState } from '../../catalog/generation.ts';
import { NO_BASELINE_NOTE } from '../../feeds/cvelist/releases.ts';
import { FEED_PROPERTIES } from '../../feeds/feed-properties.computed.ts';
import { LIVE_SOURCE_POLICIES } from '../../sources/registry.ts';
import type { Context } from '../../engine/context.ts';
import { describeMissingData } from '../../engine/evidence.ts';
import { dataAgeSeconds, isStale } from '../../engine/feed-age.ts';
import { defineOperation, SummaryField } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';

const SourceStatus = z
  .object({
    status: z.enum(['ok', 'stale', 'error', 'empty', 'disabled']),
    kind: z.enum(['synced', 'live']),
    title: z.string(),
    records: z.number().int().nullable(),
    last_success_at: z.string().nullable(),
    last_attempt_at: z.string().nullable(),
    data_time: z.string().nullable().meta({ description: "The upstream's own time of the data." }),
    age_seconds: z.number().int().nullable().meta({ description: 'How old the data is known to be.' }),
    skipped_records: z.number().int(),
    last_error: ForeignText.nullable(),
    notes: z.array(z.string()).meta({ description: 'What of the source is not here.' }),
  })
  .meta({ id: 'SourceStatus' });
type SourceStatus = z.output<typeof SourceStatus>;

const FollowedCatalog = z
  .object({
    state: z.enum(['current', 'frozen', 'refused', 'failed', 'not_checked']).meta({
      description:
        '`frozen`: it has expired, and nothing newer came; `refused`: what is published now is not what its publisher signed; `failed`: it could not be read.',
    }),
    from: z.string(),
    version: z.number().int().nullable(),
    published_at: z.string().nullable(),
    expires_at: z.string().nullable(),
    catalog_created_at: z.string().nullable(),
    checked_at: z.string().nullable(),
    age_seconds: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Since the publisher made the catalog that was accepted last.' }),
    problem: ForeignText.nullable(),
  })
  .meta({ id: 'FollowedCatalog', description: 'The published catalog that this service follows.' });

const Counts = z.object({
  cves: z.number().int(),
  products: z.number(),
  cpe: z.number(),
  versions: z.number(),
  cvss: z.number(),
  cwe: z.number(),
});
const Coverage = z
  .object({
    month: z.string(),
    all: Counts,
    sources: z.record(z.string(), Counts).meta({ description: "What each source's own records have." }),
  })
  .meta({
    id: 'MonthCoverage',
    description: 'Of the CVEs published in a month, the share (0-1) with products, CPE names, versions, CVSS and CWE.',
  });
/** Months that are shown. */
const COVERAGE_MONTHS = 12;

export const status = defineOperation({
  id: 'status',
  area: 'service',
  title: 'Status',
  description: 'Health of this service, and of every source: how many records, how old, what failed last.',
  route: 'GET /v1/status',
  input: z.strictObject({}),
  output: z
    .object({
      status: z.enum(['ok', 'degraded']),
      version: z.string(),
      uptime_seconds: z.number().int(),
      catalog: z.enum(['starter', 'synced', 'partial']).meta({
        description: '`starter`: the small catalog of the first run; `partial`: some feeds are not loaded.',
      }),
      followed_catalog: FollowedCatalog.nullable().meta({ description: 'Null: feeds are synced here.' }),
      data_sources: z.record(z.string(), SourceStatus),
      coverage: z.array(Coverage).meta({ description: 'The newest months, oldest first.' }),
      problems: z.array(z.string()),
      summary: SummaryField,
    })
    .meta({ id: 'Status' }),
  cost: 0,
  examples: [{ title: 'Now', input: {} }],
  answer(_, context) {
    const sources = Object.fromEntries([...syncedSourceStatuses(context), ...liveSourceStatuses(context)]);
    const feeds = FEED_PROPERTIES.map(({ id }) => sources[id]!);
    const loaded = feeds.filter(({ records }) => (records ?? 0) > 0);
    const catalogProblem = context.serviceState.catalogProblem();
    const followed = context.serviceState.followedCatalog();
    const problems = [
      ...(catalogProblem === null ? [] : [catalogProblem]),
      ...(followed === null || followed.problem === null ? [] : [followed.problem]),
      ...(loaded.length === 0 ? ['no feed has been synced: only the starter catalog answers'] : []),
      ...context.serviceState.unavailableBackends().map((part) => `${part} is away`),
      ...Object.entries(sources).flatMap(([id, source]) =>
        source.status === 'error' || source.status === 'stale' ? [`${id}: ${source.status}`] : [],
      ),
    ];
    const catalog: 'starter' | 'partial' | 'synced' =
      loaded.length === 0 ? 'starter' : loaded.length < feeds.length ? 'partial' : 'synced';
    return {
      status: problems.length === 0 ? ('ok' as const) : ('degraded' as const),
      version: context.serviceState.version,
      uptime_seconds: Math.floor((context.now.getTime() - context.serviceState.startedAt.getTime()) / 1000),
      catalog,
      followed_catalog:
        followed === null ? null : { ...followed, age_seconds: secondsSince(followed.catalog_created_at, context.now) },
      data_sources: sources,
      coverage: context.catalog.coverage().slice(-COVERAGE_MONTHS).map(presentCoverage),
      problems,
      summary: joinSummary(
        `${loaded.length} of ${formatCount(feeds.length, 'feed')} loaded.`,
        problems.length > 0 && `${formatCount(problems.length, 'problem')}: ${problems.join(', ')}.`,
      ),
    };
  },
});

function secondsSince(time: string | null, now: Date): number | null {
  return time === null ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(time)) / 1000));
}

function presentCoverage({ month, all, sources }: MonthCoverage): z.output<typeof Coverage> {
  const bySource = Object.entries(sources).map(([source, counts]) => [source, coverageShares(counts)]);
  return { month, all: coverageShares(all), sources: Object.fromEntries(bySource) };
}

function* syncedSourceStatuses({ catalog, now }: Context): Iterable<[string, SourceStatus]> {
  const { starter } = catalog.sources;
  if (starter !== undefined) yield ['starter', toSourceStatus('starter', 'Starter catalog', starter, now)];
  for (const feed of FEED_PROPERTIES) {
    const state = catalog.sources[feed.id];
    yield [feed.id, toSourceStatus(feed.id, feed.title, state, now)];
  }
}

function toSourceStatus(id: string, title: string, state: FeedState | undefined, now: Date): SourceStatus {
  const age = dataAgeSeconds(state, now);
  const records = state?.records ?? 0;
  const last_error = state?.last_error ?? null;
  return {
    status: last_error !== null ? 'error' : records === 0 ? 'empty' : isStale(id, state, now) ? 'stale' : 'ok',
    kind: 'synced',
    title,
    records,
    last_success_at: state?.last_success_at ?? null,
    last_attempt_at: state?.last_attempt_at ?? null,
    data_time: state?.data_time ?? null,
    age_seconds: age,
    skipped_records: state?.skipped ?? 0,
    last_error,
    notes: state === undefined ? [] : describeNotes(state),
  };
}

/** Data that is missing, and what the feed says about a part that it never had (a baseline). */
function describeNotes(state: FeedState): string[] {
  const noBaseline = state.notes[NO_BASELINE_NOTE];
  return [...describeMissingData(state), ...(noBaseline === undefined ? [] : [noBaseline])];
}

function* liveSourceStatuses({ serviceState }: Context): Iterable<[string, SourceStatus]> {
  for (const policy of LIVE_SOURCE_POLICIES) {
    const { configured, last_success_at, last_error } = serviceState.sourceHealth(policy);
    yield [
      policy.id,
      {
        status: !configured ? 'disabled' : last_error !== null ? 'error' : 'ok',
        kind: 'live',
        title: policy.title,
        records: null,
        last_success_at,
        last_attempt_at: null,
        data_time: null,
        age_seconds: null,
        skipped_records: 0,
        last_error,
        notes: [],
      },
    ];
  }
}
