import type { ApiError, ErrorCode } from '../../errors.ts';
import type { OAuthSettings } from './oauth-settings.ts';

/** Where RFC 9728, 3 puts the metadata of a resource: the path of the resource comes after it. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The two resources of this service: all of it, and the endpoint of MCP. Clients of MCP compare the address with that they called. */
export type ResourcePath = '' | '/mcp';

/** Error codes of RFC 6750, 3.1. A request without credentials gets none. */
const BEARER_ERRORS: Partial<Record<ErrorCode, string>> = {
  invalid_argument: 'invalid_request',
  invalid_api_key: 'invalid_token',
  expired_api_key: 'invalid_token',
  invalid_access_token: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
};

/** Protected resource metadata (RFC 9728, 2). */
export function resourceMetadata({ resource, issuer, scopes }: OAuthSettings, path: ResourcePath): object {
  return {
    resource: `${resource}${path}`,
    authorization_servers: [issuer],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: 'Sextant',
    resource_documentation: `${resource}/docs`,
  };
}

/** Whether a response with this error names how to authenticate (RFC 9110, 11.6.1; RFC 6750, 3). */
export function needsChallenge({ status, code }: ApiError): boolean {
  return status === 401 || code === 'insufficient_scope';
}

/** The value of `WWW-Authenticate` of an error. Without an authorization server: `Bearer`. */
export function bearerChallenge(oauth: OAuthSettings | null, { code }: ApiError, path: ResourcePath): string {
  if (oauth === null) return 'Bearer';
  const error = BEARER_ERRORS[code];
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${oauth.resource}${RESOURCE_METADATA_PATH}${path}"`,
    ...(oauth.scopes.length === 0 ? [] : [`scope="${oauth.scopes.join(' ')}"`]),
  ];
  return `Bearer ${parameters.join(', ')}`;
}
