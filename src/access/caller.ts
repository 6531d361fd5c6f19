import type { IncomingHttpHeaders } from 'node:http';
import { createLruCache } from '../lru-cache.ts';
import { ApiError } from '../errors.ts';
import type { ApiKeyRecord } from './accounts.ts';
import { hashApiKey, isWellFormedApiKey, isSameHash } from './api-key.ts';
import { type ClientAddressResolver, isLoopback } from './client-address.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import type { AccessTokens } from './oauth/access-tokens.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import type { Pseudonyms } from './pseudonyms.ts';

export type Tier = 'keyless' | 'pro';

/** The caller of a request, known by pseudonyms only. */
export interface Caller {
  readonly tier: Tier;
  /** Pseudonym of the address bucket, of the key, or of the subject of the access token. */
  readonly pseudonym: string;
  /** Name of the counter window of this caller's quota. */
  readonly quotaWindowName: string;
  /** Pseudonym of the address bucket, with a key or without. */
  readonly addressPseudonym: string;
  readonly key: ApiKeyRecord | null;
  /** The caller sent an access token; its pseudonym is that of the token's subject. */
  readonly hasAccessToken?: true;
  /** The caller has no quota: a local caller of a single-user installation. */
  readonly isUnlimited?: true;
}

/** The parts of a request that identify its caller. */
export interface IncomingRequest {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_CACHED_CALLERS = 20_000;
/** Longer cache keys are not cached: the header may have been made long on purpose. */
const MAX_CACHE_KEY_CHARACTERS = 200;
/** Headers that proxies add: the request may come from another machine. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;
const BEARER_PATTERN = /^bearer +(\S+)$/i;

/** Identifies callers by their key or access token, or else by their address. */
export class CallerAuthenticator {
  readonly #addresses: ClientAddressResolver;
  readonly #keys: ApiKeyCache;
  readonly #pseudonyms: Pseudonyms;
  readonly #now: () => Date;
  readonly #unlimitedLocalCallers: boolean;
  readonly #accessTokens: AccessTokens | null;
  /** Pseudonyms cost a hash each: cached by peer and forwarded addresses, and by key id. In memory only. */
  readonly #keylessCallers = createLruCache<string, Caller>(MAX_CACHED_CALLERS);
  readonly #keyPseudonyms = createLruCache<string, string>(MAX_CACHED_CALLERS);

  /** `unlimitedLocalCallers`: see docs/decisions/008-one-person.md; `accessTokens`: null where none are accepted. */
  constructor(deps: {
    addresses: ClientAddressResolver;
    keys: ApiKeyCache;
    pseudonyms: Pseudonyms;
    now: () => Date;
    unlimitedLocalCallers?: boolean;
    accessTokens?: AccessTokens | null;
  }) {
    this.#addresses = deps.addresses;
    this.#keys = deps.keys;
    this.#pseudonyms = deps.pseudonyms;
    this.#now = deps.now;
    this.#unlimitedLocalCallers = deps.unlimitedLocalCallers ?? false;
    this.#accessTokens = deps.accessTokens ?? null;
  }

  /**
   * Throws `ApiError` 401 for a key that is malformed, unknown or expired, and as `AccessTokens` does: it never falls back to keyless.
   */
  authenticate(request: IncomingRequest): MaybePromise<Caller> {
    const accessTokens = this.#accessTokens;
    const credential = readCredential(request, accessTokens);
    if (credential === null) return this.identifyByAddress(request);
    if (accessTokens?.hasForm(credential) !== true) return this.authenticateKey(credential, request);
    return mapMaybePromise(accessTokens.pseudonymOf(credential), (pseudonym) => ({
      tier: 'pro',
      pseudonym,
      quotaWindowName: `quota:${pseudonym}`,
      addressPseudonym: this.identifyByAddress(request).pseudonym,
      key: null,
      hasAccessToken: true,
    }));
  }

