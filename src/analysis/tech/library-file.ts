import { normalizeVersion } from './rule-pattern.ts';

/** A library, recognised by the URL of a file. */
export interface LibraryFile {
  kind: 'script' | 'style';
  name: string;
  version: string | null;
}

/** Jakarta Faces serves `jquery.js` as `jquery.js.xhtml`. */
const FACES_SUFFIX = /(?<=\.(?:js|css))\.(?:xhtml|jsf|faces)$/;
/** Suffixes of different builds of a library. */
const BUILD_SUFFIX =
  /(?:[._-](?:min|custom|slim|pack|packed|prod|production|bundle|umd|esm|global|compat|full|dev|development))$/;
const HASH_SUFFIX = /[._-](?=[a-f]{0,31}\d)[0-9a-f]{6,64}$/;
const VERSIONED_FILE_NAME = /^(.{1,60}?)[._-]v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc)[.\d]{0,5})?)$/;
const VERSION_FOLDER = /^v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc)[.\d]{0,5})?)$/;
const PACKAGE_FOLDER = /^(.{1,60})@v?(\d{1,4}(?:\.\d{1,5}){2}(?:-(?:alpha|beta|rc)[.\d]{0,5})?)?[^@]{0,30}$/;
/** Hosts of libraries, whose folders are named only by the version. */
const LIBRARY_HOSTS = new Set([
  'ajax.aspnetcdn.com',
  'ajax.googleapis.com',
  'cdn.bootcdn.net',
  'cdn.bootcss.com',
  'cdn.jsdelivr.net',
  'cdn.staticfile.org',
  'cdnjs.cloudflare.com',
  'code.jquery.com',
  'lib.baomitu.com',
  'maxcdn.bootstrapcdn.com',
  'netdna.bootstrapcdn.com',
  'oss.maxcdn.com',
  'pro.fontawesome.com',
  'stackpath.bootstrapcdn.com',
  'unpkg.com',
  'use.fontawesome.com',
]);
/** Paths at which a CMS puts the version of the library in the query, not its own version. */
const QUERY_VERSION_PATHS =
  /^\/wp-includes\/js\/|\/misc\/(?:ui\/)?jquery|\/jquery_update\/|\/core\/assets\/vendor\/|\/media\/vendor\/|\/_content\//;

/**
 * The library of a URL: by its file (`jquery-3.5.1.slim.min.js`) or package (`npm/vue@3.2.1`); the version also by a folder
 * (`jquery/3.5.1/jquery.min.js`). Null: neither a script nor a style sheet.
 */
export function parseLibraryFile(
  url: { hostname: string; pathname: string; search: string },
  kind: 'script' | 'style',
): LibraryFile | null {
  const segments = url.pathname.toLowerCase().split('/').slice(-12);
  const file = segments.at(-1)?.slice(0, 120).replace(FACES_SUFFIX, '') ?? '';
  const dot = /\.(?:m?js|css)$/.exec(file);
  const packaged = packageFromPath(segments);
  if (dot === null) return packaged === null || !LIBRARY_HOSTS.has(url.hostname) ? null : { kind, ...packaged };
  const { name, version } = parseFileName(file.slice(0, dot.index));
  const found =
    version ?? packaged?.version ?? versionFromQuery(url) ?? versionFromFolder(segments, name, url.hostname);
  return { kind, name, version: found };
}

function packageFromPath(segments: readonly string[]): { name: string; version: string | null } | null {
  for (const segment of segments) {
    const match = segment.length > 100 ? null : PACKAGE_FOLDER.exec(segment);
    if (match !== null) return { name: match[1]!, version: match[2] ?? null };
  }
  return null;
}

function parseFileName(file: string): { name: string; version: string | null } {
  let name = stripBuildSuffixes(file);
  const versioned = VERSIONED_FILE_NAME.exec(name);
  if (versioned !== null) name = stripBuildSuffixes(versioned[1]!);
  return { name, version: versioned?.[2] ?? null };
}

function stripBuildSuffixes(file: string): string {
  let name = file;
  for (let count = 0; count < 4; count++) {
    const shorter = name.replace(BUILD_SUFFIX, '').replace(HASH_SUFFIX, '');
    if (shorter === name || shorter === '') break;
    name = shorter;
  }
  return name;
}

/** The version by a folder that is below a folder with the name of the library, or at a host of libraries. */
function versionFromFolder(segments: readonly string[], name: string, hostname: string): string | null {
  for (let at = segments.length - 2; at >= Math.max(0, segments.length - 5); at--) {
    const match = VERSION_FOLDER.exec(segments[at]!);
    if (match === null) continue;
    const above = normalizeLibraryName(segments[at - 1] ?? '');
    const own = normalizeLibraryName(name);
    return LIBRARY_HOSTS.has(hostname) || (above !== '' && above === own) ? match[1]! : null;
  }
  return null;
}

function normalizeLibraryName(text: string): string {
  return text.replace(/[^a-z0-9]/g, '').replace(/js$/, '');
}

function versionFromQuery({ pathname, search }: { pathname: string; search: string }): string | null {
  if (!QUERY_VERSION_PATHS.test(pathname)) return null;
  return normalizeVersion(/^\?(?:v(?:er)?=)?(\d{1,4}(?:\.\d{1,5}){1,3})(?=-wp|&|$)/.exec(search)?.[1]);
}
