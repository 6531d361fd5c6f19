import { setTimeout as pause } from 'node:timers/promises';
import { type HttpResponse, type HttpBounds, type HttpOptions, httpGet } from '../net/http-get.ts';
import { NetError } from '../net/net-error.ts';
import { retryAfterSeconds } from '../net/retry-after.ts';
import { UpstreamError } from './upstream-error.ts';

/** Longest pause that a server can ask for; one that wants more is left alone, and the answer stands. */
const MAX_BACKOFF_MS = 30_000;

export interface RetryOptions {
  /** How often more to ask a server that is overloaded or drops the connection before it answers. */
  retries: number;
  /** Pause before the first such try, doubled for each next; a `Retry-After` replaces it. */
  backoffMs: number;
}

/** GETs `url` with patience, all tries under the one clock that `http` starts. Throws `NetError`; any status is an answer. */
export async function getWithRetry(
  url: URL,
  http: HttpOptions & { bounds: HttpBounds; startedAt: number },
  { retries, backoffMs }: RetryOptions,
): Promise<HttpResponse> {
  const end = http.startedAt + http.bounds.totalMs;
  for (let attempt = 0; ; attempt++) {
    let wait = backoffMs * 2 ** attempt;
    const again = () => attempt < retries && wait <= Math.min(MAX_BACKOFF_MS, end - performance.now());
    try {
      const answer = await httpGet(url, http);
      if (answer.status !== 429 && answer.status < 500) return answer;
      wait = (retryAfterOf(answer) ?? wait / 1000) * 1000;
      if (!again()) return answer;
      answer.discard();
    } catch (error) {
      if (!(error instanceof NetError && error.code === 'reset') || !again()) throw error;
    }
    await waitBeforeRetry(wait, url, http.signal);
  }
}

/** Pauses; throws `aborted` as soon as the caller stops. */
export async function waitBeforeRetry(ms: number, url: URL, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, undefined, signal && { signal }).catch(() => {
    throw new NetError('aborted', `${url.host}: stopped by the caller`);
  });
}

/** The error of an answer that is not what was asked for; its body is left unread. */
export function unexpectedStatusError(answer: HttpResponse, url: URL): UpstreamError {
  answer.discard();
  return new UpstreamError(`${url.host} answered ${answer.status} for ${url.pathname}`, answer.status);
}

function retryAfterOf(answer: HttpResponse): number | null {
  return retryAfterSeconds(answer.headers.get('retry-after'), Date.now());
}
