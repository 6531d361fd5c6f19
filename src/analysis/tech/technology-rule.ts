/**
 * What shows that a technology is in use, as data. Every rule carries what it must fire on and what it must not: a look-alike.
 * Rules that compare names (hosts, cookies, files) make both themselves.
 */

export type TechnologyRuleKind =
  | 'header'
  | 'cookie'
  | 'meta'
  | 'comment'
  | 'host'
  | 'media'
  | 'path'
  | 'script'
  | 'style'
  | 'plugin'
  | 'theme'
  | 'mark'
  | 'word'
  | DnsRuleKind
  | 'spf';
export type DnsRuleKind = 'ns' | 'mx' | 'txt' | 'cname';

export interface TechnologyRule {
  readonly kind: TechnologyRuleKind;
  /** What is compared whole: name of a header, cookie, meta, file or mark; host; zone. Empty where the pattern alone decides. */
  readonly name: string;
  /** Of the value; `{v}` stands for a version. Null: that it is there is enough. */
  readonly pattern: string | null;
  readonly matchExamples: readonly string[];
  readonly nonMatchExamples: readonly string[];
  /** 0 to 1: how often the technology is there when the rule fires. */
  readonly confidence: number;
}

export type TechnologyCategory = (typeof TECHNOLOGY_CATEGORIES)[number];

export const TECHNOLOGY_CATEGORIES = [
  'A/B testing',
  'advertising',
  'affiliate',
  'analytics',
  'application server',
  'authentication',
  'build tool',
  'caching',
  'CDN',
  'chat',
  'CMS',
  'CMS extension',
  'CMS theme',
  'comments',
  'cookie consent',
  'CRM',
  'CSS framework',
  'customer data',
  'DNS hosting',
  'documentation',
  'e-commerce',
  'email delivery',
  'error monitoring',
  'font',
  'forms',
  'forum',
  'hosting',
  'JavaScript framework',
  'JavaScript library',
  'language',
  'load balancer',
  'mail hosting',
  'maps',
  'marketing automation',
  'media',
  'operating system',
  'payment',
  'personalisation',
  'reviews',
  'search',
  'security',
  'site builder',
  'site verification',
  'social widget',
  'static site generator',
  'tag manager',
  'UI library',
  'video',
  'WAF',
  'web framework',
  'web server',
  'wiki',
] as const;

export interface Technology {
  readonly name: string;
  readonly category: TechnologyCategory;
  readonly rules: readonly TechnologyRule[];
  /** `vendor:product` as in the NVD's CPE names. */
  readonly cpe?: string;
  /** Names of technologies that are there with it. */
  readonly implies?: readonly string[];
  /** It filters requests. */
  readonly waf?: true;
  /** How many numbers a release has; a version with fewer is not exact. */
  readonly versionParts?: number;
}

type TechnologyEntry = Omit<Technology, 'name' | 'category' | 'rules'> & { readonly rules: readonly TechnologyRule[] };

/** One category: name to rules, or to rules with more about it. */
export function defineTechnologies(
  category: TechnologyCategory,
  table: Readonly<Record<string, readonly TechnologyRule[] | TechnologyEntry>>,
): Technology[] {
  return Object.entries(table).map(([name, given]) =>
    'rules' in given ? { name, category, ...given } : { name, category, rules: given },
  );
}

function createRule(
  kind: TechnologyRuleKind,
  name: string,
  pattern: string | null,
  yes: string,
  no: string | string[],
  sure: number,
) {
  return {
    kind,
    name,
    pattern,
    matchExamples: [yes],
    nonMatchExamples: typeof no === 'string' ? [no] : no,
    confidence: sure,
  } satisfies TechnologyRule;
}

/** A response header with a value like this. */
export const header = (name: string, pattern: string, yes: string, no: string): TechnologyRule =>
  createRule('header', name, pattern, yes, no, 1);
/** A response header, whatever its value. */
export const hasHeader = (name: string): TechnologyRule =>
  createRule('header', name, null, `${name}: 1`, `x-${name}: 1`, 1);
/** A cookie; `*` at its end stands for any rest. */
export const cookie = (name: string): TechnologyRule => {
  const start = name.replace(/\*$/, '');
  const yes = start === name ? name : `${start}1f`;
  return createRule('cookie', name, null, yes, [`my${yes}`, start.slice(0, -1)], 0.85);
};
/** `<meta name content>`. */
export const meta = (name: string, pattern: string, yes: string, no: string): TechnologyRule =>
  createRule('meta', name, pattern, yes, no, 1);
export const generator = (pattern: string, yes: string, no: string): TechnologyRule =>
  meta('generator', pattern, yes, no);
/** The start of an HTML comment. */
export const comment = (pattern: string, yes: string, no: string): TechnologyRule =>
  createRule('comment', '', pattern, yes, no, 0.95);
