import type { Technology, TechnologyCategory, TechnologyRule, TechnologyRuleKind } from './technology-rule.ts';

/**
 * The functions of the tables in `technologies/`. Every rule has an example that it must match and look-alikes that it must not match;
 * rules that compare names (hosts, cookies, files) make their own examples.
 */

type TechnologyProperties = Omit<Technology, 'name' | 'category' | 'rules'>;
type TechnologyEntry = readonly TechnologyRule[][] | readonly [TechnologyProperties, ...TechnologyRule[][]];

/** The technologies of one category: name to rules, with properties before them; `common` properties hold for all of them. */
export function defineTechnologies(
  category: TechnologyCategory,
  table: Readonly<Record<string, TechnologyEntry>>,
  common: TechnologyProperties = {},
): Technology[] {
  return Object.entries(table).map(([name, entry]) => {
    const [properties, ...rules] = hasProperties(entry) ? entry : [{}, ...entry];
    return { name, category, ...common, ...properties, rules: rules.flat() };
  });
}

function hasProperties(entry: TechnologyEntry): entry is readonly [TechnologyProperties, ...TechnologyRule[][]] {
  return !Array.isArray(entry[0]);
}

/** One rule, of `kind`, by name or pattern. The exported functions below that take a list make one rule for each of its names. */
function createRule(
  kind: TechnologyRuleKind,
  name: string,
  pattern: string | null,
  confidence: number,
  matchExample: string,
  ...nonMatchExamples: string[]
): TechnologyRule {
  return { kind, name, pattern, matchExamples: [matchExample], nonMatchExamples, confidence };
}

/** A response header whose value matches the pattern; `example` is a value that matches, `lookalike` one that does not. */
export const header = (name: string, pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule('header', name, pattern, 1, example, lookalike),
];
export const server = (pattern: string, example: string, lookalike: string): TechnologyRule[] =>
  header('server', pattern, example, lookalike);
/** A response header with any value. */
export const hasHeader = (...names: string[]): TechnologyRule[] =>
  names.map((name) => createRule('header', name, null, 1, `${name}: 1`, `x-${name}: 1`));
/** A cookie; `*` at its end matches any rest. */
export const cookie = (...names: string[]): TechnologyRule[] =>
  names.map((name) => {
    const start = name.replace(/\*$/, '');
    const example = start === name ? name : `${start}1f`;
    return createRule('cookie', name, null, 0.85, example, `my${example}`, start.slice(0, -1));
  });
/** `<meta name content>`. */
export const meta = (name: string, pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule('meta', name, pattern, 1, example, lookalike),
];
export const generator = (pattern: string, example: string, lookalike: string): TechnologyRule[] =>
  meta('generator', pattern, example, lookalike);
/** The start of an HTML comment. */
export const comment = (pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule('comment', '', pattern, 0.95, example, lookalike),
];
/** `host/start/of/path` of a script, style sheet, frame, or a URL in an inline script; subdomains count. */
export const host = (...addresses: string[]): TechnologyRule[] =>
  addresses.map((address) => createRule('host', address, null, 0.9, ...urlExamples(address)));
/** `host/start/of/path` of an image or video. */
export const media = (...addresses: string[]): TechnologyRule[] =>
  addresses.map((address) => createRule('media', address, null, 0.8, ...urlExamples(address)));
/** The path and query of a script, style sheet or preload, and of the site's own images. */
export const path = (pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule('path', '', pattern, 0.9, example, lookalike),
];
/** The name of a script's file, without version, hash and `.min`. */
export const script = (...names: string[]): TechnologyRule[] =>
  names.map((name) =>
    createRule('script', name, null, 0.9, `/js/${name}.min.js`, `/js/my${name}.js`, `/${name}/other.js`),
  );
/** The name of a style sheet's file, likewise. */
export const style = (...names: string[]): TechnologyRule[] =>
  names.map((name) =>
    createRule('style', name, null, 0.9, `/css/${name}.min.css`, `/css/my${name}.css`, `/${name}/other.css`),
  );
/** A WordPress plugin, by its folder. */
export const plugin = (...slugs: string[]): TechnologyRule[] => slugs.map((slug) => pluginRule(slug, null, 'a.js'));
/** The same; `pattern` is of the file below the folder that carries the plugin's own version. */
export const pluginFile = (slug: string, pattern: string, example: string): TechnologyRule[] => [
  pluginRule(slug, pattern, example),
];
/** A WordPress theme, by its folder. */
export const theme = (...slugs: string[]): TechnologyRule[] =>
  slugs.map((slug) =>
    createRule('theme', slug, null, 0.95, wordpressPath('themes', slug), wordpressPath('themes', `${slug}-x`)),
  );
