import { displayText } from '../display-text.ts';
import { MAX_VALUE_LENGTH, matchVersion } from './rule-pattern.ts';
import type { TechnologyCategory, TechnologyRuleKind, Technology } from './technology-rule.ts';
import { type CompiledRule, RuleIndex, type RulesByName } from './rule-index.ts';
import { type PageUrl, type SiteFacts, extractUrlSignals } from './url-signals.ts';
import { TECHNOLOGIES } from './technologies.ts';
import { nameAndParents, siteOfHost } from '../domain-name.ts';

/** A technology that a site is made with. */
export interface DetectedTechnology {
  name: string;
  category: TechnologyCategory;
  /** The evidence: `header: server`, `script`, `dns: txt`, `implied by WordPress`. */
  source: string;
  version: string | null;
  /**
   * `first`: the site runs it, or takes it in as a service. `third`: it only shows how another host is made that the page takes a file
   * from, such as the CDN in front of a foreign image.
   */
  party: 'first' | 'third';
  /** 0 to 1. */
  confidence: number;
  /** As the NVD names it. */
  cpe: { vendor: string; product: string } | null;
  waf: boolean;
}

interface RuleHit {
  source: string;
  version: string | null;
  confidence: number;
  kind: TechnologyRuleKind;
  /** Seen at the address of another site, of which it tells how it is made. */
  isForeign: boolean;
}

const MIN_CONFIDENCE = 0.5;
const MAX_TXT_RECORDS = 200;

/** Creates a detector of these technologies, by confidence. Several hits raise the confidence; results below 0.5 are left out. */
export function createTechnologyDetector(
  technologies: readonly Technology[],
): (facts: SiteFacts) => DetectedTechnology[] {
  const index = new RuleIndex(technologies);
  return (facts) => {
    const hits = new Map<Technology, RuleHit[]>();
    const applyRules: ApplyRules = (rules, value, source, hostname = null) => {
      for (const { kind, technology, expression, confidence } of rules ?? []) {
        const version = matchVersion(expression, value);
        if (version === undefined) continue;
        const list = hits.get(technology);
        const isForeign = hostname !== null && isOfOtherSite(technology, kind, hostname, facts);
        const hit = { source, version, confidence, kind, isForeign };
        if (list === undefined) hits.set(technology, [hit]);
        else list.push(hit);
      }
    };
    applyHeaderRules(facts, index, applyRules);
    applyPageRules(facts, index, applyRules);
    applyDnsRules(facts, index, applyRules);
    const found = [...hits].map(([technology, list]) => combineHits(technology, list));
    const sure = found.filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
    return addImplied(sure.toSorted(compareConfidence), index).toSorted(compareConfidence);
  };
}

const TECHNOLOGY_BY_NAME = new Map(TECHNOLOGIES.map((technology) => [technology.name, technology]));

/** The technologies of a site, by confidence. */
export const detectTechnologies = createTechnologyDetector(TECHNOLOGIES);

function compareConfidence(a: DetectedTechnology, b: DetectedTechnology): number {
  return b.confidence - a.confidence || (a.name < b.name ? -1 : 1);
}

/** `hostname`: where the value is from, of addresses. */
type ApplyRules = (
  rules: readonly CompiledRule[] | undefined,
  value: string,
  source: string,
  hostname?: string | null,
) => void;

/** Categories of what tells how the host of a file is made. */
const HOST_CATEGORIES: ReadonlySet<TechnologyCategory> = new Set<TechnologyCategory>(['CDN', 'hosting']);
/** The same, where the file is an image or one of its own. */
const SITE_CATEGORIES: ReadonlySet<TechnologyCategory> = new Set<TechnologyCategory>([
  ...HOST_CATEGORIES,
  'CMS',
  'CMS extension',
  'CMS theme',
  'e-commerce',
  'forum',
  'site builder',
  'static site generator',
  'wiki',
]);

function isOfOtherSite(
  { category, sharedFiles }: Technology,
  kind: TechnologyRuleKind,
  hostname: string,
  { page }: SiteFacts,
): boolean {
  const categories = kind === 'host' ? HOST_CATEGORIES : SITE_CATEGORIES;
  if (sharedFiles === true || !categories.has(category)) return false;
  return page !== null && siteOfHost(hostname) !== siteOfHost(new URL(page.url).hostname);
}

