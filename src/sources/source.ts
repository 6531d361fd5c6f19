import type { ApiError } from '../errors.ts';
import type { NetworkClient } from '../net/network-client.ts';
import type { NetErrorCode } from '../net/net-error.ts';

/**
 * The fixed properties of a live source, which is asked over the network when an answer needs it. All policies are listed in
 * `registry.ts`. Most sources are HTTP APIs: `http-source.ts` makes those.
 */
export interface SourcePolicy {
  /** Also its name in `SEXTANT_SOURCE_<ID>_URL`, in `/v1/status` and in verdicts. */
  readonly id: string;
  readonly title: string;
  readonly provides: string;
  /** Default base URL, ending with `/`; null: it has none, each target is asked itself (DNS, TLS, its web server). */
  readonly baseUrl: string | null;
  /** A base URL may be configured although there is no default one. */
  readonly allowsBaseUrl?: true;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** How long an answer is cached; 0: not at all. */
  readonly ttlSeconds: number;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Environment variable of its API key; `needed`: without the key it is not asked at all. */
  readonly key: { variable: string; needed: boolean } | null;
}

export interface Source<Question, Found> {
  readonly policy: SourcePolicy;
  /** Tells sources of one policy apart: answers are cached by it and the question. Default: the id of the policy. */
  readonly kind?: string;
  /** Asks the source. Throws `NetError`, `SourceStatusError`, `ApiError` where it must not ask, or what reading the answer throws. */
  ask(question: Question, context: SourceContext): Promise<Found>;
  /** The host whose pages are fetched: counted against that target's limit, also where the answer is cached. */
  visitedHost?(question: Question): string;
  /** Whether an answer may be cached. Default: yes, for the time of the policy. */
  isCacheable?(found: Found): boolean;
}

/** What a source is given for one request. */
export interface SourceContext {
  readonly net: NetworkClient;
  /** Configured base URL, or the default one; empty where the source has none. */
  readonly baseUrl: string;
  /** The operator configured the base URL: its address may be private. */
  readonly trusted: boolean;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Asks another source that this one needs, with its policy and cache. */
  ask<Question, Found>(source: Source<Question, Found>, question: Question): Promise<SourceResult<Found>>;
  /** Counts a visit of another host, whose pages are to be fetched. Throws `ApiError` 429 past its limit. */
  countVisit(host: string): Promise<void>;
}

/** `refusal`: no request was sent, because of the target's robots.txt, its limit, or a limit of this process. */
export type SourceResult<Found> =
  | { status: 'ok'; found: Found; ageSeconds: number }
  | { status: 'unavailable'; reason: string; timedOut: boolean; failure: SourceFailureCode; refusal?: ApiError }
  | { status: 'not_configured' };

/** `status`, `unreadable`: it answered, but not as promised; `not_asked`: no request was sent. */
export type SourceFailureCode = NetErrorCode | 'status' | 'unreadable' | 'not_asked';