/** `#id`, `.class`, `[attribute]` or `<element>` in the page. */
export const mark = (...names: string[]): TechnologyRule[] =>
  names.map((name) => createRule('mark', name, null, 0.85, renderMark(name, '', ''), renderMark(name, '-x', '')));
/** `.class*` or `[attribute*]`: one that begins so. */
export const markStart = (...names: string[]): TechnologyRule[] =>
  names.map((name) =>
    createRule(
      'mark',
      name,
      null,
      0.85,
      renderMark(name.replace('*', 'a1b2'), '', ''),
      renderMark(`${name[0]}x${name.slice(1).replace('*', 'a1b2')}`, '', ''),
    ),
  );
/** `[attribute]` whose value matches the pattern. */
export const markValue = (name: string, pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule(
    'mark',
    name,
    pattern,
    0.85,
    renderMark(name, '', example),
    renderMark(name, '-x', example),
    renderMark(name, '', lookalike),
  ),
];
/** The title of the page. */
export const title = (pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule('title', '', pattern, 0.9, example, lookalike),
];
/** What a page says of its making, from `powered by`, `created using`, `generated with` or `version` on. */
export const credit = (pattern: string, example: string, lookalike: string): TechnologyRule[] => [
  createRule('credit', '', pattern, 0.9, example, lookalike),
];
/** An identifier in an inline script. */
export const word = (...names: string[]): TechnologyRule[] =>
  names.map((name) => createRule('word', name, null, 0.7, `x(${name})`, `x(${name}2, my${name})`));
/** Name servers, mail exchangers or aliases in this zone. */
export const ns = (...zones: string[]): TechnologyRule[] => zones.map((zone) => zoneRule('ns', zone, `ns1.${zone}`));
export const mx = (...zones: string[]): TechnologyRule[] => zones.map((zone) => zoneRule('mx', zone, `mx1.${zone}`));
export const cname = (...zones: string[]): TechnologyRule[] =>
  zones.map((zone) => zoneRule('cname', zone, `site.${zone}`));
/** Name servers, mail exchangers or aliases whose name matches the pattern. */
export const dnsName = (
  kind: 'ns' | 'mx' | 'cname',
  pattern: string,
  example: string,
  lookalike: string,
): TechnologyRule[] => [createRule(kind, '', pattern, 0.95, example, lookalike)];
/** The start of a TXT record, in any case. */
export const txt = (...starts: string[]): TechnologyRule[] =>
  starts.map((start) => createRule('txt', start, null, 0.95, `${start}abc`, `x${start}abc`));
/** A zone that the SPF record includes (RFC 7208). */
export const spf = (...zones: string[]): TechnologyRule[] =>
  zones.map((zone) =>
    createRule('spf', zone, null, 0.95, `v=spf1 include:${zone} -all`, `v=spf1 include:${zone}.example.net -all`),
  );

/** The rules with a confidence that is not enough alone: another rule must match too. */
export const asWeakSignal = (rules: readonly TechnologyRule[]): TechnologyRule[] =>
  rules.map((rule) => ({ ...rule, confidence: 0.4 }));

function urlExamples(address: string): [example: string, ...lookalike: string[]] {
  const [name = '', ...rest] = address.split('/');
  const path = rest.join('/');
  const elsewhere = path === '' ? [] : [`https://${name}/x${path}`];
  return [
    `https://${name}/${path}x`,
    `https://${name}.example.net/${path}x`,
    `https://my${name}/${path}x`,
    `https://a.example/${address}x`,
    ...elsewhere,
  ];
}

function pluginRule(slug: string, pattern: string | null, file: string): TechnologyRule {
  return createRule(
    'plugin',
    slug,
    pattern,
    0.95,
    wordpressPath('plugins', slug, file),
    wordpressPath('plugins', `my-${slug}`),
  );
}

function wordpressPath(kind: string, slug: string, file = 'a.js'): string {
  return `/wp-content/${kind}/${slug}/${file}`;
}

/** The tag with an attribute after its name, as in a page. */
function renderMark(mark: string, more: string, value: string): string {
  const name = `${mark.replace(/^[#.[<]|[\]>]$/g, '')}${more}`;
  if (mark.startsWith('#')) return `<div id="${name}">`;
  if (mark.startsWith('.')) return `<div class="first ${name} last">`;
  if (mark.startsWith('[')) return `<div ${name}="${value}">`;
  return `<${name}>`;
}

function zoneRule(kind: 'ns' | 'mx' | 'cname', zone: string, example: string): TechnologyRule {
  return createRule(kind, zone, null, 0.95, example, `ns1.my${zone}`, `${zone}.example.net`);
}
