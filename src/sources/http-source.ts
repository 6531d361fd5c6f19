import { isRedirect } from '../net/redirect.ts';
import type { Source, SourcePolicy } from './source.ts';

export interface HttpRequest {
  /** With query, below the source's address. */
  path: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** An HTTP API: what to send, and how to read what comes back. */
interface HttpApi<Question, Found> {
  readonly policy: SourcePolicy;
  /** `key` is the configured key, or null. */
  request(question: Question, key: string | null): HttpRequest;
  /** Reads an answer; throws when it is not what the source promises (`new Error('status 500')`). */
  read(status: number, body: string, question: Question, headers: ReadonlyMap<string, readonly string[]>): Found;
}

export type HttpSource<Question, Found> = Source<Question, Found> & HttpApi<Question, Found>;

const MAX_REDIRECTS = 2;

/** No redirect may take a key to another host: one that leaves the origin is not followed. */
export function httpSource<Question, Found>(api: HttpApi<Question, Found>): HttpSource<Question, Found> {
  return {
    ...api,
    async ask(question, { net, address, trusted, key, timeoutMs, maxBytes, signal }) {
      const { path, ...request } = api.request(question, key);
      let url = new URL(path, address);
      for (let hops = 0; ; hops++) {
        const answer = await net.fetch(url, { ...request, trusted, timeoutMs, maxBytes, signal });
        const next = redirectOf(url, answer.status, answer.headers.get('location')?.[0]);
        if (next === null || hops === MAX_REDIRECTS) {
          return api.read(answer.status, new TextDecoder().decode(answer.body), question, answer.headers);
        }
        url = next;
      }
    },
  };
}

function redirectOf(from: URL, status: number, location: string | undefined): URL | null {
  if (!isRedirect(status) || location === undefined) return null;
  const to = URL.parse(location, from.href);
  return to?.origin === from.origin ? to : null;
}