/** `host/start/of/path` of a script, style sheet, frame, or an address in an inline script; subdomains count. */
export const host = (address: string): TechnologyRule =>
  createRule('host', address, null, ...urlExamples(address), 0.9);
/** The same of an image or video. */
export const media = (address: string): TechnologyRule =>
  createRule('media', address, null, ...urlExamples(address), 0.8);
/** The path and query of a script, style sheet or preload, and of the site's own images. */
export const path = (pattern: string, yes: string, no: string): TechnologyRule =>
  createRule('path', '', pattern, yes, no, 0.9);
/** The name of a script's file, without version, hash and `.min`. */
export const script = (name: string): TechnologyRule =>
  createRule('script', name, null, `/js/${name}.min.js`, [`/js/my${name}.js`, `/${name}/other.js`], 0.9);
/** The same of a style sheet. */
export const style = (name: string): TechnologyRule =>
  createRule('style', name, null, `/css/${name}.min.css`, [`/css/my${name}.css`, `/${name}/other.css`], 0.9);
/** A WordPress plugin, by its folder; `pattern` is of the file below it that has the plugin's own version. */
export const plugin = (slug: string, pattern: string | null = null, yes?: string): TechnologyRule => ({
  ...createRule(
    'plugin',
    slug,
    pattern,
    wordpressPath('plugins', slug, yes),
    wordpressPath('plugins', `my-${slug}`),
    0.95,
  ),
});
/** A WordPress theme, by its folder. */
export const theme = (slug: string): TechnologyRule =>
  createRule('theme', slug, null, wordpressPath('themes', slug), wordpressPath('themes', `${slug}-x`), 0.95);
/** `#id`, `.class`, `[attribute]` or `<element>` in the page; the pattern is of the attribute's value. */
export const mark = (name: string, pattern: string | null = null, yes = '', no = ''): TechnologyRule =>
  createRule(
    'mark',
    name,
    pattern,
    renderMark(name, '', yes),
    pattern === null ? renderMark(name, '-x', yes) : [renderMark(name, '-x', yes), renderMark(name, '', no)],
    0.85,
  );
/** An identifier in an inline script. */
export const word = (name: string): TechnologyRule =>
  createRule('word', name, null, `x(${name})`, `x(${name}2, my${name})`, 0.7);
/** Name servers, mail exchangers or aliases in this zone. */
export const ns = (zone: string): TechnologyRule =>
  createRule('ns', zone, null, `ns1.${zone}`, zoneLookalikes(zone), 0.95);
export const mx = (zone: string): TechnologyRule =>
  createRule('mx', zone, null, `mx1.${zone}`, zoneLookalikes(zone), 0.95);
export const cname = (zone: string): TechnologyRule =>
  createRule('cname', zone, null, `site.${zone}`, zoneLookalikes(zone), 0.95);
/** The same by a pattern. */
export const dnsName = (kind: 'ns' | 'mx' | 'cname', pattern: string, yes: string, no: string): TechnologyRule =>
  createRule(kind, '', pattern, yes, no, 0.95);
/** The start of a TXT record, in any case. */
export const txt = (start: string): TechnologyRule =>
  createRule('txt', start, null, `${start}abc`, `x${start}abc`, 0.95);
/** A zone that the SPF record includes (RFC 7208). */
export const spf = (zone: string): TechnologyRule =>
  createRule('spf', zone, null, `v=spf1 include:${zone} -all`, `v=spf1 include:${zone}.example.net -all`, 0.95);

/** The rule, of which another must be there too. */
export const asWeakSignal = (strong: TechnologyRule): TechnologyRule => ({ ...strong, confidence: 0.4 });

function urlExamples(address: string): [yes: string, no: string[]] {
  const [name = '', ...rest] = address.split('/');
  const path = rest.join('/');
  const elsewhere = path === '' ? [] : [`https://${name}/x${path}`];
  return [
    `https://${name}/${path}x`,
    [
      `https://${name}.example.net/${path}x`,
      `https://my${name}/${path}x`,
      `https://a.example/${address}x`,
      ...elsewhere,
    ],
  ];
}

function wordpressPath(kind: string, slug: string, file = 'a.js'): string {
  return `/wp-content/${kind}/${slug}/${file}`;
}

/** The mark with something behind its name, as a page has it. */
function renderMark(mark: string, more: string, value: string): string {
  const name = `${mark.replace(/^[#.[<]|[\]>]$/g, '')}${more}`;
  if (mark.startsWith('#')) return `<div id="${name}">`;
  if (mark.startsWith('.')) return `<div class="first ${name} last">`;
  if (mark.startsWith('[')) return `<div ${name}="${value}">`;
  return `<${name}>`;
}

function zoneLookalikes(zone: string): string[] {
  return [`ns1.my${zone}`, `${zone}.example.net`];
}
