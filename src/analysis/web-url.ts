const MAX_URL_LENGTH = 2048;
const WEB_URL_PATTERN = /^(?:https?|ftp):\/\/[^\s\p{C}]+$/iu;

/** The address when it is an http, https or ftp one of sensible length, without anything that cannot be seen; else null. */
export function normalizeWebUrl(text: string): string | null {
  const trimmed = text.trim();
  const address = trimmed.replaceAll(' ', '%20');
  if (address.length > MAX_URL_LENGTH || !WEB_URL_PATTERN.test(address)) return null;
  return address === trimmed || URL.canParse(address) ? address : null;
}
