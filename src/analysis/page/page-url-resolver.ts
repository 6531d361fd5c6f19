import { cleanText } from '../display-text.ts';
import { siteOfHost } from '../domain-name.ts';

const MAX_URL_LENGTH = 2048;

/** Addresses of a page: resolved against its base, and only those that are web addresses. */
export class PageUrlResolver {
  readonly page: URL;
  readonly #base: URL;
  readonly #site: string;
  readonly #sites = new Map<string, boolean>();

  /** `base`: the `href` of the first `<base>`; one that is no web address means nothing. */
  constructor(page: string, base: string | null) {
    this.page = new URL(page);
    const given = base === null ? null : URL.parse(base.trim(), page);
    this.#base = given !== null && isHttpUrl(given) ? given : this.page;
    this.#site = siteOfHost(this.page.hostname);
  }

  /** Absolute and shown safely; null for `javascript:`, `data:` and all else that is no web address, and where it is too long. */
  resolve(reference: string | null | undefined): string | null {
    return this.parse(reference)?.href ?? null;
  }

  parse(reference: string | null | undefined): URL | null {
    if (reference === null || reference === undefined || reference.length > MAX_URL_LENGTH) return null;
    const url = URL.parse(cleanText(reference).trim(), this.#base);
    return url !== null && isHttpUrl(url) && url.href.length <= MAX_URL_LENGTH ? url : null;
  }

  /** On the page's own registrable domain. */
  isOwnSite({ hostname }: URL): boolean {
    const known = this.#sites.get(hostname);
    if (known !== undefined) return known;
    const own = siteOfHost(hostname) === this.#site;
    this.#sites.set(hostname, own);
    return own;
  }
}

function isHttpUrl({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}
