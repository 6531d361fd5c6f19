import { displayLine, displayText, displayLineOrNull } from '../display-text.ts';
import { decodeHtml } from './decode-html.ts';
import { ELEMENT_HANDLERS } from './element-handlers.ts';
import { PageCollector, type CollectedResource } from './page-collector.ts';
import type { FormFact, HeadingFacts, PageFacts, ResourceFact } from './page-facts.ts';
import { PageUrlResolver } from './page-url-resolver.ts';
import { readJsonLd, schemaTypeName } from './json-ld.ts';
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

/** Longer pages are read up to this limit only. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const MAX_TEXT_LENGTH = 500;
const OG_IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url'];
const MAX_HEADINGS = 50;
const MAX_SCHEMA_TYPES = 50;
const MAX_ITEMS = 200;

/** Reads a page in one pass; the work grows with its length alone. */
export function readPage({ bytes, url, contentType, truncated }: PageInput): PageFacts {
  const { text, charset, source } = decodeHtml(bytes.subarray(0, MAX_PAGE_BYTES), contentType);
  const page = new PageCollector(ELEMENT_HANDLERS);
  walkHtml(text, page);
  page.end();
  const urls = new PageUrlResolver(url, page.base);
  const blocks = page.jsonLd.map(parseJsonLd);
  const structured = readJsonLd(blocks.filter((block) => block !== undefined));
  return {
    url: urls.page.href,
    charset,
    charset_source: source,
    truncated: truncated || bytes.byteLength > MAX_PAGE_BYTES,
    lang: displayLineOrNull(page.lang, 35),
    title: displayLineOrNull(page.title, MAX_TEXT_LENGTH),
    canonical: urls.resolve(page.canonical),
    metas: displayMap(page.metas),
    csp: page.csp.slice(0, 10),
    refresh: parseRefresh(page.metas.get('refresh'), urls),
    og: openGraph(page.og, urls),
    og_image: OG_IMAGES.map((property) => urls.resolve(page.og.get(property))).find((url) => url !== null) ?? null,
    headings: {
      h1: toHeadingFacts(page.headings.h1),
      h2: toHeadingFacts(page.headings.h2),
      h3: toHeadingFacts(page.headings.h3),
    },
    images: page.images,
    links: countLinks(page.hrefs, urls),
    json_ld: {
      blocks: blocks.length,
      invalid: blocks.filter((block) => block === undefined).length,
    },
    schema_types: [...new Set([...structured.types, ...[...page.itemTypes].map(schemaTypeName)])]
      .slice(0, MAX_SCHEMA_TYPES)
      .map((type) => displayText(type, 100)),
    structured_name: displayLineOrNull(structured.name, MAX_TEXT_LENGTH),
    icons: sortIcons(page, urls),
    logo: urls.resolve(structured.logo) ?? urls.resolve(page.og.get('og:logo')) ?? urls.resolve(page.logo),
    scripts: toResourceFacts(page.scripts, urls),
    script_count: page.scriptCount,
    inline_scripts: page.inlineScriptCount,
    inline_handlers: page.inlineHandlerCount,
    stylesheets: toResourceFacts(page.stylesheets, urls),
    forms: page.forms.slice(0, MAX_ITEMS).map((form) => toFormFact(form, urls)),
    password_outside_form: page.hasPasswordOutsideForm,
    iframes: distinctUrls(page.iframes.map((reference) => urls.resolve(reference))),
    mixed: {
      active: findUnencrypted(page.activeReferences, urls),
      passive: findUnencrypted(page.passiveReferences, urls),
    },
    comments: page.commentCount,
    text_length: page.textLength,
    render_signs: [...page.renderSignals],
    signs: page.technologySignals.toSignals(urls),
  };
}

