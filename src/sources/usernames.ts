import type { Fetched } from '../net/fetched.ts';
import { NetError } from '../net/net-error.ts';
import type { Source } from './source.ts';
import { type Look, PLATFORMS, type Platform } from './username-platforms.ts';

export interface UsernameOutcome {
  status: 'found' | 'not_found' | 'unknown';
  /** Why it is unknown. */
  reason: string | null;
}

const BLOCKS = [401, 403, 407, 418, 429, 451, 503, 999];

/**
 * Whether a platform has a username. A platform that does not let us look, leads elsewhere, does not answer, or answers with what looks
 * like neither, leaves it unknown; that is an outcome too, and is not kept. Below a configured address each platform is asked at its id:
 * `<address>github/users/somebody`.
 */
export const usernames: Source<{ platform: string; username: string }, UsernameOutcome> = {
  policy: {
    id: 'platforms',
    title: 'Platforms with usernames',
    provides: `whether a username is taken, at ${PLATFORMS.length} platforms`,
    address: null,
    takesAddress: true,
    timeoutMs: 8000,
    maxBytes: 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 32,
    key: null,
  },
  keep: ({ status }) => status !== 'unknown',
  async ask({ platform: id, username }, { net, address, trusted, timeoutMs, maxBytes, signal }) {
    const platform = PLATFORMS.find((each) => each.id === id)!;
    try {
      const own = new URL(filled(platform.asked ?? platform.profile, encodeURIComponent(username)));
      const url = address === '' ? own : new URL(`${id}${own.pathname}${own.search}`, address);
      const headers = { accept: 'application/json, text/html, */*', 'accept-language': 'en' };
      return judge(
        platform,
        username,
        await net.fetch(url, { headers, timeoutMs, maxBytes, signal, trusted, cut: true }),
      );
    } catch (error) {
      if (!(error instanceof NetError) || error.code === 'aborted') throw error;
      return unknown(error.code === 'timeout' ? 'it took too long' : `the connection failed (${error.code})`);
    }
  },
};

function judge({ found, notFound }: Platform, username: string, { status, body }: Fetched): UsernameOutcome {
  const text = new TextDecoder().decode(body).toLowerCase();
  const looks = (look: Look): boolean =>
    look.status === status &&
    (look.text === undefined || text.includes(filled(look.text, username))) &&
    (look.all === undefined || text.trim() === look.all);
  if (looks(found)) return { status: 'found', reason: null };
  if (looks(notFound)) return { status: 'not_found', reason: null };
  if (status >= 300 && status < 400) return unknown('it leads elsewhere');
  if (BLOCKS.includes(status)) return unknown(`it did not let us look (status ${status})`);
  return unknown(status === 200 ? 'its answer looks like neither' : `it answered with status ${status}`);
}

function unknown(reason: string): UsernameOutcome {
  return { status: 'unknown', reason };
}

export function filled(template: string, username: string): string {
  return template.replaceAll('{u}', () => username);
}
