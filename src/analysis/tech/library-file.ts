import { tidyVersion } from './pattern.ts';

/** A library as the address of a file names it. */
export interface LibraryFile {
  kind: 'script' | 'style';
  name: string;
  version: string | null;
}

/** Of builds of one and the same library. */
const BUILD_WORDS =
  /(?:[._-](?:min|custom|slim|pack|packed|prod|production|bundle|umd|esm|global|compat|full|dev|development))$/;
const HASH = /[._-](?=[a-f]{0,31}\d)[0-9a-f]{6,64}$/;
const VERSIONED = /^(.{1,60}?)[._-]v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc)[.\d]{0,5})?)$/;
const VERSION = /^v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc)[.\d]{0,5})?)$/;
const PACKAGE = /^(.{1,60})@v?(\d{1,4}(?:\.\d{1,5}){2}(?:-(?:alpha|beta|rc)[.\d]{0,5})?)?[^@]{0,30}$/;
/** Their folders are named by the version of the library alone. */
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
/** What these systems put there carries the version of the library, not their own. */
const QUERY_IS_OF_LIBRARY = /^\/wp-includes\/js\/|\/misc\/(?:ui\/)?jquery|\/jquery_update\//;

/**
 * The library of an address: by its file (`jquery-3.5.1.slim.min.js`), by its package (`npm/vue@3.2.1`); the version also by a
 * folder (`jquery/3.5.1/jquery.min.js`). Null where the file is neither script nor style sheet.
 */
export function libraryFile(
  url: { hostname: string; pathname: string; search: string },
  kind: 'script' | 'style',
): LibraryFile | null {
  const segments = url.pathname.toLowerCase().split('/').slice(-12);
  const file = segments.at(-1)?.slice(0, 120) ?? '';
  const dot = /\.(?:m?js|css)$/.exec(file);
  const packaged = packageOf(segments);
  if (dot === null) return packaged === null || !LIBRARY_HOSTS.has(url.hostname) ? null : { kind, ...packaged };
  const { name, version } = readName(file.slice(0, dot.index));
  const found = version ?? packaged?.version ?? queryVersion(url) ?? folderVersion(segments, name, url.hostname);
  return { kind, name, version: found };
}

function packageOf(segments: readonly string[]): { name: string; version: string | null } | null {
  for (const segment of segments) {
    const match = segment.length > 100 ? null : PACKAGE.exec(segment);
    if (match !== null) return { name: match[1]!, version: match[2] ?? null };
  }
  return null;
}

function readName(file: string): { name: string; version: string | null } {
  let name = withoutBuild(file);
  const versioned = VERSIONED.exec(name);
  if (versioned !== null) name = withoutBuild(versioned[1]!);
  return { name, version: versioned?.[2] ?? null };
}

function withoutBuild(file: string): string {
  let name = file;
  for (let turn = 0; turn < 4; turn++) {
    const shorter = name.replace(BUILD_WORDS, '').replace(HASH, '');
    if (shorter === name || shorter === '') break;
    name = shorter;
  }
  return name;
}

/** A folder that is a version, below one that is named as the library is, or at a host of libraries. */
function folderVersion(segments: readonly string[], name: string, hostname: string): string | null {
  for (let at = segments.length - 2; at >= Math.max(0, segments.length - 5); at--) {
    const match = VERSION.exec(segments[at]!);
    if (match === null) continue;
    const above = letters(segments[at - 1] ?? '');
    const own = letters(name);
    return LIBRARY_HOSTS.has(hostname) || (above !== '' && above === own) ? match[1]! : null;
  }
  return null;
}

function letters(text: string): string {
  return text.replace(/[^a-z0-9]/g, '').replace(/js$/, '');
}

function queryVersion({ pathname, search }: { pathname: string; search: string }): string | null {
  if (!QUERY_IS_OF_LIBRARY.test(pathname)) return null;
  return tidyVersion(/^\?v(?:er)?=(\d{1,4}(?:\.\d{1,5}){1,3})(?=-wp|&|$)/.exec(search)?.[1]);
}
