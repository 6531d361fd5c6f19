/** Whose access tokens are accepted, and for what (docs/decisions/036-oauth.md). */
export interface OAuthSettings {
  /** Issuer identifier of the authorization server (RFC 8414, 2), compared as it is. */
  readonly issuer: string;
  /** Origin at which clients reach this service: the base of its resource identifiers (RFC 8707). */
  readonly resource: string;
  /** Other names of this service at the issuer, accepted as the audience of a token. */
  readonly audiences: readonly string[];
  /** Where the keys of the issuer are; null: where its metadata says. */
  readonly jwksUrl: string | null;
  /** Scopes that a token must have, all of them. */
  readonly scopes: readonly string[];
  /** What answers nobody without an access token or an API key: `/mcp`, or every operation of the service. */
  readonly required: 'off' | 'mcp' | 'all';
}

/** Path of the MCP endpoint, which is a resource with metadata of its own. */
const MCP_PATH = '/mcp';

/** The audiences of tokens for this service: its resource identifiers, with a slash at the end and without, as both are written, and others. */
export function acceptedAudiences({ resource, audiences }: OAuthSettings): string[] {
  return [resource, `${resource}/`, `${resource}${MCP_PATH}`, `${resource}${MCP_PATH}/`, ...audiences];
}
