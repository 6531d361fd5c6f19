import { displayText } from '../display-text.ts';
import { MAX_VALUE_LENGTH, matchVersion } from './rule-pattern.ts';
import type { TechnologyCategory, TechnologyRuleKind, Technology } from './technology-rule.ts';
import { type CompiledRule, RuleIndex, type RulesByName } from './rule-index.ts';
import { type PageUrl, type SiteFacts, extractUrlSignals } from './url-signals.ts';
import { TECHNOLOGIES } from './technologies.ts';
import { nameAndParents } from '../domain-name.ts';

/** A technology that a site is made with. */
export interface DetectedTechnology {
  name: string;
  category: TechnologyCategory;
  /** What shows it: `header: server`, `script`, `dns: txt`, `implied by WordPress`. */
  source: string;
  version: string | null;
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
}

const MIN_CONFIDENCE = 0.5;
const MAX_TXT_RECORDS = 200;

/** Finds these technologies, surest first. Several signs of one make it surer; what none makes at least half sure is left out. */
export function createTechnologyDetector(
  technologies: readonly Technology[],
): (facts: SiteFacts) => DetectedTechnology[] {
  const index = new RuleIndex(technologies);
  return (facts) => {
    const hits = new Map<Technology, RuleHit[]>();
    const judge: ApplyRules = (rules, value, source) => {
      for (const { kind, technology, expression, confidence } of rules ?? []) {
        const version = matchVersion(expression, value);
        if (version === undefined) continue;
        const list = hits.get(technology);
        const hit = { source, version, confidence, kind };
        if (list === undefined) hits.set(technology, [hit]);
        else list.push(hit);
      }
    };
    applyHeaderRules(facts, index, judge);
    applyPageRules(facts, index, judge);
    applyDnsRules(facts, index, judge);
    const found = [...hits].map(([technology, list]) => combineHits(technology, list));
    const sure = found.filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
    return addImplied(sure.toSorted(compareConfidence), index).toSorted(compareConfidence);
  };
}

const TECHNOLOGY_BY_NAME = new Map(TECHNOLOGIES.map((technology) => [technology.name, technology]));

/** The technologies that a site is made with, of all that we know. */
export const detectTechnologies = createTechnologyDetector(TECHNOLOGIES);

function compareConfidence(a: DetectedTechnology, b: DetectedTechnology): number {
  return b.confidence - a.confidence || (a.name < b.name ? -1 : 1);
}

type ApplyRules = (rules: readonly CompiledRule[] | undefined, value: string, source: string) => void;

function applyHeaderRules({ headers, cookies }: SiteFacts, index: RuleIndex, judge: ApplyRules): void {
  for (const [name, values] of Object.entries(headers)) {
    const rules = index.headers.get(name);
    if (rules !== undefined) for (const value of values) judge(rules, value, `header: ${name}`);
  }
  for (const name of new Set(cookies)) {
    const prefixed = index.prefixedCookies.filter((rule) => name.startsWith(rule.name.slice(0, -1)));
    for (const rules of [index.cookies.get(name), prefixed]) judge(rules, name, `cookie: ${displayText(name, 60)}`);
  }
}

function applyPageRules({ page }: SiteFacts, index: RuleIndex, judge: ApplyRules): void {
  if (page === null) return;
  const { signs } = page;
  for (const [name, content] of Object.entries(page.metas)) {
    if (name !== 'generator') judge(index.metas.get(name), content, `meta: ${name}`);
  }
  for (const content of signs.generators) judge(index.metas.get('generator'), content, 'meta: generator');
  for (const text of signs.comments) judge(index.comments, text, 'html comment');
  for (const [mark, value] of Object.entries(signs.marks)) judge(index.marks.get(mark), value, `html: ${mark}`);
  for (const name of signs.words) judge(index.words.get(name), name, `inline script: ${name}`);
  const signals = extractUrlSignals(page);
  for (const one of signals.loadedUrls) judge(mostSpecificRules(index.hosts, one), one.path, one.source);
  for (const one of signals.mediaUrls) judge(mostSpecificRules(index.media, one), one.path, one.source);
  applyPathRules(signals.sitePaths, index, judge);
  for (const { kind, slug, rest } of signals.extensions) {
    // The plugin is there, whichever of its files this is; its version shows in one of them.
    for (const rule of index.extensions[kind].get(slug) ?? []) {
      const version = matchVersion(rule.expression, rest) ?? null;
      judge([{ ...rule, expression: null }], rest, `${kind}: ${slug}`);
      if (version !== null) judge([rule], rest, `${kind}: ${slug}`);
    }
  }
  for (const { kind, name, version } of signals.libraries) {
    const rules = index.libraries[kind].get(name);
    if (rules !== undefined) judge(acceptAnyVersion(rules), version ?? '', kind === 'style' ? 'stylesheet' : 'script');
  }
}

