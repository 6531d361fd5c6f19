import { isBadPort, portOf } from '../../net/http-url.ts';
import { identifierSchema } from './identifiers.ts';

const MAX_URL_CHARACTERS = 2048;

/**
 * An absolute http or https URL in its normal form, without a fragment; null if the text is no such URL, has credentials, or a blocked
 * port.
 */
export function parseWebUrl(text: string): string | null {
  if (text.length > MAX_URL_CHARACTERS || !/^https?:\/\//i.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.hostname === '' || url.username !== '' || url.password !== '') return null;
  if (isBadPort(portOf(url))) return null;
  url.hash = '';
  return url.href.length > MAX_URL_CHARACTERS ? null : url.href;
}

export const WebUrl = identifierSchema({
  read: parseWebUrl,
  name: 'web address',
  accepted: `an address that begins with http:// or https://, without a login, on a port of the web, at most ${MAX_URL_CHARACTERS} characters, as it is or percent-encoded whole`,
  example: 'https://example.com/path?x=1',
  maxLength: MAX_URL_CHARACTERS,
});
