import { truncateAtWord } from '../analysis/display-text.ts';
import { html, type Html, type HtmlValue } from './html.ts';

/** The longest address of another site that becomes a link. */
const MAX_ADDRESS_CHARACTERS = 2000;
/** Of one that does not become a link. */
const MAX_SHOWN_CHARACTERS = 300;

/** Paths of pages, with their values encoded. */
export const paths = {
  cve: (id: string) => `/cve/${segment(id)}`,
  vendor: (vendor: string) => `/vendor/${segment(vendor)}`,
  product: (vendor: string, product: string) => `/product/${segment(vendor)}/${segment(product)}`,
  domain: (domain: string) => `/domain/${segment(domain)}`,
  ip: (ip: string) => `/ip/${segment(ip)}`,
  as: (number: string | number) => `/as/${segment(String(number).replace(/^as/i, ''))}`,
  indicator: (value: string) => `/indicator/${segment(value)}`,
  cwe: (id: string) => `/cwe/${segment(id)}`,
  technique: (id: string) => `/attack/${segment(id)}`,
  atlas: (id: string) => `/atlas/${segment(id)}`,
  defense: (id: string) => `/d3fend/${segment(id)}`,
  watch: (id: string) => `/watches/${segment(id)}`,
  rule: (id: string) => `/sigma/${segment(id)}`,
} as const;

/** A path with a query; undefined, null, false and empty values are left out. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== false && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** A link to a page of this service: `path` from `paths` or a literal. */
export function link(path: string, text: HtmlValue): Html {
  if (!/^\/(?!\/)|^#/.test(path)) throw new Error(`not a path of this service: ${path}`);
  return html`<a href="${path}">${text}</a>`;
}

/** A link to another site, given by a third party: only http and https become a link, and its host is shown where the text is another one. */
export function foreignLink(address: string, text?: string): Html {
  const url = address.length <= MAX_ADDRESS_CHARACTERS ? URL.parse(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return html`<span class="address">${truncateAtWord(text ?? address, MAX_SHOWN_CHARACTERS)}</span>`;
  }
  const rel = 'noopener noreferrer nofollow';
  return text === undefined || text === address
    ? html`<a class="address" rel="${rel}" href="${url.href}">${address}</a>`
    : html`<a rel="${rel}" href="${url.href}">${text}</a> <span class="host">${url.host}</span>`;
}

function segment(value: string): string {
  return encodeURIComponent(value);
}