function applyHeaderRules({ headers, cookies }: SiteFacts, index: RuleIndex, applyRules: ApplyRules): void {
  for (const [name, values] of Object.entries(headers)) {
    const rules = index.headers.get(name);
    if (rules !== undefined) for (const value of values) applyRules(rules, value, `header: ${name}`);
  }
  for (const name of new Set(cookies)) {
    const prefixed = index.prefixedCookies.filter((rule) => name.startsWith(rule.name.slice(0, -1)));
    for (const rules of [index.cookies.get(name), prefixed])
      applyRules(rules, name, `cookie: ${displayText(name, 60)}`);
  }
}

function applyPageRules({ page }: SiteFacts, index: RuleIndex, applyRules: ApplyRules): void {
  if (page === null) return;
  const { signs } = page;
  for (const [name, content] of Object.entries(page.metas)) {
    if (name !== 'generator') applyRules(index.metas.get(name), content, `meta: ${name}`);
  }
  for (const content of signs.generators) applyRules(index.metas.get('generator'), content, 'meta: generator');
  for (const text of signs.comments) applyRules(index.comments, text, 'html comment');
  if (page.title !== null) applyRules(index.titles, page.title, 'title');
  for (const text of signs.credits) applyRules(index.credits, text, 'text');
  for (const [mark, value] of Object.entries(signs.marks)) applyRules(index.marks.get(mark), value, `html: ${mark}`);
  for (const name of signs.words) applyRules(index.words.get(name), name, `inline script: ${name}`);
  const signals = extractUrlSignals(page);
  for (const one of signals.loadedUrls)
    applyRules(mostSpecificRules(index.hosts, one), one.path, one.source, one.hostname);
  for (const one of signals.mediaUrls)
    applyRules(mostSpecificRules(index.media, one), one.path, one.source, one.hostname);
  applyPathRules(signals.sitePaths, index, applyRules);
  for (const { kind, slug, rest, hostname } of signals.extensions) {
    // Any file shows the plugin itself; only certain files show its version.
    for (const rule of index.extensions[kind].get(slug) ?? []) {
      const ofTheme = kind === 'theme' ? themeVersion(slug, rest, signs.generators) : null;
      if (ofTheme !== null) applyRules([{ ...rule, expression: ANY_VERSION }], ofTheme, `${kind}: ${slug}`, hostname);
      const version = matchVersion(rule.expression, rest) ?? null;
      applyRules([{ ...rule, expression: null }], rest, `${kind}: ${slug}`, hostname);
      if (version !== null) applyRules([rule], rest, `${kind}: ${slug}`, hostname);
    }
  }
  for (const { kind, name, version } of signals.libraries) {
    const rules = index.libraries[kind].get(name);
    if (rules !== undefined)
      applyRules(acceptAnyVersion(rules), version ?? '', kind === 'style' ? 'stylesheet' : 'script');
  }
}

/** A theme gives its main style sheet its own version; without one WordPress gives its own, which is no version of the theme. */
function themeVersion(slug: string, rest: string, generators: readonly string[]): string | null {
  const [, name = '', version = null] =
    /^(?:[\w-]+\/){0,5}([\w-]+)(?:\.min)?\.css\?(?:.*&)?ver=(\d+(?:\.\d+){1,3})(?:&|$)/.exec(rest) ?? [];
  const isMain = ['style', 'main', 'theme', slug].includes(name);
  return isMain && !generators.includes(`WordPress ${version}`) ? version : null;
}

const ANY_VERSION = /^(.*)$/;

/** For versions that were parsed from the URL already. */
function acceptAnyVersion(rules: readonly CompiledRule[]): CompiledRule[] {
  return rules.map((rule) => ({ ...rule, expression: ANY_VERSION }));
}

/** Most rules match no path of a page: each is tested against all paths joined first. */
function applyPathRules(paths: readonly PageUrl[], index: RuleIndex, applyRules: ApplyRules): void {
  const together = paths.map(({ path }) => path).join('\n');
  for (const { rule, anywhere } of index.paths) {
    if (!anywhere.test(together)) continue;
    for (const { path, source, hostname } of paths) applyRules([rule], path, source, hostname);
  }
}

/** Only the most specific matching rules: a service hosted on a CDN is not reported as the CDN. */
function mostSpecificRules(rules: RulesByName, { hostname, path }: PageUrl): CompiledRule[] {
  for (const name of nameAndParents(hostname)) {
    const fitting = (rules.get(name) ?? []).filter((rule) => path.startsWith(rule.name.slice(name.length)));
    if (fitting.length === 0) continue;
    const longest = Math.max(...fitting.map((rule) => rule.name.length));
    return fitting.filter((rule) => rule.name.length === longest);
  }
  return [];
}

