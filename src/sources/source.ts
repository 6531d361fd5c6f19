import type { ApiError } from '../errors.ts';
import type { NetworkClient } from '../net/network-client.ts';
import type { NetErrorCode } from '../net/net-error.ts';

/**
 * A live source: asked over the network when an answer needs it. `policy` is its row in the table of sources
 * (`registry.ts`). Most are HTTP APIs: `http-source.ts` makes those.
 */
export interface SourcePolicy {
  /** Also its name in `SEXTANT_SOURCE_<ID>_URL`, in `/v1/status` and in verdicts. */
  readonly id: string;
  readonly title: string;
  readonly provides: string;
  /** Default address, ending with `/`; null: it has none, each target is asked itself (DNS, TLS, its web server). */
  readonly baseUrl: string | null;
  /** An address may be configured although there is no default one: the source says what is asked below it. */
  readonly allowsBaseUrl?: true;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** How long an answer may be given again. */
  readonly ttlSeconds: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Configuration that holds its key; `needed`: without the key it is not asked at all. */
  readonly key: { variable: string; needed: boolean } | null;
}

export interface Source<Question, Found> {
  readonly policy: SourcePolicy;
  /** Asks. Throws `NetError`, `ApiError` where it must not ask, or an `Error` (`status 500`, or whatever reading came to). */
  ask(question: Question, context: SourceContext): Promise<Found>;
  /** The host whose pages it looks at: counted against that target's limit, before the look into the cache too. */
  visitedHost?(question: Question): string;
  /** Whether an answer may be given again at all. Default: yes, for the policy's time. */
  isCacheable?(found: Found): boolean;
}

/** How a source is reached. */
export interface SourceContext {
  readonly net: NetworkClient;
  /** Configured address, or the default one; empty where the source has none. */
  readonly baseUrl: string;
  /** The operator set the address: it may be private. */
  readonly trusted: boolean;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Asks another source that this one needs, with its policy and cache. */
  ask<Question, Found>(source: Source<Question, Found>, question: Question): Promise<SourceResult<Found>>;
  /** Another host is reached whose pages are looked at. Throws `ApiError` 429 past its limit. */
  countVisit(host: string): Promise<void>;
}

/** What asking came to. `refusal`: it was kept from asking, by the target's robots.txt or by its limit. */
export type SourceResult<Found> =
  | { status: 'ok'; found: Found; ageSeconds: number }
  | { status: 'unavailable'; reason: string; timedOut: boolean; failure: SourceFailureCode; refusal?: ApiError }
  | { status: 'not_configured' };

/** `status`, `unreadable`: it answered, but not as it should; `not_asked`: it was left alone. */
export type SourceFailureCode = NetErrorCode | 'status' | 'unreadable' | 'not_asked';
