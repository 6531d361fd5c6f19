import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.ts';
import type { ApiKeyRecord } from './accounts.ts';
import { hashApiKey, isWellFormedApiKey, isSameHash } from './api-key.ts';
import { type ClientAddressResolver, isLoopback } from './client-address.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import { mapMaybePromise, type MaybePromise } from './maybe-promise.ts';
import type { Pseudonyms } from './installation-secret.ts';

export type Tier = 'keyless' | 'pro';

/** Who asks, by names that tell nobody who that is. */
export interface Caller {
  readonly tier: Tier;
  /** Pseudonym of the address bucket, or of the key. */
  readonly pseudonym: string;
  /** The quota's window of this caller. */
  readonly quotaWindowName: string;
  /** Pseudonym of the address bucket, with a key or without. */
  readonly addressPseudonym: string;
  readonly key: ApiKeyRecord | null;
  /** True of the person at this machine, of an installation for that person alone: there is no limit. */
  readonly isUnlimited?: true;
}

/** What is looked at of a request: its headers, and the address at the other end of the connection. */
export interface IncomingRequest {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_CACHED_CALLERS = 20_000;
/** Of what is remembered: a header made long on purpose is worked out each time. */
const MAX_CACHE_KEY_CHARACTERS = 200;
/** Headers of a request that somebody passes on: it may come from another machine. */
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;
const BEARER_PATTERN = /^bearer +(\S+)$/i;

/** Tells who asks, from the key or else the address. */
export class CallerAuthenticator {
  readonly #addresses: ClientAddressResolver;
  readonly #keys: ApiKeyCache;
  readonly #pseudonyms: Pseudonyms;
  readonly #now: () => Date;
  readonly #unlimitedLocalCallers: boolean;
  /** By peer and forwarded addresses, and by key id: names cost a hash each. In memory only. */
  readonly #keylessCallers = new LRUCache<string, Caller>({ max: MAX_CACHED_CALLERS });
  readonly #keyPseudonyms = new LRUCache<string, string>({ max: MAX_CACHED_CALLERS });

  /** `localUnlimited`: callers on this machine have no limit (docs/decisions/008-one-person.md). */
  constructor(of: {
    addresses: ClientAddressResolver;
    keys: ApiKeyCache;
    pseudonyms: Pseudonyms;
    now: () => Date;
    unlimitedLocalCallers?: boolean;
  }) {
    this.#addresses = of.addresses;
    this.#keys = of.keys;
    this.#pseudonyms = of.pseudonyms;
    this.#now = of.now;
    this.#unlimitedLocalCallers = of.unlimitedLocalCallers ?? false;
  }

  /** Throws `ApiError` 401 for a key that is malformed, unknown or expired: it never falls back to keyless. */
  authenticate(request: IncomingRequest): MaybePromise<Caller> {
    const key = readApiKey(request);
    if (key === null) return this.identifyByAddress(request);
    const hash = hashApiKey(key);
    return mapMaybePromise(this.#keys.find(hash), (record) => this.#callerOfKey(record, hash, request));
  }

  /** The caller as one without a key. */
  identifyByAddress({ headers, socket }: IncomingRequest): Caller {
    const peer = socket.remoteAddress ?? '';
    const forwarded = this.#addresses.hasTrustedProxies ? headers['x-forwarded-for'] : undefined;
    const isLocal =
      this.#unlimitedLocalCallers &&
      FORWARDING_HEADERS.every((name) => headers[name] === undefined) &&
      isLoopback(peer);
    const from = forwarded === undefined ? `${isLocal ? 'local ' : ''}${peer}` : `${peer} ${String(forwarded)}`;
    let caller = this.#keylessCallers.get(from);
    if (caller === undefined) {
      const pseudonym = this.#pseudonyms.pseudonymOf(
        'address',
        this.#addresses.addressBucketOf(peer, forwarded?.toString()),
      );
      const known = {
        tier: 'keyless',
        pseudonym,
        quotaWindowName: `quota:${pseudonym}`,
        addressPseudonym: pseudonym,
        key: null,
      } as const;
      caller = isLocal ? { ...known, isUnlimited: true } : known;
      if (from.length <= MAX_CACHE_KEY_CHARACTERS) this.#keylessCallers.set(from, caller);
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
    let name = this.#keyPseudonyms.get(record.id);
    if (name === undefined) {
      name = this.#pseudonyms.pseudonymOf('key', record.id);
      this.#keyPseudonyms.set(record.id, name);
    }
    const { addressPseudonym } = this.identifyByAddress(request);
    return {
      tier: 'pro',
      pseudonym: name,
      quotaWindowName: `quota:${name}`,
      addressPseudonym,
      key: record,
    };
  }
}

/** The key that a request carries, null where it carries none. Throws `ApiError` 401 where what it carries is no key, or two. */
function readApiKey({ headers, rawHeaders }: IncomingRequest): string | null {
  const { authorization } = headers;
  const direct = headers['x-api-key'];
  if (authorization === undefined && direct === undefined) return null;
  // Node keeps the first of several Authorization headers and drops the others silently.
  if (authorization !== undefined && countHeader(rawHeaders, 'authorization') > 1) throw severalKeysError();
  const keys = new Set<string>();
  if (authorization !== undefined) keys.add(BEARER_PATTERN.exec(authorization)?.[1] ?? '');
  if (direct !== undefined) keys.add(String(direct));
  for (const key of keys) {
    if (!isWellFormedApiKey(key)) {
      throw new ApiError(
        'invalid_api_key',
        'This is not an API key. Accepted: sxt_ and 48 lower-case hex characters, as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
      );
    }
  }
  if (keys.size > 1) throw severalKeysError();
  return [...keys][0]!;
}

function severalKeysError(): ApiError {
  return new ApiError('invalid_api_key', 'Several API keys were sent; send one.');
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === name) count++;
  }
  return count;
}