function displayMap(map: ReadonlyMap<string, string>): Record<string, string> {
  const entries = [...map]
    .slice(0, MAX_ITEMS)
    .map(([key, value]) => [displayText(key, 100), displayLine(value, MAX_TEXT_LENGTH)]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Addresses among the values are absolute web addresses, or left out. */
function openGraph(og: ReadonlyMap<string, string>, urls: PageUrlResolver): Record<string, string> {
  const isAddress = (key: string): boolean => OG_URL_PROPERTY.test(key);
  const texts = new Map([...og].filter(([key]) => !isAddress(key)));
  const addresses = [...og].flatMap(([key, value]) => {
    const url = isAddress(key) ? urls.resolve(value) : null;
    return url === null ? [] : [[key, url]];
  });
  return { ...displayMap(texts), ...(Object.fromEntries(addresses) as Record<string, string>) };
}

const OG_URL_PROPERTY = /^og:(?:url|logo|(?:image|video|audio)(?::(?:secure_)?url)?)$/;

function toHeadingFacts({ count, texts }: HeadingFacts): HeadingFacts {
  const kept = texts.slice(0, MAX_HEADINGS).map((text) => displayLineOrNull(text, MAX_TEXT_LENGTH));
  return { count, texts: kept.filter((text) => text !== null) };
}

/** Links to other pages: those to a place on the page itself, and those that lead nowhere on the web, do not count. */
function countLinks(hrefs: readonly string[], urls: PageUrlResolver): PageFacts['links'] {
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

/** Icons by how well they represent a site: those of `rel="icon"` first, larger before smaller. */
function sortIcons({ icons }: PageCollector, urls: PageUrlResolver): string[] {
  const size = (sizes: string): number =>
    sizes.toLowerCase() === 'any' ? 1024 : Number(/^\d{1,5}/.exec(sizes)?.[0] ?? 0);
  const sorted = icons.toSorted(
    (one, other) => Number(other.rel === 'icon') - Number(one.rel === 'icon') || size(other.sizes) - size(one.sizes),
  );
  return distinctUrls(sorted.map(({ reference }) => urls.resolve(reference)));
}

function toResourceFacts(list: readonly CollectedResource[], urls: PageUrlResolver): ResourceFact[] {
  return list.slice(0, MAX_ITEMS).flatMap(({ url: reference, integrity, crossorigin }) => {
    const url = urls.parse(reference);
    if (url === null) return [];
    return [
      {
        url: url.href,
        integrity: /\bsha(?:256|384|512)-/i.test(integrity),
        crossorigin: crossorigin === null ? null : displayLine(crossorigin, 50),
        foreign: !urls.isOwnSite(url),
      },
    ];
  });
}

/** A form without an action is sent to the page itself. */
function toFormFact({ action, method, hasPassword }: PageCollector['forms'][number], urls: PageUrlResolver): FormFact {
  const url = action === null || action.trim() === '' ? urls.page : urls.parse(action);
  return {
    action: url?.href ?? null,
    method: method === 'post' || method === 'dialog' ? method : 'get',
    password: hasPassword,
    foreign: url !== null && !urls.isOwnSite(url),
  };
}

function findUnencrypted(references: readonly string[], urls: PageUrlResolver): string[] {
  if (urls.page.protocol !== 'https:') return [];
  return distinctUrls(
    references.map((reference) => urls.resolve(reference)).filter((url) => url?.startsWith('http:') === true),
  );
}

function distinctUrls(urls: readonly (string | null)[]): string[] {
  return [...new Set(urls.filter((url) => url !== null))].slice(0, MAX_ITEMS);
}

/** `5; url=/there` (HTML standard, section 4.2.5.3). */
function parseRefresh(content: string | undefined, urls: PageUrlResolver): PageFacts['refresh'] {
  const [, seconds, rest = ''] = /^\s*(\d{1,9})(?:\.\d*)?[\s;,]*(.*)$/s.exec(content?.slice(0, 4096) ?? '') ?? [];
  if (seconds === undefined) return null;
  const target = rest.replace(/^url\s*=\s*/i, '').replace(/^(["'])(.*?)\1.*$/s, '$2');
  return { seconds: Number(seconds), url: target === '' ? null : urls.resolve(target) };
}

/** Undefined where it does not parse. Some pages wrap it in an HTML comment. */
function parseJsonLd(text: string): unknown {
  try {
    return JSON.parse(text.trim().replace(/^<!--|-->$/g, '')) as unknown;
  } catch {
    return undefined;
  }
}
