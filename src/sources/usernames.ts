import type { FetchResponse } from '../net/fetch-types.ts';
import { NetError } from '../net/net-error.ts';
import type { Source } from './source.ts';
import { type ResponsePattern, USERNAME_PLATFORMS, type UsernamePlatform } from './username-platforms.ts';

export interface UsernameResult {
  status: 'found' | 'not_found' | 'unknown';
  /** Why it is unknown. */
  reason: string | null;
}

const BLOCKING_STATUSES = [401, 403, 407, 418, 429, 451, 503, 999];

/**
 * Whether a username is taken at a platform; `unknown`, which is not cached, if the platform blocks the request, redirects, does not
 * answer, or matches neither pattern. With a configured base URL each platform is asked below its id: `<base>github/users/alice`.
 */
export const usernames: Source<{ platform: string; username: string }, UsernameResult> = {
  policy: {
    id: 'platforms',
    title: 'Platforms with usernames',
    provides: `whether a username is taken, at ${USERNAME_PLATFORMS.length} platforms`,
    baseUrl: null,
    allowsBaseUrl: true,
    timeoutMs: 8000,
    maxBytes: 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 32,
    key: null,
  },
  isCacheable: ({ status }) => status !== 'unknown',
  async ask({ platform: id, username }, { net, baseUrl, trusted, timeoutMs, maxBytes, signal }) {
    const platform = USERNAME_PLATFORMS.find((each) => each.id === id)!;
    try {
      const platformUrl = new URL(fillUsername(platform.checkUrl ?? platform.profileUrl, encodeURIComponent(username)));
      const url = baseUrl === '' ? platformUrl : new URL(`${id}${platformUrl.pathname}${platformUrl.search}`, baseUrl);
      const headers = { accept: 'application/json, text/html, */*', 'accept-language': 'en' };
      return judgeResponse(
        platform,
        username,
        await net.fetch(url, { headers, timeoutMs, maxBytes, signal, trusted, truncate: true }),
      );
    } catch (error) {
      if (!(error instanceof NetError) || error.code === 'aborted') throw error;
      return unknownResult(error.code === 'timeout' ? 'it took too long' : `the connection failed (${error.code})`);
    }
  },
};

function judgeResponse(
  { foundPattern, notFoundPattern }: UsernamePlatform,
  username: string,
  { status, body }: FetchResponse,
): UsernameResult {
  const text = new TextDecoder().decode(body).toLowerCase();
  const matches = (pattern: ResponsePattern): boolean =>
    pattern.status === status &&
    (pattern.includes === undefined || text.includes(fillUsername(pattern.includes, username))) &&
    (pattern.equals === undefined || text.trim() === pattern.equals);
  if (matches(foundPattern)) return { status: 'found', reason: null };
  if (matches(notFoundPattern)) return { status: 'not_found', reason: null };
  if (status >= 300 && status < 400) return unknownResult('it redirects to another page');
  if (BLOCKING_STATUSES.includes(status)) return unknownResult(`it blocked the request (status ${status})`);
  return unknownResult(status === 200 ? 'its response matches neither pattern' : `it answered with status ${status}`);
}

function unknownResult(reason: string): UsernameResult {
  return { status: 'unknown', reason };
}

/** Replaces `{u}` by the username. */
export function fillUsername(template: string, username: string): string {
  return template.replaceAll('{u}', () => username);
}