  /** The same for a key that came by another way than the request's headers. */
  authenticateKey(key: string, request: IncomingRequest): MaybePromise<Caller> {
    if (!isWellFormedApiKey(key)) throw malformedKeyError();
    const hash = hashApiKey(key);
    return mapMaybePromise(this.#keys.find(hash), (record) => this.#callerOfKey(record, hash, request));
  }

  /** The caller by address; a key in the request is ignored. */
  identifyByAddress({ headers, socket }: IncomingRequest): Caller {
    const peer = socket.remoteAddress ?? '';
    const forwarded = this.#addresses.hasTrustedProxies ? headers['x-forwarded-for'] : undefined;
    const isLocal =
      this.#unlimitedLocalCallers &&
      FORWARDING_HEADERS.every((name) => headers[name] === undefined) &&
      isLoopback(peer);
    const cacheKey = forwarded === undefined ? `${isLocal ? 'local ' : ''}${peer}` : `${peer} ${String(forwarded)}`;
    let caller = this.#keylessCallers.get(cacheKey);
    if (caller === undefined) {
      const pseudonym = this.#pseudonyms.pseudonymOf(
        'address',
        this.#addresses.addressBucketOf(peer, forwarded?.toString()),
      );
      const keylessCaller: Caller = {
        tier: 'keyless',
        pseudonym,
        quotaWindowName: `quota:${pseudonym}`,
        addressPseudonym: pseudonym,
        key: null,
      };
      caller = isLocal ? { ...keylessCaller, isUnlimited: true } : keylessCaller;
      if (cacheKey.length <= MAX_CACHE_KEY_CHARACTERS) this.#keylessCallers.set(cacheKey, caller);
    }
    return caller;
  }

  #callerOfKey(record: ApiKeyRecord | null, hash: string, request: IncomingRequest): Caller {
    if (record === null || !isSameHash(record.hash, hash)) {
      throw new ApiError('invalid_api_key', 'This API key is not known here: it was never issued, or it was revoked.');
    }
    if (record.expiresAt.getTime() <= this.#now().getTime()) {
      throw new ApiError('expired_api_key', `This API key expired at ${record.expiresAt.toISOString()}.`);
    }
    let pseudonym = this.#keyPseudonyms.get(record.id);
    if (pseudonym === undefined) {
      pseudonym = this.#pseudonyms.pseudonymOf('key', record.id);
      this.#keyPseudonyms.set(record.id, pseudonym);
    }
    const { addressPseudonym } = this.identifyByAddress(request);
    return {
      tier: 'pro',
      pseudonym,
      quotaWindowName: `quota:${pseudonym}`,
      addressPseudonym,
      key: record,
    };
  }
}

/**
 * The API key of a request, or its access token, which only the Authorization header may hold; null without either. Throws `ApiError` 401 for
 * one that is malformed, or for several.
 */
function readCredential({ headers, rawHeaders }: IncomingRequest, accessTokens: AccessTokens | null): string | null {
  const { authorization } = headers;
  const apiKeyHeader = headers['x-api-key'];
  if (authorization === undefined && apiKeyHeader === undefined) return null;
  // Node keeps the first of several Authorization headers and drops the others.
  if (authorization !== undefined && countHeader(rawHeaders, 'authorization') > 1) throw severalKeysError();
  const credentials = new Set<string>();
  const bearer = authorization === undefined ? null : (BEARER_PATTERN.exec(authorization)?.[1] ?? '');
  if (bearer !== null) credentials.add(bearer);
  if (apiKeyHeader !== undefined) credentials.add(String(apiKeyHeader));
  for (const credential of credentials) {
    const isAccessToken = credential === bearer && accessTokens?.hasForm(credential) === true;
    if (!isAccessToken && !isWellFormedApiKey(credential)) throw malformedKeyError(accessTokens !== null);
  }
  if (credentials.size > 1) throw severalKeysError();
  return [...credentials][0]!;
}

function malformedKeyError(acceptsAccessTokens = false): ApiError {
  const otherwise = acceptsAccessTokens ? ' An access token is a JWT, as "Authorization: Bearer <token>".' : '';
  return new ApiError(
    'invalid_api_key',
    `This is not an API key. Accepted: sxt_ and 48 lower-case hex characters, as "Authorization: Bearer <key>" or "X-API-Key: <key>".${otherwise}`,
  );
}

function severalKeysError(): ApiError {
  return new ApiError('invalid_api_key', 'Several API keys were sent; send one.');
}

/** How often a header was sent. `rawHeaders`: names and values in turn; `name`: lower case. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index]!;
    if (header.length === name.length && header.toLowerCase() === name) count++;
  }
  return count;
}
