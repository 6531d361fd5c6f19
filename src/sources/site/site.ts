import type { PageFacts } from '../../analysis/page/page-facts.ts';
import type { PlainAnswer } from '../../analysis/scan/redirect.ts';
import type { Fetched } from '../../net/fetched.ts';
import { follow, type Hop, type Stopped } from '../../net/follow.ts';
import type { Net } from '../../net/net.ts';
import { NetError } from '../../net/net-error.ts';
import { locationOf } from '../../net/redirect.ts';
import { offLoop } from '../../threads/off-loop.ts';
import type { Source, Way } from '../source.ts';
import { floorOf } from './floor.ts';

export interface SiteQuestion {
  /** The page, absolute. */
  url: string;
  /** Paths at the page's final origin that are fetched with it: `/llms.txt`. */
  files: readonly string[];
  /** Requests of the final address beside the one for the page. */
  probes: readonly Probe[];
  /** Whether `http://` of the same host is looked at too, without following it. */
  plain?: boolean;
}

/** A request whose status and headers are looked at, not its body. */
export interface Probe {
  name: string;
  method: 'GET' | 'HEAD' | 'OPTIONS' | 'TRACE';
  headers: Readonly<Record<string, string>>;
}

/** One look at a site: its page, and what was asked with it. */
export interface SiteLook {
  /** Of the page, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; each header line a value. */
  headers: Record<string, readonly string[]>;
  hops: readonly Hop[];
  /** Why redirects were not followed to their end; null: they were. */
  stopped: Stopped | null;
  /** Null where the answer is no HTML. */
  page: PageFacts | null;
  truncated: boolean;
  /** The address that answered. */
  address: string;
  latencyMs: number;
  /** By the path asked for; null: it did not come. */
  files: Record<string, SiteFile | null>;
  /** By name; null: no answer. */
  probes: Record<string, { status: number; headers: Record<string, readonly string[]>; echoed: boolean } | null>;
  /** What `http://` answers; `nobody`: nothing listens there; null: not found out, or not asked. */
  plain: PlainAnswer | null;
  /** The target wants nothing of this kept (`Cache-Control: no-store` or `private`, RFC 9111). */
  private: boolean;
}

export interface SiteFile {
  status: number;
  contentType: string | null;
  /** The first of it. */
  start: string;
}

const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024;
const MAX_REDIRECTS = 5;
const FILE_MS = 5000;
const HTML = /^\s*(text\/html|application\/xhtml\+xml)\b/i;

/**
 * The one way to a target's pages. Nothing is fetched before its host's limit was counted and its robots.txt asked, at every
 * redirect again, and nothing is kept that the target wants not to be.
 */
export const site: Source<SiteQuestion, SiteLook> = {
  policy: {
    id: 'web',
    title: 'web server of the target',
    provides: 'pages and headers',
    address: null,
    timeoutMs: 12_000,
    maxBytes: MAX_PAGE_BYTES,
    ttlSeconds: 300,
    concurrency: 400,
    key: null,
  },
  visits: ({ url }) => new URL(url).hostname,
  keep: (look) => !look.private,
  async ask({ url, files, probes, plain = false }, way) {
    const start = new URL(url);
    const floor = floorOf(way, start.hostname);
    const { net, timeoutMs, maxBytes, signal } = way;
    const accept = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5' };
    const bounds = { timeoutMs, maxBytes, cut: true, anyCertificate: true, signal };
    const overHttp = plain ? plainAnswer(way, start.hostname) : null;
    const chain = await follow(net, start, { ...bounds, headers: accept, maxHops: MAX_REDIRECTS, onHop: floor });
    const { answer } = chain;
    const [page, filesFound, probesFound, plainFound] = await Promise.all([
      pageOf(answer, chain.url, signal),
      each(
        files,
        (path) => path,
        (path) => fileAt(net, new URL(path, chain.url), floor, signal),
      ),
      each(
        probes,
        ({ name }) => name,
        (probe) => probed(net, new URL(chain.url), probe, signal),
      ),
      overHttp,
    ]);
    return {
      url: chain.url,
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      hops: chain.hops,
      stopped: chain.stopped,
      page,
      truncated: answer.truncated,
      address: answer.address,
      latencyMs: answer.latencyMs,
      files: filesFound,
      probes: probesFound,
      plain: plainFound,
      private: isPrivate(answer),
    };
  },
};

function pageOf(answer: Fetched, url: string, signal: AbortSignal): Promise<PageFacts> | null {
  const contentType = answer.headers.get('content-type')?.[0] ?? null;
  if (contentType !== null && !HTML.test(contentType)) return null;
  const input = { bytes: answer.body, url, contentType, truncated: answer.truncated };
  return offLoop('page', input, { size: answer.body.byteLength, signal });
}

async function fileAt(net: Net, url: URL, floor: (url: URL) => Promise<void>, signal: AbortSignal): Promise<SiteFile> {
  const bounds = { timeoutMs: FILE_MS, maxBytes: MAX_FILE_BYTES, cut: true, anyCertificate: true, signal };
  const { answer } = await follow(net, url, { ...bounds, maxHops: 3, onHop: floor });
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type')?.[0] ?? null,
    start: new TextDecoder().decode(answer.body.subarray(0, 2000)),
  };
}

/** One request, after the floor of its own; never rejects. */
async function plainAnswer(way: Way, hostname: string): Promise<PlainAnswer | null> {
  const url = new URL(`http://${hostname}/`);
  try {
    await floorOf(way, hostname)(url);
    const bounds = { timeoutMs: FILE_MS, maxBytes: MAX_FILE_BYTES, cut: true, signal: way.signal };
    const answer = await way.net.fetch(url, bounds);
    return { url: url.href, status: answer.status, location: locationOf(answer) };
  } catch (error) {
    return error instanceof NetError && error.code === 'refused' ? 'nobody' : null;
  }
}

/** An answer to TRACE repeats the request (RFC 9110, 9.3.8); the mark in it shows that it did. */
async function probed(net: Net, url: URL, { method, headers }: Probe, signal: AbortSignal) {
  const mark = method === 'TRACE' ? { 'x-sextant-trace': '1' } : {};
  const bounds = { timeoutMs: FILE_MS, maxBytes: MAX_FILE_BYTES, cut: true, anyCertificate: true, signal };
  const answer = await net.fetch(url, { ...bounds, method, headers: { ...headers, ...mark } });
  const echoed = method === 'TRACE' && /x-sextant-trace/i.test(new TextDecoder().decode(answer.body));
  return { status: answer.status, headers: Object.fromEntries(answer.headers), echoed };
}

/** All at once, each able to fail alone. */
async function each<Item, Found>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  ask: (item: Item) => Promise<Found>,
): Promise<Record<string, Found | null>> {
  const found = await Promise.all(
    items.map(async (item) => [nameOf(item), await ask(item).catch(() => null)] as const),
  );
  return Object.fromEntries(found);
}

function isPrivate({ headers }: Fetched): boolean {
  return (headers.get('cache-control') ?? []).some((value) => /(^|[\s,])(no-store|private)(?=$|[\s,;=])/i.test(value));
}