function applyDnsRules({ dns }: SiteFacts, index: RuleIndex, applyRules: ApplyRules): void {
  if (dns === null) return;
  for (const kind of ['ns', 'mx', 'cname'] as const) {
    for (const name of dns[kind]) {
      applyRules(index.zones[kind].get(''), name, `dns: ${kind}`);
      for (const zone of nameAndParents(name)) applyRules(index.zones[kind].get(zone), name, `dns: ${kind}`);
    }
  }
  for (const record of dns.txt.slice(0, MAX_TXT_RECORDS)) {
    const text = record.slice(0, MAX_VALUE_LENGTH).toLowerCase();
    for (const rule of index.txt) if (text.startsWith(rule.name)) applyRules([rule], text, 'dns: txt');
    if (!/^v=spf1(?: |$)/.test(text)) continue;
    for (const [, zone = ''] of text.matchAll(/[ +]include:([\w.-]{1,253})/g))
      applyRules(index.spf.get(zone), zone, 'dns: spf');
  }
}

/** `source` is that of the version, else that of the highest confidence. */
function combineHits(technology: Technology, hits: readonly RuleHit[]): DetectedTechnology {
  const versioned = hits.filter(({ version }) => version !== null && version !== '');
  const first = (versioned.length > 0 ? versioned : hits).reduce((one, other) =>
    isBetterHit(other, one) ? other : one,
  );
  // `10.2.4` says more than the `10` of a stronger sign, and nothing else.
  const best = versioned.find(({ version }) => version!.startsWith(`${first.version}.`)) ?? first;
  const doubt = [...Map.groupBy(hits, ({ kind, source }) => `${kind} ${source}`).values()].reduce(
    (product, [hit]) => product * (1 - hit!.confidence),
    1,
  );
  return {
    ...technologyFields(technology),
    source: best.source,
    version: versioned.length > 0 ? displayText(best.version!, 40) : null,
    party: partyOf(hits),
    confidence: Math.round((1 - doubt) * 100) / 100,
  };
}

/** Many files of it at another name are the site's own host of files. */
const OWN_FILES = 3;

function partyOf(hits: readonly RuleHit[]): DetectedTechnology['party'] {
  const files = hits.filter(({ kind }) => kind === 'path' || kind === 'plugin' || kind === 'theme');
  return hits.every(({ isForeign }) => isForeign) && files.length < OWN_FILES ? 'third' : 'first';
}

function isBetterHit(one: RuleHit, other: RuleHit): boolean {
  if (one.confidence !== other.confidence) return one.confidence > other.confidence;
  return (one.version?.split('.').length ?? 0) > (other.version?.split('.').length ?? 0);
}

function technologyFields({
  name,
  category,
  cpe,
  waf,
}: Technology): Pick<DetectedTechnology, 'name' | 'category' | 'cpe' | 'waf'> {
  const [vendor = '', product = ''] = cpe?.split(':') ?? [];
  return { name, category, cpe: cpe === undefined ? null : { vendor, product }, waf: waf ?? false };
}

function addImplied(found: readonly DetectedTechnology[], { byName }: RuleIndex): DetectedTechnology[] {
  const all = new Map(found.map((one) => [one.name, one]));
  // The queue grows during the loop: implied technologies imply others.
  const queue = [...found];
  for (const { name, confidence, party } of queue) {
    for (const implied of byName.get(name)?.implies ?? []) {
      if (all.has(implied)) continue;
      const one = {
        ...technologyFields(byName.get(implied)!),
        source: `implied by ${name}`,
        version: null,
        party,
        confidence,
      };
      all.set(implied, one);
      queue.push(one);
    }
  }
  return [...all.values()];
}

/** Whether the version is an exact release, which can be compared with version ranges. */
export function isExactVersion(name: string, version: string | null): version is string {
  const parts = TECHNOLOGY_BY_NAME.get(name)?.versionParts ?? 2;
  return version !== null && version.split('.').length >= parts;
}

/** The first web application firewall among the technologies; null: none. */
export function findWaf(technologies: readonly DetectedTechnology[]): { name: string; evidence: string } | null {
  const waf = technologies.find((one) => one.waf && one.party === 'first');
  return waf === undefined ? null : { name: waf.name, evidence: waf.source };
}