const ANY_VERSION = /^(.*)$/;

/** The version was read from the address already. */
function acceptAnyVersion(rules: readonly CompiledRule[]): CompiledRule[] {
  return rules.map((rule) => ({ ...rule, expression: ANY_VERSION }));
}

/** Most rules match none of a page's addresses: all are tried together first. */
function applyPathRules(paths: readonly PageUrl[], index: RuleIndex, judge: ApplyRules): void {
  const together = paths.map(({ path }) => path).join('\n');
  for (const { rule, anywhere } of index.paths) {
    if (!anywhere.test(together)) continue;
    for (const { path, source } of paths) judge([rule], path, source);
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

function applyDnsRules({ dns }: SiteFacts, index: RuleIndex, judge: ApplyRules): void {
  if (dns === null) return;
  for (const kind of ['ns', 'mx', 'cname'] as const) {
    for (const name of dns[kind]) {
      judge(index.zones[kind].get(''), name, `dns: ${kind}`);
      for (const zone of nameAndParents(name)) judge(index.zones[kind].get(zone), name, `dns: ${kind}`);
    }
  }
  for (const record of dns.txt.slice(0, MAX_TXT_RECORDS)) {
    const text = record.slice(0, MAX_VALUE_LENGTH).toLowerCase();
    for (const rule of index.txt) if (text.startsWith(rule.name)) judge([rule], text, 'dns: txt');
    if (!/^v=spf1(?: |$)/.test(text)) continue;
    for (const [, zone = ''] of text.matchAll(/[ +]include:([\w.-]{1,253})/g))
      judge(index.spf.get(zone), zone, 'dns: spf');
  }
}

/** The source that shows the version is named; else the surest. */
function combineHits(technology: Technology, hits: readonly RuleHit[]): DetectedTechnology {
  const versioned = hits.filter(({ version }) => version !== null && version !== '');
  const best = (versioned.length > 0 ? versioned : hits).reduce((one, other) =>
    isBetterHit(other, one) ? other : one,
  );
  const doubt = [...Map.groupBy(hits, ({ kind, source }) => `${kind} ${source}`).values()].reduce(
    (product, [hit]) => product * (1 - hit!.confidence),
    1,
  );
  return {
    ...technologyFields(technology),
    source: best.source,
    version: versioned.length > 0 ? displayText(best.version!, 40) : null,
    confidence: Math.round((1 - doubt) * 100) / 100,
  };
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
  // The list grows while it is walked: what is implied implies more.
  const queue = [...found];
  for (const { name, confidence } of queue) {
    for (const implied of byName.get(name)?.implies ?? []) {
      if (all.has(implied)) continue;
      const one = {
        ...technologyFields(byName.get(implied)!),
        source: `implied by ${name}`,
        version: null,
        confidence,
      };
      all.set(implied, one);
      queue.push(one);
    }
  }
  return [...all.values()];
}

/** Whether the version is one exact release, so that ranges of versions can be asked for it. */
export function isExactVersion(name: string, version: string | null): version is string {
  const parts = TECHNOLOGY_BY_NAME.get(name)?.versionParts ?? 2;
  return version !== null && version.split('.').length >= parts;
}

/** The first of the technologies that filters requests, surest first; null: none shows. */
export function findWaf(technologies: readonly DetectedTechnology[]): { name: string; evidence: string } | null {
  const waf = technologies.find((one) => one.waf);
  return waf === undefined ? null : { name: waf.name, evidence: waf.source };
}
