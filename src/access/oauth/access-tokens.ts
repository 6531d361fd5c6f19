import type { NetworkClient } from '../../net/network-client.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { Pseudonyms } from '../pseudonyms.ts';
import type { OAuthSettings } from './oauth-settings.ts';

/** Access tokens as callers are identified by them. */
export interface AccessTokens {
  /** Whether a bearer token has the form of an access token, and not that of an API key. */
  hasForm(bearer: string): boolean;
  /** See `AccessTokenVerifier`. */
  pseudonymOf(token: string): MaybePromise<string>;
}

interface AccessTokensDeps {
  net: Pick<NetworkClient, 'fetch'>;
  pseudonyms: Pseudonyms;
  now: () => Date;
  onProblem: (problem: Error) => void;
}

/** Accepts access tokens of the configured issuer. The library is only loaded where there is one. */
export async function openAccessTokens(settings: OAuthSettings, deps: AccessTokensDeps): Promise<AccessTokens> {
  const [{ AccessTokenVerifier, isJwtForm }, { SigningKeys }] = await Promise.all([
    import('./access-token-verifier.ts'),
    import('./signing-keys.ts'),
  ]);
  const keys = new SigningKeys({ ...deps, settings });
  const verifier = new AccessTokenVerifier({ ...deps, settings, keys });
  return { hasForm: isJwtForm, pseudonymOf: (token) => verifier.pseudonymOf(token) };
}
