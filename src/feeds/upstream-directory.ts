import { Parser } from 'htmlparser2';
import { UpstreamError } from './upstream-error.ts';

/** The parser's time for an element grows with the number of its ancestors. */
const MAX_DEPTH = 500;

/**
 * Names of the files in the same folder that a directory page (nginx, Apache, Python's http.server, ...) at `pageUrl` links to:
 * decoded, each once, sorted. Folders, links for sorting and links to other places are left out.
 */
export function parseDirectoryPage(html: string, pageUrl: string): string[] {
  const folder = new URL('.', pageUrl);
  const names = new Set<string>();
  let depth = 0;
  const parser = new Parser({
    onclosetag() {
      depth--;
    },
    onopentag(tag, attributes) {
      if (++depth > MAX_DEPTH) throw new UpstreamError('its directory page is nested too deep');
      const name = tag === 'a' && attributes['href'] ? fileNameIn(folder, attributes['href'], pageUrl) : null;
      if (name) names.add(name);
    },
  });
  parser.end(html);
  return [...names].sort();
}

function fileNameIn(folder: URL, href: string, pageUrl: string): string | null {
  const url = URL.parse(href.trim(), pageUrl);
  if (!url || url.origin !== folder.origin || url.search !== '' || !url.pathname.startsWith(folder.pathname))
    return null;
  const name = decodeOrNull(url.pathname.slice(folder.pathname.length));
  // Names that could be read as a path, a query or another address are not accepted.
  return name && /^[^/\\?#%:\p{Cc}]+$/u.test(name) && name !== '.' && name !== '..' ? name : null;
}

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
