import { setTimeout as pause } from 'node:timers/promises';
import { type HttpResponse, type HttpBounds, type HttpOptions, httpGet } from '../net/http-get.ts';
import { NetError } from '../net/net-error.ts';
import { retryAfterSeconds } from '../net/retry-after.ts';
import { UpstreamError } from './upstream-error.ts';

/** The longest `Retry-After` that is followed; for a longer one the answer is returned as it is. */
const MAX_BACKOFF_MS = 30_000;

export interface RetryOptions {
  /** How often to retry if a server is overloaded or closes the connection before it answers. */
  retries: number;
  /** Pause before the first retry, doubled for each next one; a `Retry-After` replaces it. */
  backoffMs: number;
}

/** GETs `url` with retries; `http.bounds.totalMs` holds for all attempts together. Throws `NetError`; an answer may have any status. */
export async function getWithRetry(
  url: URL,
  http: HttpOptions & { bounds: HttpBounds; startedAt: number },
  { retries, backoffMs }: RetryOptions,
): Promise<HttpResponse> {
  const end = http.startedAt + http.bounds.totalMs;
  for (let attempt = 0; ; attempt++) {
    let wait = backoffMs * 2 ** attempt;
    const canRetry = () => attempt < retries && wait <= Math.min(MAX_BACKOFF_MS, end - performance.now());
    try {
      const answer = await httpGet(url, http);
      if (answer.status !== 429 && answer.status < 500) return answer;
      wait = (retryAfterOf(answer) ?? wait / 1000) * 1000;
      if (!canRetry()) return answer;
      answer.discard();
    } catch (error) {
      if (!(error instanceof NetError && error.code === 'reset') || !canRetry()) throw error;
    }
    await waitBeforeRetry(wait, url, http.signal);
  }
}

/** Pauses; throws a `NetError` with code `aborted` as soon as the caller stops. */
export async function waitBeforeRetry(ms: number, url: URL, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => {
    throw new NetError('aborted', `${url.host}: stopped by the caller`);
  });
}

/** The error for an answer with an unexpected status; its body is discarded. */
export function unexpectedStatusError(answer: HttpResponse, url: URL): UpstreamError {
  answer.discard();
  return new UpstreamError(`${url.host} answered ${answer.status} for ${url.pathname}`, answer.status);
}

function retryAfterOf(answer: HttpResponse): number | null {
  return retryAfterSeconds(answer.headers.get('retry-after'), Date.now());
}
