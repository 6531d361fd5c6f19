import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { QuotaStatus } from '../access/quota-status.ts';
import { type FeedDocument, type FeedEntry, renderAtom, renderJsonFeed } from '../engine/feed-document.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import type { RestOperation } from '../engine/route.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { changes } from '../operations/cve/changes.ts';
import { cveSearch } from '../operations/cve/cve-search.ts';
import { changeFeedEntries, cveFeedEntries } from '../operations/cve/lib/feed-entries.ts';
import { eventFeedEntries } from '../operations/watches/lib/event-feed-entries.ts';
import { watchEvents } from '../operations/watches/watch-events.ts';
import { type AnswerRenderer, namesTag, SHARED_ANSWER_HEADERS } from './answer-form.ts';
import { hasOptedOutOfTracking } from './caller-identification.ts';
import { inputFromRequest } from './input-from-request.ts';
import { logInternalError } from './log-internal-error.ts';
import { disconnectSignalOf } from './operation-routes.ts';
import { setQuotaHeaders } from './quota-headers.ts';
import { requestOrigin } from './request-origin.ts';

interface FeedRouteDeps {
  operations: readonly Operation[];
  runnerDeps: RunnerDeps;
  access: Access;
  renderer: AnswerRenderer;
}

/** A feed is what an operation answers, in another form: it takes its filters, and costs what it costs. */
interface FeedRoute {
  /** Of the OpenAPI description. */
  id: string;
  /** Without the extension of its form. */
  path: `/${string}`;
  title: string;
  /** Its page, with the same query where the page takes it. */
  page: (request: FastifyRequest, query: string) => string;
  operation: RestOperation;
  /** Input that the feed has in the place of the caller's. */
  fixed: Record<string, unknown>;
  entriesOf: (answer: never, origin: string) => FeedEntry[];
}

export const FEEDS: readonly FeedRoute[] = [
  {
    id: 'cves_feed',
    path: '/v1/feeds/cves',
    title: 'CVEs',
    page: (_, query) => `/search${query}`,
    operation: cveSearch as unknown as RestOperation,
    fixed: { include: 'full', sort: 'published_desc', limit: 50, offset: 0 },
    entriesOf: ({ results }: z.output<typeof cveSearch.output>, origin) => cveFeedEntries(results, origin),
  },
  {
    id: 'changes_feed',
    path: '/v1/feeds/changes',
    title: 'What changed about CVEs',
    page: (_, query) => `/search${query}`,
    operation: changes as unknown as RestOperation,
    fixed: { since: 'latest', limit: 100 },
    entriesOf: (answer: z.output<typeof changes.output>, origin) => changeFeedEntries(answer.changes, origin),
  },
  {
    id: 'watch_events_feed',
    path: '/v1/watches/:id/events',
    title: 'Events of a watch',
    page: ({ params }) => `/watches/${(params as { id: string }).id}`,
    operation: watchEvents as unknown as RestOperation,
    fixed: { since: 'latest', limit: 100 },
    entriesOf: ({ events }: z.output<typeof watchEvents.output>, origin) => eventFeedEntries(events, origin),
  },
];

export const FEED_FORMS = [
  { extension: 'atom', type: 'application/atom+xml; charset=utf-8', render: renderAtom },
  { extension: 'json', type: 'application/feed+json; charset=utf-8', render: renderJsonFeed },
] as const;

/** Searches, changes and events of watches as Atom and JSON feeds, with an entity tag: that nothing is new costs nothing. */
export function mountFeedRoutes(
  app: FastifyInstance,
  { operations, runnerDeps, access, renderer }: FeedRouteDeps,
): void {
  for (const feed of FEEDS) {
    for (const { extension, type, render } of FEED_FORMS) {
      app.get(`${feed.path}.${extension}`, { config: { operation: feed.operation } }, async (request, reply) => {
        const knownTags = request.headers['if-none-match'];
        let made: { body: Buffer; tag: string } | null = null;
        const make = (json: Buffer): boolean => {
          const body = Buffer.from(render(documentOf(feed, request, json)));
          made = { body, tag: renderer.entityTagOfBytes(body) };
          return namesTag(knownTags, made.tag);
        };
        await access.callRunner.run(
          {
            caller: request.caller!,
            operation: feed.operation,
            parseInput: () => inputOf(feed, request, operations),
            optedOut: hasOptedOutOfTracking(request.headers),
            onQuotaStatus: (status: QuotaStatus) => setQuotaHeaders(reply, status),
            disconnectSignal: () => disconnectSignalOf(reply),
            reportInternalError: (error: unknown) => logInternalError(request, error),
            hasMadeOf: make,
          },
          runnerDeps,
        );
        const { body, tag } = made!;
        reply.headers({ ...SHARED_ANSWER_HEADERS, etag: tag });
        if (namesTag(knownTags, tag)) return reply.code(304).send();
        return reply.header('content-type', type).send(body);
      });
    }
  }
}

/** The filters of the query. Throws `ApiError` 422 for others, and for what the feed sets itself. */
function inputOf(
  { operation, fixed }: FeedRoute,
  request: FastifyRequest,
  operations: readonly Operation[],
): OperationInput {
  const { input, issues } = inputFromRequest(operation, request);
  const own = Object.keys(fixed)
    .filter((name) => name in input)
    .map((name) => ({ loc: ['query', name], msg: 'a feed sets it itself', type: 'unknown_parameter' }));
  return parseInput(operation, { ...input, ...fixed }, operations, [...issues, ...own]);
}

function documentOf({ title, page, entriesOf }: FeedRoute, request: FastifyRequest, json: Buffer): FeedDocument {
  const origin = requestOrigin(request.headers);
  const start = request.url.indexOf('?');
  const query = start === -1 ? '' : request.url.slice(start);
  return {
    title,
    self: `${origin}${request.url}`,
    page: `${origin}${page(request, query)}`,
    entries: entriesOf(JSON.parse(json.toString()) as never, origin),
  };
}
