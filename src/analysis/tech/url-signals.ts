import type { PageFacts } from '../page/page-facts.ts';
import { type LibraryFile, parseLibraryFile } from './library-file.ts';
import { MAX_VALUE_LENGTH } from './rule-pattern.ts';
import { isSameOrSubdomain } from '../domain-name.ts';

/** The facts from which technologies are detected. */
export interface SiteFacts {
  /** Lower-case names; each header line a value. */
  headers: Readonly<Record<string, readonly string[]>>;
  /** Names of the cookies that were set. */
  cookies: readonly string[];
  page: PageFacts | null;
  /** Null: not asked, or no answer. */
  dns: TechnologyDnsFacts | null;
}

/** Names in lower case without the final dot. */
export interface TechnologyDnsFacts {
  ns: readonly string[];
  mx: readonly string[];
  txt: readonly string[];
  /** Names that the name of the site is an alias of. */
  cname: readonly string[];
}

/** A URL in the page. */
export interface PageUrl {
  /** Kind of element, for `DetectedTechnology.source`. */
  source: string;
  hostname: string;
  /** `/path?query`, in lower case. */
  path: string;
}

export interface UrlSignals {
  /** Scripts, styles, frames and targets of forms. */
  loadedUrls: PageUrl[];
  /** Images and videos. */
  mediaUrls: PageUrl[];
  /** Paths that show how the site itself is built. */
  sitePaths: PageUrl[];
  libraries: LibraryFile[];
  /** Folder names below `/wp-content/plugins/` and `/wp-content/themes/`, with the path below. */
  extensions: { kind: 'plugin' | 'theme'; slug: string; rest: string; hostname: string }[];
}

const NO_SIGNALS: UrlSignals = { loadedUrls: [], mediaUrls: [], sitePaths: [], libraries: [], extensions: [] };
const WORDPRESS_EXTENSION = /\/(plugin|theme)s\/([a-z0-9][\w.-]{0,80})\/(.{0,300})/;

/** The URLs of a page, prepared for the rules; empty without a page. */
export function extractUrlSignals(page: PageFacts | null): UrlSignals {
  if (page === null) return NO_SIGNALS;
  const { signs } = page;
  const at = (source: string, urls: readonly string[]): PageUrl[] =>
    urls.flatMap((url) => toPageUrl(source, url) ?? []);
  const scripts = at(
    'script',
    page.scripts.map(({ url }) => url),
  );
  const styles = at(
    'stylesheet',
    page.stylesheets.map(({ url }) => url),
  );
  const preloads = at('preload', signs.preloads);
  const media = at('image', signs.media);
  const own = new URL(page.url).hostname;
  const paths = [
    ...scripts,
    ...styles,
    ...preloads,
    ...media.filter(({ hostname }) => isSameOrRelatedHost(hostname, own)),
  ];
  return {
    loadedUrls: [
      ...scripts,
      ...styles,
      ...at('iframe', page.iframes),
      ...at(
        'form',
        page.forms.flatMap(({ action }) => action ?? []),
      ),
      ...at(
        'inline script',
        signs.inline_urls.map((url) => `https:${url}`),
      ),
      ...preloads,
    ],
    mediaUrls: [...media, ...at('icon', page.icons)],
    sitePaths: paths,
    libraries: [
      ...page.scripts.flatMap(({ url }) => parseLibraryFile(new URL(url), 'script') ?? []),
      ...page.stylesheets.flatMap(({ url }) => parseLibraryFile(new URL(url), 'style') ?? []),
    ],
    extensions: paths.flatMap(({ path, hostname }) => parseWordpressExtension(path, hostname) ?? []),
  };
}

function toPageUrl(source: string, text: string): PageUrl | null {
  const url = URL.parse(text);
  if (url === null) return null;
  return {
    source,
    hostname: url.hostname,
    path: `${url.pathname}${url.search}`.slice(0, MAX_VALUE_LENGTH).toLowerCase(),
  };
}

/** Whether one host is the other or below it, ignoring `www.`. */
function isSameOrRelatedHost(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.replace(/^www\./, ''));
  return isSameOrSubdomain(a!, b!) || isSameOrSubdomain(b!, a!);
}

function parseWordpressExtension(path: string, hostname: string): UrlSignals['extensions'][number] | null {
  const start = path.indexOf('/wp-content/');
  const match = start === -1 ? null : WORDPRESS_EXTENSION.exec(path.slice(start + 11));
  if (match === null) return null;
  return { kind: match[1] as 'plugin' | 'theme', slug: match[2]!, rest: match[3]!, hostname };
}
