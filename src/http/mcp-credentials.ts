import type { IncomingMessage } from 'node:http';
import type { OAuthSettings } from '../access/oauth/oauth-settings.ts';
import { ApiError } from '../errors.ts';

/** Sent in the query, a token would be in logs and histories (OAuth 2.1, 5.1). */
const TOKEN_IN_QUERY = /[?&]access_token(?:=|&|$)/i;

/** The error of a request to MCP that has no credentials, or has them in its URL, where there is an authorization server; else null. */
export function mcpCredentialsError(oauth: OAuthSettings | null, { url, headers }: IncomingMessage): ApiError | null {
  if (oauth === null) return null;
  if (TOKEN_IN_QUERY.test(url!)) {
    return new ApiError('invalid_argument', 'An access token is sent in the Authorization header, never in the URL.');
  }
  const hasCredentials = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  if (hasCredentials || oauth.required === 'off') return null;
  return new ApiError(
    'api_key_required',
    'This needs an access token or an API key, sent as "Authorization: Bearer <token>". WWW-Authenticate says where clients find the authorization server.',
  );
}
