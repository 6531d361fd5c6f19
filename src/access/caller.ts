import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../errors.ts';
import type { KeyRecord } from './accounts.ts';
import { hashOfKey, isApiKey, isSameHash } from './api-key.ts';
import { type ClientAddresses, isLoopback } from './client-address.ts';
import type { KeyCache } from './key-cache.ts';
import { chain, type MaybePromise } from './maybe-promise.ts';
import type { Pseudonyms } from './secret.ts';

export type Tier = 'keyless' | 'pro';

/** Who asks, by names that tell nobody who that is. */
export interface Caller {
  readonly tier: Tier;
  /** Pseudonym of the address bucket, or of the key. */
  readonly name: string;
  /** The quota's window of this caller. */
  readonly window: string;
  /** Pseudonym of the address bucket, with a key or without. */
  readonly addressName: string;
  readonly key: KeyRecord | null;
  /** True of the person at this machine, of an installation for that person alone: there is no limit. */
  readonly unlimited?: true;
}

/** What is looked at of a request: its headers, and the address at the other end of the connection. */
export interface Request {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const MAX_CALLERS = 20_000;
/** Of what is remembered: a header made long on purpose is worked out each time. */
const LONGEST_FROM = 200;
/** Headers of a request that somebody passes on: it may come from another machine. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const;
const BEARER = /^bearer +(\S+)$/i;

/** Tells who asks, from the key or else the address. */
export class Callers {
  readonly #addresses: ClientAddresses;
  readonly #keys: KeyCache;
  readonly #pseudonyms: Pseudonyms;
  readonly #now: () => Date;
  readonly #localUnlimited: boolean;
  /** By peer and forwarded addresses, and by key id: names cost a hash each. In memory only. */
  readonly #keyless = new LRUCache<string, Caller>({ max: MAX_CALLERS });
  readonly #names = new LRUCache<string, string>({ max: MAX_CALLERS });

  /** `localUnlimited`: callers on this machine have no limit (docs/decisions/008-one-person.md). */
  constructor(of: {
    addresses: ClientAddresses;
    keys: KeyCache;
    pseudonyms: Pseudonyms;
    now: () => Date;
    localUnlimited?: boolean;
  }) {
    this.#addresses = of.addresses;
    this.#keys = of.keys;
    this.#pseudonyms = of.pseudonyms;
    this.#now = of.now;
    this.#localUnlimited = of.localUnlimited ?? false;
  }

  /** Throws `Refusal` 401 for a key that is malformed, unknown or expired: it never falls back to keyless. */
  identify(request: Request): MaybePromise<Caller> {
    const key = keyOf(request);
    if (key === null) return this.keyless(request);
    const hash = hashOfKey(key);
    return chain(this.#keys.find(hash), (record) => this.#holderOf(record, hash, request));
  }

  /** The caller as one without a key. */
  keyless({ headers, socket }: Request): Caller {
    const peer = socket.remoteAddress ?? '';
    const forwarded = this.#addresses.hasProxies ? headers['x-forwarded-for'] : undefined;
    const isLocal = this.#localUnlimited && PASSED_ON.every((name) => headers[name] === undefined) && isLoopback(peer);
    const from = forwarded === undefined ? `${isLocal ? 'local ' : ''}${peer}` : `${peer} ${String(forwarded)}`;
    let caller = this.#keyless.get(from);
    if (caller === undefined) {
      const name = this.#pseudonyms.of('address', this.#addresses.bucketOf(peer, forwarded?.toString()));
      const known = { tier: 'keyless', name, window: `quota:${name}`, addressName: name, key: null } as const;
      caller = isLocal ? { ...known, unlimited: true } : known;
      if (from.length <= LONGEST_FROM) this.#keyless.set(from, caller);
    }
    return caller;
  }

  #holderOf(record: KeyRecord | null, hash: string, request: Request): Caller {
    if (record === null || !isSameHash(record.hash, hash)) {
      throw new Refusal('invalid_api_key', 'This API key is not known here: it was never issued, or it was revoked.');
    }
    if (record.expiresAt.getTime() <= this.#now().getTime()) {
      throw new Refusal('expired_api_key', `This API key expired at ${record.expiresAt.toISOString()}.`);
    }
    let name = this.#names.get(record.id);
    if (name === undefined) {
      name = this.#pseudonyms.of('key', record.id);
      this.#names.set(record.id, name);
    }
    const { addressName } = this.keyless(request);
    return { tier: 'pro', name, window: `quota:${name}`, addressName, key: record };
  }
}

/** The key that a request carries, null where it carries none. Throws `Refusal` 401 where what it carries is no key, or two. */
function keyOf({ headers, rawHeaders }: Request): string | null {
  const { authorization } = headers;
  const direct = headers['x-api-key'];
  if (authorization === undefined && direct === undefined) return null;
  // Node keeps the first of several Authorization headers and drops the others silently.
  if (authorization !== undefined && countOf(rawHeaders, 'authorization') > 1) throw severalKeys();
  const keys = new Set<string>();
  if (authorization !== undefined) keys.add(BEARER.exec(authorization)?.[1] ?? '');
  if (direct !== undefined) keys.add(String(direct));
  for (const key of keys) {
    if (!isApiKey(key)) {
      throw new Refusal(
        'invalid_api_key',
        'This is not an API key. Accepted: sxt_ and 48 lower-case hex characters, as "Authorization: Bearer <key>" or "X-API-Key: <key>".',
      );
    }
  }
  if (keys.size > 1) throw severalKeys();
  return [...keys][0]!;
}

function severalKeys(): Refusal {
  return new Refusal('invalid_api_key', 'Several API keys were sent; send one.');
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === name) count++;
  }
  return count;
}
