import { isJsonObject, parseBoundedJson } from '../../analysis/bounded-json.ts';
import type { NetworkClient } from '../../net/network-client.ts';
import type { OAuthSettings } from './oauth-settings.ts';

/** For one request, connecting included. */
const REQUEST_TIMEOUT_MS = 5000;
/** For discovery and keys together. */
const TOTAL_TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;
/** Base64url characters of an RSA modulus of 8192 bits; a larger one only costs time. */
const MAX_MODULUS_CHARACTERS = 1366;
/** Members of a JWK that are private or symmetric (RFC 7518, 6). */
const SECRET_MEMBERS = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'] as const;

/** A public key (RFC 7517). */
export type PublicJwk = Record<string, unknown> & { kty: string };

/**
 * Public signature keys of the authorization server. Redirects are not followed. The addresses that the operator set may be private; keys
 * on another origin, which only the metadata names, must be at a public address and https. Throws `NetError`, or `Error` for an answer
 * that is not what the RFC says.
 */
export async function fetchKeySet(
  net: Pick<NetworkClient, 'fetch'>,
  settings: Pick<OAuthSettings, 'issuer' | 'jwksUrl'>,
): Promise<PublicJwk[]> {
  const signal = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
  const { url, trusted } =
    settings.jwksUrl === null
      ? await discoverKeySetUrl(net, settings.issuer, signal)
      : { url: new URL(settings.jwksUrl), trusted: true };
  const { status, body } = await fetchJson(net, url, trusted, signal);
  if (status !== 200) throw new Error(`${url.host}: the keys are answered with status ${status}`);
  const keys = isJsonObject(body) ? body['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Error(`${url.host}: this is no JSON Web Key Set`);
  return keys.slice(0, MAX_KEYS).filter(isPublicSignatureKey);
}

/** RFC 8414, 3 and OpenID Connect Discovery, 4, in the order of the MCP specification. */
function metadataUrls(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)].map((url) => new URL(url));
}

async function discoverKeySetUrl(
  net: Pick<NetworkClient, 'fetch'>,
  issuer: string,
  signal: AbortSignal,
): Promise<{ url: URL; trusted: boolean }> {
  const { host, origin } = new URL(issuer);
  for (const address of metadataUrls(issuer)) {
    const { status, body } = await fetchJson(net, address, true, signal);
    if (status !== 200) continue;
    if (!isJsonObject(body)) throw new Error(`${host}: its metadata is no JSON object`);
    // RFC 8414, 3.3: else one server could speak for another.
    if (body['issuer'] !== issuer) throw new Error(`${host}: its metadata names another issuer`);
    const url = typeof body['jwks_uri'] === 'string' ? URL.parse(body['jwks_uri']) : null;
    if (url === null) throw new Error(`${host}: its metadata has no jwks_uri`);
    const trusted = url.origin === origin;
    if (!trusted && url.protocol !== 'https:') throw new Error(`${host}: its jwks_uri is not https`);
    return { url, trusted };
  }
  throw new Error(`${host}: it has no metadata`);
}

/** `body` is null unless the status is 200. */
async function fetchJson(
  net: Pick<NetworkClient, 'fetch'>,
  url: URL,
  trusted: boolean,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const { status, body } = await net.fetch(url, {
    headers: { accept: 'application/json' },
    timeoutMs: REQUEST_TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    trusted,
    signal,
  });
  if (status !== 200) return { status, body: null };
  try {
    return { status, body: parseBoundedJson(new TextDecoder().decode(body)) };
  } catch {
    // The error of the parser would show what the server sent.
    throw new Error(`${url.host}: the answer is not JSON of at most 100 levels`);
  }
}

function isPublicSignatureKey(jwk: unknown): jwk is PublicJwk {
  if (!isJsonObject(jwk) || !['RSA', 'EC', 'OKP'].includes(String(jwk['kty']))) return false;
  if (SECRET_MEMBERS.some((member) => jwk[member] !== undefined)) return false;
  const { n: modulus = '', use = 'sig' } = jwk;
  return typeof modulus === 'string' && modulus.length <= MAX_MODULUS_CHARACTERS && use === 'sig';
}
