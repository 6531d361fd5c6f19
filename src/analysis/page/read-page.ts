import { shownLine, shownText } from '../text.ts';
import { decodePage } from './charset.ts';
import { ELEMENTS } from './elements.ts';
import { Gatherer, type Resource } from './gather.ts';
import type { FormFact, Headings, PageFacts, ResourceFact } from './page-facts.ts';
import { PageUrls } from './page-url.ts';
import { readJsonLd, schemaName } from './schema-types.ts';
import { walkHtml } from './walk-html.ts';

export interface PageInput {
  /** As much of the body as was fetched. */
  bytes: Uint8Array;
  /** Where it was fetched, after redirects: an absolute web address. */
  url: string;
  contentType: string | null;
  /** The body is longer than `bytes`. */
  truncated: boolean;
}

/** More of a page is not read, whatever was fetched. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const LONGEST = 500;
const OG_IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url'];
const SHOWN_HEADINGS = 50;
const SHOWN_TYPES = 50;
const SHOWN_ITEMS = 200;

/** Reads a page in one pass; the work grows with its length alone. */
export function readPage({ bytes, url, contentType, truncated }: PageInput): PageFacts {
  const { text, charset, source } = decodePage(bytes.subarray(0, MAX_PAGE_BYTES), contentType);
  const page = new Gatherer(ELEMENTS);
  walkHtml(text, page);
  page.end();
  const urls = new PageUrls(url, page.base);
  const blocks = page.jsonLd.map(parseJson);
  const structured = readJsonLd(blocks.filter((block) => block !== undefined));
  return {
    url: urls.page.href,
    charset,
    charset_source: source,
    truncated: truncated || bytes.byteLength > MAX_PAGE_BYTES,
    lang: shown(page.lang, 35),
    title: shown(page.title),
    canonical: urls.resolve(page.canonical),
    metas: shownMap(page.metas),
    csp: page.csp.slice(0, 10),
    refresh: refreshOf(page.metas.get('refresh'), urls),
    og: openGraph(page.og, urls),
    og_image: OG_IMAGES.map((property) => urls.resolve(page.og.get(property))).find((url) => url !== null) ?? null,
    headings: { h1: headings(page.headings.h1), h2: headings(page.headings.h2), h3: headings(page.headings.h3) },
    images: page.images,
    links: countLinks(page.hrefs, urls),
    json_ld: {
      blocks: blocks.length,
      invalid: blocks.filter((block) => block === undefined).length,
    },
    schema_types: [...new Set([...structured.types, ...[...page.itemTypes].map(schemaName)])]
      .slice(0, SHOWN_TYPES)
      .map((type) => shownText(type, 100)),
    structured_name: shown(structured.name),
    icons: iconsOf(page, urls),
    logo: urls.resolve(structured.logo) ?? urls.resolve(page.og.get('og:logo')) ?? urls.resolve(page.logo),
    scripts: resources(page.scripts, urls),
    script_count: page.scriptCount,
    inline_scripts: page.inlineScripts,
    inline_handlers: page.inlineHandlers,
    stylesheets: resources(page.stylesheets, urls),
    forms: page.forms.slice(0, SHOWN_ITEMS).map((form) => formOf(form, urls)),
    password_outside_form: page.passwordOutsideForm,
    iframes: distinct(page.iframes.map((reference) => urls.resolve(reference))),
    mixed: { active: unencrypted(page.active, urls), passive: unencrypted(page.passive, urls) },
    comments: page.comments,
    text_length: page.textLength,
    render_signs: [...page.renderSigns],
    signs: page.signs.found(urls),
  };
}

/** Cleaned, on one line, bounded; null where nothing is left. */
function shown(text: string | null, limit = LONGEST): string | null {
  if (text === null) return null;
  const clean = shownLine(text, limit);
  return clean === '' ? null : clean;
}

