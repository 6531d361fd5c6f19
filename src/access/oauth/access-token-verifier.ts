import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { JWKSMultipleMatchingKeys, JWKSNoMatchingKey, JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { isJsonObject, parseBoundedJson } from '../../analysis/bounded-json.ts';
import { ApiError } from '../../errors.ts';
import { createLruCache } from '../../lru-cache.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Pseudonyms } from '../pseudonyms.ts';
import { type OAuthSettings, acceptedAudiences } from './oauth-settings.ts';
import type { KeySet, SigningKeys } from './signing-keys.ts';

/** Signatures with a public key (RFC 7518, 3.1; RFC 8037): neither `none` nor HMAC. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** RFC 9068, 2.1 wants `at+jwt`; many servers write `JWT` or nothing. Other types are not access tokens. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
const MAX_TOKEN_CHARACTERS = 8192;
/** OpenID Connect Core, 2. */
const MAX_SUBJECT_CHARACTERS = 255;
/** Between the clocks of two machines. */
const CLOCK_TOLERANCE_SECONDS = 30;
const MAX_VERIFIED = 10_000;
/** A token is verified again after this time. */
const VERIFIED_TTL_MS = 60_000;
/** Header, claims and signature in Base64url; the last is empty for `alg: none`. */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;

interface Verified {
  pseudonym: string;
  /** By the clock on the wall. */
  expiresAtMs: number;
  /** Monotonic milliseconds. */
  verifiedAtMs: number;
}

interface AccessTokenVerifierDeps {
  settings: OAuthSettings;
  keys: Pick<SigningKeys, 'current' | 'newerThan'>;
  pseudonyms: Pseudonyms;
  now: () => Date;
}

/** Whether a bearer token has the form of a JWT (RFC 7519, 3). An API key has no dot. */
export function isJwtForm(text: string): boolean {
  return COMPACT_FORM.test(text);
}

/** Verifies access tokens of one issuer for this resource (RFC 9068, 4; RFC 8725). */
export class AccessTokenVerifier {
  readonly #deps: AccessTokenVerifierDeps;
  readonly #audience: string[];
  /** By the hash of the token: the token itself is kept nowhere. */
  readonly #verified = createLruCache<string, Verified>(MAX_VERIFIED);

  constructor(deps: AccessTokenVerifierDeps) {
    this.#deps = deps;
    this.#audience = acceptedAudiences(deps.settings);
  }

  /**
   * The pseudonym of the token's subject, the same for all of its tokens. At once where the token was verified a moment ago. Throws
   * `ApiError`: 401 `invalid_access_token`, 403 `insufficient_scope`, 503 where the keys of the issuer cannot be read.
   */
  pseudonymOf(token: string): MaybePromise<string> {
    if (token.length > MAX_TOKEN_CHARACTERS) throw invalidToken(`It is longer than ${MAX_TOKEN_CHARACTERS} characters`);
    const tokenHash = hash('sha256', token);
    const known = this.#verified.get(tokenHash);
    if (known !== undefined && performance.now() - known.verifiedAtMs < VERIFIED_TTL_MS) {
      if (this.#deps.now().getTime() >= known.expiresAtMs) throw invalidToken('It has expired');
      return known.pseudonym;
    }
    return this.#verify(token, tokenHash);
  }

  async #verify(token: string, tokenHash: string): Promise<string> {
    requireAccessTokenHeader(token);
    const { settings, keys, pseudonyms } = this.#deps;
    const known = await keys.current();
    const claims = await this.#claimsOf(token, known).catch(async (error: unknown) => {
      const newer = error instanceof JWKSNoMatchingKey ? await keys.newerThan(known) : null;
      if (newer === null) throw toApiError(error);
      return this.#claimsOf(token, newer).catch((second: unknown) => {
        throw toApiError(second);
      });
    });
    const { sub = '', exp = 0, cnf } = claims;
    if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_CHARACTERS)
      throw invalidToken('Its sub is not a text of 1 to 255 characters');
    // RFC 9449, 7: who stole it must not get in without the proof that it is bound to.
    if (cnf !== undefined) throw invalidToken('It is bound to a key of its client (cnf), which is not supported here');
    requireScopes(claims, settings.scopes);
    const pseudonym = pseudonyms.pseudonymOf('subject', JSON.stringify([settings.issuer, sub]));
    const expiresAtMs = (exp + CLOCK_TOLERANCE_SECONDS) * 1000;
    this.#verified.set(tokenHash, { pseudonym, expiresAtMs, verifiedAtMs: performance.now() });
    return pseudonym;
  }

  async #claimsOf(token: string, { find }: KeySet): Promise<JWTPayload> {
    const { payload } = await jwtVerify(token, find, {
      algorithms: ALGORITHMS,
      issuer: this.#deps.settings.issuer,
      audience: this.#audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: this.#deps.now(),
    });
    return payload;
  }
}

/** Refuses what cannot be one before any key is asked for: nothing of the header is used but `alg`, `kid` and `typ`. */
function requireAccessTokenHeader(token: string): void {
  let header: unknown = null;
  try {
    header = parseBoundedJson(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString());
  } catch {}
  if (!isJsonObject(header)) throw invalidToken('Its header is not a JSON object');
  const { alg, typ } = header;
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg))
    throw invalidToken(`Its alg is not one of ${ALGORITHMS.join(', ')}`);
  if (!TYPES.has(typeof typ === 'string' ? typ.toLowerCase() : typ)) throw invalidToken('Its typ is not at+jwt');
}

/** `scope` of RFC 8693, 4.2, or `scp`, as a list or a text. */
function requireScopes({ scope, scp }: JWTPayload, required: readonly string[]): void {
  const granted = new Set([scope, scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : [])));
  const missing = required.filter((name) => !granted.has(name));
  if (missing.length > 0)
    throw new ApiError('insufficient_scope', `The access token lacks the scope ${missing.join(' ')}.`);
}

const CLAIM_PROBLEMS: Readonly<Record<string, string>> = {
  iss: 'Its issuer (iss) is another one than this service accepts',
  aud: 'It is meant for another resource: its audience (aud) must name this service',
  nbf: 'It is not valid yet (nbf)',
  exp: 'It has no time of expiry (exp)',
  sub: 'It has no subject (sub)',
};

/** It quotes nothing of the token: the sender of the token logs this error. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof JWTExpired) return invalidToken('It has expired');
  if (error instanceof JWTClaimValidationFailed)
    return invalidToken(CLAIM_PROBLEMS[error.claim] ?? 'Its claims are not valid');
  if (error instanceof JWKSNoMatchingKey) return invalidToken('The issuer has no such key for it');
  if (error instanceof JWKSMultipleMatchingKeys) return invalidToken('Its header does not say which key it is (kid)');
  // Also what Web Crypto says of a published key that cannot be used, which is no fault of this service.
  return invalidToken('Its signature or its form is not valid');
}

function invalidToken(problem: string): ApiError {
  return new ApiError('invalid_access_token', `This access token is not accepted. ${problem}.`);
}
