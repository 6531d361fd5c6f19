import type { PageFacts } from './page-facts.ts';
import { type Rule, type ScoredRules, scoreRules } from './score.ts';

export interface Seo extends ScoredRules {
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
const EACH = 10;
const OG_TAGS = 3;

const RULES: readonly Rule<PageFacts>[] = [
  { signal: 'title', points: EACH, share: ({ title }) => Number(title !== null) },
  { signal: 'title_length', points: EACH, share: ({ title }) => within(title, 30, 60) },
  { signal: 'meta_description', points: EACH, share: (facts) => Number(descriptionOf(facts) !== null) },
  { signal: 'meta_description_length', points: EACH, share: (facts) => within(descriptionOf(facts), 50, 160) },
  { signal: 'single_h1', points: EACH, share: ({ headings }) => Number(headings.h1.count === 1) },
  { signal: 'canonical', points: EACH, share: ({ canonical }) => Number(canonical !== null) },
  { signal: 'og_tags', points: EACH, share: ({ og }) => Number(Object.keys(og).length >= OG_TAGS) },
  { signal: 'json_ld', points: EACH, share: (facts) => Number(hasJsonLd(facts)) },
  { signal: 'image_alt', points: EACH, share: ({ images }) => altCoverage(images) },
  { signal: 'https', points: EACH, share: ({ url }) => Number(url.startsWith('https:')) },
];

/** What search engines look at in a page, and its score of 0-100. */
export function seoOf(facts: PageFacts): Seo {
  const { headings, images, links } = facts;
  return {
    title_untrusted: facts.title,
    meta_description_untrusted: descriptionOf(facts),
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

function descriptionOf({ metas }: PageFacts): string | null {
  const description = metas['description'] ?? '';
  return description === '' ? null : description;
}

function hasJsonLd({ json_ld }: PageFacts): boolean {
  return json_ld.blocks > json_ld.invalid;
}

/** Length in characters as a reader counts them. */
function within(text: string | null, least: number, most: number): number {
  const length = Array.from(text ?? '').length;
  return Number(length >= least && length <= most);
}

/** A page without images leaves none without a text. */
function altCoverage({ total, missing_alt }: PageFacts['images']): number {
  return total === 0 ? 1 : (total - missing_alt) / total;
}
