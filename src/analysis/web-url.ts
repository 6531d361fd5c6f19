const MAX_URL_LENGTH = 2048;
const WEB_URL_PATTERN = /^(?:https?|ftp):\/\/[^\s\p{C}]+$/iu;

/** An http, https or ftp URL, trimmed, spaces encoded; null for other texts, invisible characters or more than 2,048 characters. */
export function normalizeWebUrl(text: string): string | null {
  const trimmed = text.trim();
  const url = trimmed.replaceAll(' ', '%20');
  if (url.length > MAX_URL_LENGTH || !WEB_URL_PATTERN.test(url)) return null;
  return url === trimmed || URL.canParse(url) ? url : null;
}
