import type { ApiError } from '../errors.ts';
import type { NetworkClient } from '../net/network-client.ts';
import type { NetErrorCode } from '../net/net-error.ts';

/**
 * The fixed properties of a live source, which is asked over the network when an answer needs it. All policies are listed in
 * `registry.ts`. Most sources are HTTP APIs, created by `httpSource`.
 */
export interface SourcePolicy {
  /** Also its name in `SEXTANT_SOURCE_<ID>_URL`, in `/v1/status` and in verdicts. */
  readonly id: string;
  readonly title: string;
  readonly provides: string;
  /** Default base URL, ending with `/`; null: none, because each target is asked itself (DNS, TLS, its web server). */
  readonly baseUrl: string | null;
  /** A base URL can be configured although there is no default. */
  readonly allowsBaseUrl?: true;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** How long an answer is cached; 0: not at all. */
  readonly ttlSeconds: number;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Environment variable of its API key; `needed`: without the key the source is not asked. */
  readonly key: { variable: string; needed: boolean } | null;
}

export interface Source<Question, Found> {
  readonly policy: SourcePolicy;
  /** Distinguishes sources of one policy: part of the cache key. Default: the id of the policy. */
  readonly kind?: string;
  /** Asks the source. Throws `NetError`, `SourceStatusError`, `ApiError` if it must not ask, or an error of reading the answer. */
  ask(question: Question, context: SourceContext): Promise<Found>;
  /** The host whose pages are fetched: the visit counts against its limit, even if the answer is cached. */
  visitedHost?(question: Question): string;
  /** Whether an answer may be cached. Default: yes, for the time of the policy. */
  isCacheable?(found: Found): boolean;
}

/** The context of one request to a source. */
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
  /** Counts a visit of another host before its pages are fetched. Throws `ApiError` 429 above its limit. */
  countVisit(host: string): Promise<void>;
}

/** `refusal`: no request was sent, because of the target's robots.txt, its limit, or a limit of this process. */
export type SourceResult<Found> =
  | { status: 'ok'; found: Found; ageSeconds: number }
  | { status: 'unavailable'; reason: string; timedOut: boolean; failure: SourceFailureCode; refusal?: ApiError }
  | { status: 'not_configured' };

/** `status`: a status that means failure; `unreadable`: an unexpected body; `not_asked`: no request was sent. */
export type SourceFailureCode = NetErrorCode | 'status' | 'unreadable' | 'not_asked';
