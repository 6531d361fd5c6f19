import { VERSION } from '../version.ts';

/** The specification's self-identifying user agent, `<service_user_agent_token>/<version>`. */
export function userAgent(token = 'Sextant'): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(token)) throw new TypeError('a user agent token is one RFC 9110 token');
  return `${token}/${VERSION}`;
}
