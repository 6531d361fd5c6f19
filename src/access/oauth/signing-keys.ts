import { createLocalJWKSet } from 'jose/jwks/local';
import type { NetworkClient } from '../../net/network-client.ts';
import { notReadyError } from '../../errors.ts';
import { fetchKeySet } from './fetch-key-set.ts';
import type { OAuthSettings } from './oauth-settings.ts';

/** Keys are read again after this time: a withdrawn key stops working within it. */
export const KEYS_TTL_MS = 10 * 60_000;
/** While the authorization server is down, known keys stay valid for this long. */
export const KEYS_STALE_IF_ERROR_MS = 24 * 3_600_000;
/** Time between two readings that were caused by tokens with an unknown key, or that failed. */
export const REREAD_INTERVAL_MS = 60_000;
/** The same while no key is known at all. */
export const FIRST_READ_INTERVAL_MS = 5000;

/** Finds the key of a token by its header. */
export interface KeySet {
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly readAtMs: number;
}

interface SigningKeysDeps {
  net: Pick<NetworkClient, 'fetch'>;
  settings: Pick<OAuthSettings, 'issuer' | 'jwksUrl'>;
  /** Called once when the keys cannot be read any more, and once when they can again. */
  onProblem: (problem: Error) => void;
  /** Monotonic milliseconds. */
  nowMs?: () => number;
}

/** The keys of the authorization server, in memory. They are read when the first token comes, and at most once at a time. */
export class SigningKeys {
  readonly #deps: SigningKeysDeps;
  readonly #nowMs: () => number;
  #known: KeySet | null = null;
  #pending: Promise<KeySet> | null = null;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #rereadAtMs = Number.NEGATIVE_INFINITY;
  #isAway = false;

  constructor(deps: SigningKeysDeps) {
    this.#deps = deps;
    this.#nowMs = deps.nowMs ?? (() => performance.now());
  }

  /** Throws `ApiError` 503 where no key is known and none can be read. */
  async current(): Promise<KeySet> {
    const known = this.#known;
    const ageMs = known === null ? Number.POSITIVE_INFINITY : this.#nowMs() - known.readAtMs;
    if (known !== null && ageMs < KEYS_TTL_MS) return known;
    const interval = known === null ? FIRST_READ_INTERVAL_MS : REREAD_INTERVAL_MS;
    if (this.#nowMs() - this.#failedAtMs >= interval) {
      const read = await this.#read().catch(() => null);
      if (read !== null) return read;
    }
    if (known !== null && ageMs < KEYS_STALE_IF_ERROR_MS) return known;
    throw cannotCheckError();
  }

  /**
   * Newer keys than `seen`, in which a token's key was not found; null where there are none, or where they were asked for less than a minute
   * ago. Throws `ApiError` 503 where they cannot be read: the key may be a new one.
   */
  async newerThan(seen: KeySet): Promise<KeySet | null> {
    if (this.#pending === null) {
      if (this.#known !== seen) return this.#known;
      const now = this.#nowMs();
      if (now - this.#failedAtMs < REREAD_INTERVAL_MS) throw cannotCheckError();
      if (now - this.#rereadAtMs < REREAD_INTERVAL_MS) return null;
      this.#rereadAtMs = now;
    }
    return this.#read().catch(() => {
      throw cannotCheckError();
    });
  }

  #read(): Promise<KeySet> {
    this.#pending ??= this.#fetch().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  async #fetch(): Promise<KeySet> {
    const { net, settings, onProblem } = this.#deps;
    try {
      const keys = await fetchKeySet(net, settings);
      this.#known = { find: createLocalJWKSet({ keys }), readAtMs: this.#nowMs() };
      this.#failedAtMs = Number.NEGATIVE_INFINITY;
      if (this.#isAway) onProblem(new Error('the authorization server is back'));
      this.#isAway = false;
      return this.#known;
    } catch (error) {
      this.#failedAtMs = this.#nowMs();
      if (!this.#isAway) onProblem(new Error('the keys of the authorization server cannot be read', { cause: error }));
      this.#isAway = true;
      throw error;
    }
  }
}

function cannotCheckError(): Error {
  return notReadyError(
    'This access token cannot be checked at the moment: the authorization server does not give its keys.',
  );
}
