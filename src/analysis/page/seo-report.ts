import type { PageFacts } from './page-facts.ts';
import { type ScoringRule, type RuleScore, scoreRules } from './scoring-rule.ts';

export interface SeoReport extends RuleScore {
  title_untrusted: string | null;
  meta_description_untrusted: string | null;
  canonical_url: string | null;
  /** The first. */
  h1_untrusted: string | null;
  h1_count: number;
  h2_count: number;
  h3_count: number;
  images_total: number;
  images_missing_alt: number;
  internal_link_count: number;
  external_link_count: number;
  og_tags: Record<string, string>;
  json_ld_present: boolean;
}

/** Ten rules of ten points. */
const POINTS_PER_RULE = 10;
const MIN_OG_TAGS = 3;

const RULES: readonly ScoringRule<PageFacts>[] = [
  { signal: 'title', points: POINTS_PER_RULE, earnedShare: ({ title }) => Number(title !== null) },
  { signal: 'title_length', points: POINTS_PER_RULE, earnedShare: ({ title }) => lengthShare(title, 30, 60) },
  {
    signal: 'meta_description',
    points: POINTS_PER_RULE,
    earnedShare: (facts) => Number(metaDescription(facts) !== null),
  },
  {
    signal: 'meta_description_length',
    points: POINTS_PER_RULE,
    earnedShare: (facts) => lengthShare(metaDescription(facts), 50, 160),
  },
  { signal: 'single_h1', points: POINTS_PER_RULE, earnedShare: ({ headings }) => Number(headings.h1.count === 1) },
  { signal: 'canonical', points: POINTS_PER_RULE, earnedShare: ({ canonical }) => Number(canonical !== null) },
  {
    signal: 'og_tags',
    points: POINTS_PER_RULE,
    earnedShare: ({ og }) => Number(Object.keys(og).length >= MIN_OG_TAGS),
  },
  { signal: 'json_ld', points: POINTS_PER_RULE, earnedShare: (facts) => Number(hasJsonLd(facts)) },
  { signal: 'image_alt', points: POINTS_PER_RULE, earnedShare: ({ images }) => altTextShare(images) },
  { signal: 'https', points: POINTS_PER_RULE, earnedShare: ({ url }) => Number(url.startsWith('https:')) },
];

/** What search engines look at in a page, and its score of 0-100. */
export function scoreSeo(facts: PageFacts): SeoReport {
  const { headings, images, links } = facts;
  return {
    title_untrusted: facts.title,
    meta_description_untrusted: metaDescription(facts),
    canonical_url: facts.canonical,
    h1_untrusted: headings.h1.texts[0] ?? null,
    h1_count: headings.h1.count,
    h2_count: headings.h2.count,
    h3_count: headings.h3.count,
    images_total: images.total,
    images_missing_alt: images.missing_alt,
    internal_link_count: links.internal,
    external_link_count: links.external,
    og_tags: facts.og,
    json_ld_present: hasJsonLd(facts),
    ...scoreRules(RULES, facts),
  };
}

function metaDescription({ metas }: PageFacts): string | null {
  const description = metas['description'] ?? '';
  return description === '' ? null : description;
}

function hasJsonLd({ json_ld }: PageFacts): boolean {
  return json_ld.blocks > json_ld.invalid;
}

/** Length in characters as a reader counts them. */
function lengthShare(text: string | null, least: number, most: number): number {
  const length = Array.from(text ?? '').length;
  return Number(length >= least && length <= most);
}

/** A page without images leaves none without a text. */
function altTextShare({ total, missing_alt }: PageFacts['images']): number {
  return total === 0 ? 1 : (total - missing_alt) / total;
}
