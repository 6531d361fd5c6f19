import { redirectTarget } from '../net/redirect.ts';
import { readInThreadIfLarge } from './read-in-thread-if-large.ts';
import type { Source, SourcePolicy } from './source.ts';

export interface HttpRequest {
  /** Path and query, relative to the base URL. */
  path: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** An HTTP API: its requests, and how to read its responses. */
export interface HttpSourceDefinition<Question, Found> {
  readonly policy: SourcePolicy;
  /** Its name in `readers.ts`, and the kind of the source. */
  readonly readerName: string;
  /** `key`: the configured API key, or null. */
  request(question: Question, key: string | null): HttpRequest;
  /** Reads a response; throws for an unexpected one. Pure: it may run in a thread. */
  read(status: number, body: string, question: Question): Found;
}

export type HttpSource<Question, Found> = Source<Question, Found> & HttpSourceDefinition<Question, Found>;

/** A response as received, and the question that it answers. */
export interface ReaderInput<Question> {
  status: number;
  body: Uint8Array;
  question: Question;
}

const MAX_REDIRECTS = 2;

/** A source for an HTTP API. Redirects are followed only within the origin: a key must not reach another host. */
export function httpSource<Question, Found>(api: HttpSourceDefinition<Question, Found>): HttpSource<Question, Found> {
  return {
    ...api,
    kind: api.readerName,
    async ask(question, { net, baseUrl, trusted, apiKey, timeoutMs, maxBytes, signal }) {
      const { path, ...request } = api.request(question, apiKey);
      let url = new URL(path, baseUrl);
      for (let hops = 0; ; hops++) {
        const answer = await net.fetch(url, { ...request, trusted, timeoutMs, maxBytes, signal });
        const { status, body } = answer;
        const next = redirectTarget(url, answer);
        if (next?.origin !== url.origin || hops === MAX_REDIRECTS) {
          const input = { status, body, question };
          return readInThreadIfLarge(api.readerName, (inputOfReader) => readHttpResponse(api, inputOfReader), {
            input,
            bytes: body,
            signal,
          });
        }
        url = next;
      }
    },
  };
}

/** Decodes the body as UTF-8 and reads it with the reader of the source. */
export function readHttpResponse<Question, Found>(
  { read }: Pick<HttpSourceDefinition<Question, Found>, 'read'>,
  { status, body, question }: ReaderInput<Question>,
): Found {
  return read(status, new TextDecoder().decode(body), question);
}