function shownMap(map: ReadonlyMap<string, string>): Record<string, string> {
  const entries = [...map].slice(0, SHOWN_ITEMS).map(([key, value]) => [shownText(key, 100), shown(value) ?? '']);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Addresses among the values are absolute web addresses, or left out. */
function openGraph(og: ReadonlyMap<string, string>, urls: PageUrls): Record<string, string> {
  const isAddress = (key: string): boolean => OG_ADDRESS.test(key);
  const texts = new Map([...og].filter(([key]) => !isAddress(key)));
  const addresses = [...og].flatMap(([key, value]) => {
    const url = isAddress(key) ? urls.resolve(value) : null;
    return url === null ? [] : [[key, url]];
  });
  return { ...shownMap(texts), ...(Object.fromEntries(addresses) as Record<string, string>) };
}

const OG_ADDRESS = /^og:(?:url|logo|(?:image|video|audio)(?::(?:secure_)?url)?)$/;

function headings({ count, texts }: Headings): Headings {
  const kept = texts.slice(0, SHOWN_HEADINGS).map((text) => shown(text));
  return { count, texts: kept.filter((text) => text !== null) };
}

/** Links to other pages: those to a place on the page itself, and those that lead nowhere on the web, do not count. */
function countLinks(hrefs: readonly string[], urls: PageUrls): PageFacts['links'] {
  const links = { internal: 0, external: 0, comparing: false };
  for (const href of hrefs) {
    const trimmed = href.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const url = urls.parse(trimmed);
    if (url === null) continue;
    const own = urls.isOwnSite(url);
    links[own ? 'internal' : 'external']++;
    if (own) links.comparing ||= /\/(?:vs|versus|compare|comparisons?|alternatives?)(?:\/|$)/i.test(url.pathname);
  }
  return links;
}

/** Icons by how well they stand for a site: those of `rel="icon"` first, larger before smaller. */
function iconsOf({ icons }: Gatherer, urls: PageUrls): string[] {
  const size = (sizes: string): number =>
    sizes.toLowerCase() === 'any' ? 1024 : Number(/^\d{1,5}/.exec(sizes)?.[0] ?? 0);
  const sorted = icons.toSorted(
    (one, other) => Number(other.rel === 'icon') - Number(one.rel === 'icon') || size(other.sizes) - size(one.sizes),
  );
  return distinct(sorted.map(({ reference }) => urls.resolve(reference)));
}

function resources(list: readonly Resource[], urls: PageUrls): ResourceFact[] {
  return list.slice(0, SHOWN_ITEMS).flatMap(({ reference, integrity, crossorigin }) => {
    const url = urls.parse(reference);
    if (url === null) return [];
    return [
      {
        url: url.href,
        integrity: /\bsha(?:256|384|512)-/i.test(integrity),
        crossorigin: shown(crossorigin, 50),
        foreign: !urls.isOwnSite(url),
      },
    ];
  });
}

/** A form without an action is sent to the page itself. */
function formOf({ action, method, password }: Gatherer['forms'][number], urls: PageUrls): FormFact {
  const url = action === null || action.trim() === '' ? urls.page : urls.parse(action);
  return {
    action: url?.href ?? null,
    method: method === 'post' || method === 'dialog' ? method : 'get',
    password,
    foreign: url !== null && !urls.isOwnSite(url),
  };
}

function unencrypted(references: readonly string[], urls: PageUrls): string[] {
  if (urls.page.protocol !== 'https:') return [];
  return distinct(
    references.map((reference) => urls.resolve(reference)).filter((url) => url?.startsWith('http:') === true),
  );
}

function distinct(urls: readonly (string | null)[]): string[] {
  return [...new Set(urls.filter((url) => url !== null))].slice(0, SHOWN_ITEMS);
}

/** `5; url=/there` (HTML standard, section 4.2.5.3). */
function refreshOf(content: string | undefined, urls: PageUrls): PageFacts['refresh'] {
  const [, seconds, rest = ''] = /^\s*(\d{1,9})(?:\.\d*)?[\s;,]*(.*)$/s.exec(content?.slice(0, 4096) ?? '') ?? [];
  if (seconds === undefined) return null;
  const target = rest.replace(/^url\s*=\s*/i, '').replace(/^(["'])(.*?)\1.*$/s, '$2');
  return { seconds: Number(seconds), url: target === '' ? null : urls.resolve(target) };
}

/** Undefined where it does not parse. Some pages wrap it in an HTML comment. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.trim().replace(/^<!--|-->$/g, '')) as unknown;
  } catch {
    return undefined;
  }
}
