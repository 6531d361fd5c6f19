import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { LETTER_GRADES } from '../../../analysis/letter-grade.ts';

/** A finding about one response header. */
export const HeaderFinding = z
  .object({
    header: z.string(),
    severity: z.enum(['HIGH', 'MEDIUM', 'LOW', 'INFO']),
    present: z.boolean(),
    valid: z.boolean().meta({ description: 'Browsers do what the value says.' }),
    value: ForeignText.nullable(),
    total_value_length: z.number().int().optional().meta({ description: 'Where `value` is cut at 500 characters.' }),
    issues: z.array(z.string()).meta({ description: 'Stable codes, worst first.' }),
    description: ForeignText,
    remediation: ForeignText,
    reference: z.string(),
  })
  .meta({ id: 'HeaderFinding' });

/** Output fields of a header check, for given or fetched headers. */
export const headerReportFields = {
  score: z.number().int().meta({ description: '0-100: each finding costs 25 (high), 15 (medium) or 10 (low).' }),
  grade: z.enum(LETTER_GRADES),
  findings: z.array(HeaderFinding).meta({ description: 'Worst first.' }),
  headers_present: z.array(z.string()).meta({ description: 'Recommended headers that are sent.' }),
  headers_missing: z.array(z.string()),
};

/** Output fields of every answer about a fetched page. */
const fetchedPageFields = {
  domain: z.string(),
  fetched_url: ForeignText.nullable(),
  status_code: z.number().int().nullable(),
};
const cacheRespectedField = {
  cache_respected: z.boolean().meta({ description: 'The target asked for no caching, and nothing was kept.' }),
};
const ScoreField = z.number().int().min(0).max(100);
const MissingSignalsField = z.array(z.string()).meta({ description: 'Rules that contributed nothing to the score.' });
const UrlListField = z.array(ForeignText);

export const robotsFields = {
  ...fetchedPageFields,
  user_agents: z
    .record(
      ForeignText,
      z.object({ allow: z.array(ForeignText), disallow: z.array(ForeignText), crawl_delay: z.number().nullable() }),
    )
    .nullable()
    .meta({ description: 'null: the file could not be read, which is not "no rules".' }),
  sitemaps: UrlListField.nullable(),
  host: ForeignText.nullable(),
  truncated: z.boolean(),
};

export const brandFields = {
  ...fetchedPageFields,
  favicon_url_untrusted: ForeignText.nullable(),
  og_image_url_untrusted: ForeignText.nullable(),
  theme_color: ForeignText.nullable(),
  site_name_untrusted: ForeignText.nullable(),
  logo_url_untrusted: ForeignText.nullable(),
  ...cacheRespectedField,
};

export const seoFields = {
  ...fetchedPageFields,
  title_untrusted: ForeignText.nullable(),
  meta_description_untrusted: ForeignText.nullable(),
  canonical_url: ForeignText.nullable(),
  h1_untrusted: ForeignText.nullable(),
  h1_count: z.number().int(),
  h2_count: z.number().int(),
  h3_count: z.number().int(),
  images_total: z.number().int(),
  images_missing_alt: z.number().int(),
  internal_link_count: z.number().int(),
  external_link_count: z.number().int(),
  og_tags: z.record(ForeignText, ForeignText),
  json_ld_present: z.boolean(),
  score: ScoreField,
  missing_signals: MissingSignalsField,
  ...cacheRespectedField,
};

export const geoFields = {
  ...fetchedPageFields,
  llms_txt_present: z.boolean().nullable(),
  ai_crawlers_total: z.number().int(),
  ai_crawlers_allowed: z.array(z.string()),
  ai_crawlers_blocked: z.array(z.string()),
  schema_types: z.array(ForeignText),
  client_side_rendered: z.boolean(),
  render_framework: z.string().nullable(),
  has_canonical: z.boolean(),
  og_tag_count: z.number().int(),
  sitemap_count: z.number().int(),
  h1_count: z.number().int(),
  h2_count: z.number().int(),
  comparison_content: z.boolean(),
  score: ScoreField,
  missing_signals: MissingSignalsField,
  ...cacheRespectedField,
};
