import type { PageFacts } from '../../analysis/page/page-facts.ts';
import type { PlainHttpResponse } from '../../analysis/scan/https-enforcement.ts';
import type { FetchResponse } from '../../net/fetch-types.ts';
import { followRedirects, type RedirectHop, type RedirectStopReason } from '../../net/follow-redirects.ts';
import type { NetworkClient } from '../../net/network-client.ts';
import { NetError } from '../../net/net-error.ts';
import { redirectLocation } from '../../net/redirect.ts';
import { runTask } from '../../threads/run-task.ts';
import type { Source, SourceContext } from '../source.ts';
import { createCrawlGuard } from './crawl-guard.ts';

export interface SiteQuestion {
  /** The page, absolute. */
  url: string;
  /** Paths at the final origin of the page that are fetched too: `/llms.txt`. */
  files: readonly string[];
  /** More requests to the final URL. */
  probes: readonly SiteProbe[];
  /** Whether `http://` of the same host is requested too, without following redirects. */
  plain?: boolean;
}

/** A request of which only status and headers matter. */
export interface SiteProbe {
  name: string;
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE';
  headers: Readonly<Record<string, string>>;
}

/** One page of a site, with the files and probes requested with it. */
export interface SiteSnapshot {
  /** URL of the page, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; each header line a value. */
  headers: Record<string, readonly string[]>;
  hops: readonly RedirectHop[];
  /** Why redirects were not followed to their end; null: all were followed. */
  stopped: RedirectStopReason | null;
  /** Null: the response is not HTML. */
  page: PageFacts | null;
  truncated: boolean;
  /** The IP address that responded. */
  address: string;
  latencyMs: number;
  /** By requested path; null: no response. */
  files: Record<string, SiteFile | null>;
  /** By name; null: no response. */
  probes: Record<string, { status: number; headers: Record<string, readonly string[]>; echoed: boolean } | null>;
  /** The response over plain HTTP; `not_listening`: the port is closed; null: unknown, or not requested. */
  plain: PlainHttpResponse | null;
  /** The target forbids caching (`Cache-Control: no-store` or `private`, RFC 9111). */
  private: boolean;
}

export interface SiteFile {
  status: number;
  contentType: string | null;
  /** The first 2,000 bytes as text. */
  excerpt: string;
}

const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024;
const MAX_REDIRECTS = 5;
const FILE_TIMEOUT_MS = 5000;
const HTML_MEDIA_TYPE = /^\s*(text\/html|application\/xhtml\+xml)\b/i;

/**
 * Fetches pages of a target. Before each request, also at each redirect, the visit is counted and robots.txt must allow it. A snapshot
 * that the target forbids to cache is not cached.
 */
export const site: Source<SiteQuestion, SiteSnapshot> = {
  policy: {
    id: 'web',
    title: 'web server of the target',
    provides: 'pages and headers',
    baseUrl: null,
    timeoutMs: 12_000,
    maxBytes: MAX_PAGE_BYTES,
    ttlSeconds: 300,
    concurrency: 400,
    key: null,
  },
  visitedHost: ({ url }) => new URL(url).hostname,
  isCacheable: (snapshot) => !snapshot.private,
  async ask({ url, files, probes, plain = false }, context) {
    const start = new URL(url);
    const guard = createCrawlGuard(context, start.hostname);
    const { net, timeoutMs, maxBytes, signal } = context;
    const accept = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5' };
    const bounds = { timeoutMs, maxBytes, truncate: true, anyCertificate: true, signal };
    const httpPending = plain ? probePlainHttp(context, start.hostname) : null;
    const chain = await followRedirects(net, start, {
      ...bounds,
      headers: accept,
      maxHops: MAX_REDIRECTS,
      onHop: guard,
    });
    const { response } = chain;
    const [page, filesFound, probesFound, plainFound] = await Promise.all([
      parsePage(response, chain.url, signal),
      settleByName(
        files,
        (path) => path,
        (path) => fetchFile(net, new URL(path, chain.url), guard, signal),
      ),
      settleByName(
        probes,
        ({ name }) => name,
        (probe) => sendProbe(net, new URL(chain.url), probe, signal),
      ),
      httpPending,
    ]);
    return {
      url: chain.url,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      hops: chain.hops,
      stopped: chain.stopReason,
      page,
      truncated: response.truncated,
      address: response.address,
      latencyMs: response.latencyMs,
      files: filesFound,
      probes: probesFound,
      plain: plainFound,
      private: forbidsCaching(response),
    };
  },
};

function parsePage(answer: FetchResponse, url: string, signal: AbortSignal): Promise<PageFacts> | null {
  const contentType = answer.headers.get('content-type')?.[0] ?? null;
  if (contentType !== null && !HTML_MEDIA_TYPE.test(contentType)) return null;
  const input = { bytes: answer.body, url, contentType, truncated: answer.truncated };
  return runTask('page', input, { inputSize: answer.body.byteLength, signal });
}

async function fetchFile(
  net: NetworkClient,
  url: URL,
  guard: (url: URL) => Promise<void>,
  signal: AbortSignal,
): Promise<SiteFile> {
  const bounds = { timeoutMs: FILE_TIMEOUT_MS, maxBytes: MAX_FILE_BYTES, truncate: true, anyCertificate: true, signal };
  const { response } = await followRedirects(net, url, { ...bounds, maxHops: 3, onHop: guard });
  return {
    status: response.status,
    contentType: response.headers.get('content-type')?.[0] ?? null,
    excerpt: new TextDecoder().decode(response.body.subarray(0, 2000)),
  };
}

/** One request, after a crawl guard of its own. Never rejects. */
async function probePlainHttp(context: SourceContext, hostname: string): Promise<PlainHttpResponse | null> {
  const url = new URL(`http://${hostname}/`);
  try {
    await createCrawlGuard(context, hostname)(url);
    const bounds = { timeoutMs: FILE_TIMEOUT_MS, maxBytes: MAX_FILE_BYTES, truncate: true, signal: context.signal };
    const answer = await context.net.fetch(url, bounds);
    return { url: url.href, status: answer.status, location: redirectLocation(answer) };
  } catch (error) {
    return error instanceof NetError && error.code === 'refused' ? 'not_listening' : null;
  }
}

/** A response to TRACE repeats the request (RFC 9110, 9.3.8); an added header shows whether it did. */
async function sendProbe(net: NetworkClient, url: URL, { method, headers }: SiteProbe, signal: AbortSignal) {
  const mark = method === 'TRACE' ? { 'x-sextant-trace': '1' } : {};
  const bounds = { timeoutMs: FILE_TIMEOUT_MS, maxBytes: MAX_FILE_BYTES, truncate: true, anyCertificate: true, signal };
  const answer = await net.fetch(url, { ...bounds, method, headers: { ...headers, ...mark } });
  const echoed = method === 'TRACE' && /x-sextant-trace/i.test(new TextDecoder().decode(answer.body));
  return { status: answer.status, headers: Object.fromEntries(answer.headers), echoed };
}

/** Calls `ask` for all items at once; null for those that fail. */
async function settleByName<Item, Found>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  ask: (item: Item) => Promise<Found>,
): Promise<Record<string, Found | null>> {
  const found = await Promise.all(
    items.map(async (item) => [nameOf(item), await ask(item).catch(() => null)] as const),
  );
  return Object.fromEntries(found);
}

function forbidsCaching({ headers }: FetchResponse): boolean {
  return (headers.get('cache-control') ?? []).some((value) => /(^|[\s,])(no-store|private)(?=$|[\s,;=])/i.test(value));
}
