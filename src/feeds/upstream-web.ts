import type { ConnectionPool } from '../net/connection-pool.ts';
import { type HttpResponse, type HttpBounds, readText } from '../net/http-get.ts';
import { nextLink } from '../net/link-header.ts';
import { NetError } from '../net/net-error.ts';
import { JsonDepthError, parseBoundedJson } from '../analysis/bounded-json.ts';
import type { OpenResult, Upstream } from './upstream.ts';
import { getWithRetry, type RetryOptions, waitBeforeRetry, unexpectedStatusError } from './upstream-retry.ts';
import { parseDirectoryPage } from './upstream-directory.ts';
import { UpstreamError } from './upstream-error.ts';
import { continuedBody, resumableBody } from './upstream-resume.ts';
import { conditionalHeaders, encodeValidator } from './upstream-validator.ts';

const MAX_DIRECTORY_BYTES = 8 * 1024 * 1024;

interface UpstreamRequest {
  headers: Record<string, string>;
  startedAt: number;
  raw?: boolean;
  bounds?: HttpBounds;
}

export interface WebUpstreamConfig extends RetryOptions {
  /** `totalMs` is for one file with all retries; `maxBytes` is for files. */
  bounds: HttpBounds;
  /** For `readText` and `readJson` if the call gives no limit. */
  maxTextBytes: number;
  /** An Authorization header for one origin only, such as a token for `https://api.github.com`. */
  authorization?: { origin: string; value: string } | undefined;
  pool: ConnectionPool;
}

/** Reads a feed from a web server. Throws `NetError` if no answer comes, `UpstreamError` if the answer is unusable. */
export function createWebUpstream(
  address: URL,
  layout: 'mirror' | 'origin',
  options: WebUpstreamConfig,
  signal: AbortSignal | undefined,
): Upstream {
  const base = toBaseUrl(address);
  const { authorization, bounds, maxTextBytes, backoffMs, pool } = options;

  function send(url: URL, request: UpstreamRequest): Promise<HttpResponse> {
    const secret = authorization?.origin === url.origin ? { authorization: authorization.value } : {};
    const headers = { ...request.headers, ...secret };
    return getWithRetry(url, { bounds, pool, signal, ...request, headers }, options);
  }

  /** The answer to a GET without conditions; null if there is no such file. */
  async function get(url: URL, accept: string): Promise<HttpResponse | null> {
    const answer = await send(url, { headers: { accept }, startedAt: performance.now() });
    if (discardIfMissing(answer)) return null;
    if (answer.status !== 200) throw unexpectedStatusError(answer, url);
    return answer;
  }

  async function readTextFile(path: string, maxBytes = maxTextBytes): Promise<string | null> {
    const answer = await get(resolvePath(base, path), '*/*');
    return answer && readText(answer, maxBytes);
  }

  async function readJsonFile(
    path: string,
    maxBytes = maxTextBytes,
  ): Promise<{ body: unknown; next: string | null } | null> {
    const url = resolvePath(base, path);
    const answer = await get(url, 'application/json');
    if (!answer) return null;
    const body = parseJsonBody(await readText(answer, maxBytes), url);
    const next = nextLink(answer.headers.get('link') ?? '', answer.url);
    return { body, next: next !== null && URL.parse(next)?.origin === url.origin ? next : null };
  }

  async function listFiles(pattern: RegExp): Promise<string[]> {
    const answer = await send(base, { headers: { accept: 'text/html' }, startedAt: performance.now() });
    if (answer.status !== 200) throw unexpectedStatusError(answer, base);
    const names = parseDirectoryPage(await readText(answer, MAX_DIRECTORY_BYTES), answer.url);
    return names.filter((name) => name.search(pattern) >= 0);
  }

  async function openFile(path: string, validator: string | null): Promise<OpenResult> {
    const url = resolvePath(base, path);
    const publicUrl = withoutCredentials(url);
    const startedAt = performance.now();
    // Some servers send a .gz file with `Content-Encoding: gzip`; it must not be decoded here.
    const raw = /\.t?gz$/i.test(url.pathname);
    const conditions = conditionalHeaders(publicUrl, validator);
    const answer = await send(url, { headers: conditions, startedAt, raw });
    if (answer.status === 304 && Object.keys(conditions).length > 0) {
      answer.discard();
      return { status: 'unchanged' };
    }
    if (discardIfMissing(answer)) return { status: 'missing' };
    if (answer.status !== 200) throw unexpectedStatusError(answer, url);
    const bytes = resumableBody(answer, fileNameOf(url), async (headers, from) => {
      await waitBeforeRetry(backoffMs, url, signal);
      const remaining = { ...bounds, maxBytes: bounds.maxBytes - from };
      const next = await send(url, { headers, startedAt, raw, bounds: remaining });
      if (next.status >= 400) throw unexpectedStatusError(next, url);
      return next;
    });
    return { status: 'open', bytes, size: answer.bodyLength, validator: encodeValidator(publicUrl, answer.headers) };
  }

  async function readFrom(
    path: string,
    from: number,
  ): Promise<{ from: number; bytes: AsyncIterable<Uint8Array> } | null> {
    const url = resolvePath(base, path);
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const answer = await send(url, { headers, startedAt: performance.now(), raw: true });
    return discardIfMissing(answer) ? null : continuedBody(answer, from, url);
  }

  return { layout, readText: readTextFile, readJson: readJsonFile, listFiles, openFile, readFrom };
}

/** The address of `path`: inside the base address, or an absolute address that the upstream named. */
function resolvePath(base: URL, path: string): URL {
  const url = URL.parse(path, base);
  const absolute = /^https?:\/\//i.test(path);
  const inside = url?.origin === base.origin && url.pathname.startsWith(base.pathname);
  const downgrade = base.protocol === 'https:' && url?.protocol === 'http:';
  const foreignLogin = absolute && (url?.username || url?.password);
  if (!url || downgrade || foreignLogin || !(absolute || inside)) {
    throw new UpstreamError("refused to read an address outside the feed's own");
  }
  if (url.origin === base.origin) {
    url.username = base.username;
    url.password = base.password;
  }
  return url;
}

function parseJsonBody(text: string, url: URL): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof JsonDepthError) throw new UpstreamError(`the JSON is ${error.message}`);
    throw new NetError('protocol', `${url.host}: the body is not JSON`);
  }
}

function fileNameOf(url: URL): string {
  return url.pathname.slice(url.pathname.lastIndexOf('/') + 1) || 'the file';
}

function toBaseUrl(address: URL): URL {
  const base = new URL(address);
  base.search = base.hash = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return base;
}

function withoutCredentials(url: URL): string {
  const bare = new URL(url);
  bare.username = bare.password = '';
  return bare.href;
}

function discardIfMissing(answer: HttpResponse): boolean {
  if (answer.status !== 404 && answer.status !== 410) return false;
  answer.discard();
  return true;
}
