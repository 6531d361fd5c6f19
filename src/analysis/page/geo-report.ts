import type { Robots } from '../robots/read-robots.ts';
import { type AiCrawlerAccess, aiCrawlerAccess } from './ai-crawlers.ts';
import type { PageFacts } from './page-facts.ts';
import { type RenderingFacts, detectRendering } from './detect-rendering.ts';
import { type ScoringRule, type RuleScore, scoreRules } from './scoring-rule.ts';

/** What a site offers to machines besides its page. */
export interface SiteMachineFiles {
  /** `/llms.txt` is there; null where that could not be found out. */
  llmsTxt: boolean | null;
  /** Null: the site has none. */
  robots: Robots | null;
}

export interface GeoReport extends RuleScore, AiCrawlerAccess, RenderingFacts {
  llms_txt_present: boolean | null;
  schema_types: string[];
  has_canonical: boolean;
  og_tag_count: number;
  sitemap_count: number;
  h1_count: number;
  h2_count: number;
  comparison_content: boolean;
}

type GeoFacts = Omit<GeoReport, keyof RuleScore>;

const RULES: readonly ScoringRule<GeoFacts>[] = [
  { signal: 'llms_txt', points: 15, earnedShare: ({ llms_txt_present }) => Number(llms_txt_present === true) },
  {
    signal: 'ai_crawler_access',
    points: 25,
    earnedShare: (facts) => facts.ai_crawlers_allowed.length / facts.ai_crawlers_total,
  },
  { signal: 'schema_types', points: 20, earnedShare: ({ schema_types }) => Number(schema_types.length > 0) },
  {
    signal: 'server_side_rendering',
    points: 15,
    earnedShare: ({ client_side_rendered }) => Number(!client_side_rendered),
  },
  // 10 points over three signs: that much of them as there are.
  { signal: 'og_canonical_sitemap', points: 10, earnedShare: (facts) => countDiscoverySignals(facts) / 3 },
  // One main heading, and sections below it.
  {
    signal: 'semantic_headings',
    points: 10,
    earnedShare: ({ h1_count, h2_count }) => (Number(h1_count === 1) + Number(h2_count > 0)) / 2,
  },
  { signal: 'comparison_content', points: 5, earnedShare: ({ comparison_content }) => Number(comparison_content) },
];

/** How well a site can be read by generative engines: structure alone, 0-100. */
export function scoreGeo(page: PageFacts, { llmsTxt, robots }: SiteMachineFiles): GeoReport {
  const facts: GeoFacts = {
    llms_txt_present: llmsTxt,
    ...aiCrawlerAccess(robots, pathAndQuery(page.url)),
    schema_types: page.schema_types,
    ...detectRendering(page),
    has_canonical: page.canonical !== null,
    og_tag_count: Object.keys(page.og).length,
    sitemap_count: robots?.sitemaps.length ?? 0,
    h1_count: page.headings.h1.count,
    h2_count: page.headings.h2.count,
    comparison_content: comparesProducts(page),
  };
  return { ...facts, ...scoreRules(RULES, facts) };
}

function countDiscoverySignals({ og_tag_count, has_canonical, sitemap_count }: GeoFacts): number {
  return Number(og_tag_count > 0) + Number(has_canonical) + Number(sitemap_count > 0);
}

function pathAndQuery(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const COMPARISON_WORDS = /\b(?:vs\.?|versus|compare|compared|comparison|alternatives? to)\b/i;

/** The title, a heading or an own link announces a comparison. */
function comparesProducts({ title, headings, links }: PageFacts): boolean {
  const texts = [title ?? '', ...headings.h1.texts, ...headings.h2.texts, ...headings.h3.texts];
  return links.comparing || texts.some((text) => COMPARISON_WORDS.test(text));
}
