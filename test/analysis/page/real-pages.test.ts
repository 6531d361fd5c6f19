import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { extractBrand } from '../../../src/analysis/page/site-brand.ts';
import { scoreGeo } from '../../../src/analysis/page/geo-report.ts';
import { readPage } from '../../../src/analysis/page/read-page.ts';
import { scoreSeo } from '../../../src/analysis/page/seo-report.ts';
import { sharedPath } from '../../support/shared.ts';

const skip = sharedPath('feeds', 'html') === null && 'no feeds';

interface Expected {
  page: string;
  url: string;
  title: string;
  /** Characters of the description; 0: none. */
  description: number;
  canonical: string | null;
  headings: [h1: number, h2: number, h3: number];
  images: [total: number, withoutAlt: number];
  og: number;
  seo: number;
  missing: string;
  /** Without llms.txt and robots.txt: 25 for crawlers and 15 for server-side rendering at least. */
  geo: number;
  types: string[];
  brand?: Partial<ReturnType<typeof extractBrand>>;
}

/**
 * Read from the pages by hand, headings and images inside of `<noscript>` left out; the scores are worked out from the rules of
 * the specification, as if each page had come over HTTPS.
 */
const PAGES: readonly Expected[] = [
  {
    page: 'home-hackernews-2019',
    url: 'https://news.ycombinator.com/',
    title: 'Hacker News',
    description: 0,
    canonical: null,
    headings: [0, 0, 0],
    images: [2, 2],
    og: 0,
    seo: 20, // title, HTTPS
    missing: 'title_length meta_description meta_description_length single_h1 canonical og_tags json_ld image_alt',
    geo: 40,
    types: [],
    brand: { favicon_url_untrusted: 'https://news.ycombinator.com/favicon.ico', site_name_untrusted: null },
  },
  {
    page: 'home-codinghorror-2019',
    url: 'https://blog.codinghorror.com/',
    title: 'Coding Horror',
    description: 54,
    canonical: null,
    headings: [1, 6, 5],
    images: [46, 0],
    og: 0,
    seo: 60,
    missing: 'title_length canonical og_tags json_ld',
    geo: 50, // 40 and headings 10
    types: [],
  },
  {
    page: 'home-bluecadet.com-wordpress',
    url: 'https://www.bluecadet.com/',
    title: 'Homepage - Bluecadet',
    description: 0,
    canonical: 'https://www.bluecadet.com/',
    headings: [1, 5, 10],
    images: [7, 0],
    og: 5,
    seo: 70,
    missing: 'title_length meta_description meta_description_length',
    geo: 77, // 40, types 20, two of three signs 6.67, headings 10
    types: ['WebSite', 'WebPage', 'SearchAction', 'ReadAction'],
    brand: { theme_color: '#f7f9fc', site_name_untrusted: 'Bluecadet' },
  },
  {
    page: 'home-kikobeats.com-jekyll',
    url: 'https://kikobeats.com/',
    title:
      'Kikobeats | A millennial doing stuff on internet that ships software every day and builds digital products.',
    description: 95,
    canonical: null,
    headings: [1, 15, 2],
    images: [1, 1],
    og: 5,
    seo: 70,
    missing: 'title_length canonical image_alt',
    geo: 73, // 40, types 20, one of three signs 3.33, headings 10
    types: ['WebSite', 'Person', 'Organization', 'ImageObject'],
    brand: { favicon_url_untrusted: 'https://kikobeats.com/favicon.ico', site_name_untrusted: 'Kikobeats' },
  },
  {
    page: 'page-segment',
    url: 'https://segment.com/blog/scaling-nsq/',
    title: 'Scaling NSQ to 750 Billion Messages',
    description: 128,
    canonical: null,
    headings: [1, 9, 0],
    images: [9, 5],
    og: 5,
    seo: 74, // 70 and 4 of 9 images
    missing: 'canonical json_ld',
    geo: 53,
    types: [],
    brand: { site_name_untrusted: 'Segment Blog' },
  },
  {
    page: 'page-teslahunt',
    url: 'https://teslahunt.io/5YJSA7E49JF269238',
    title: 'Tesla Model S P100D 2018 | Tesla Hunt',
    description: 83,
    canonical: 'https://teslahunt.io/5YJSA7E49JF269238',
    headings: [0, 0, 0],
    images: [65, 64],
    og: 7,
    seo: 80, // 80 and 1 of 65 images
    missing: 'single_h1',
    geo: 67, // 40, types 20, two of three signs 6.67
    types: [
      'Organization',
      'BreadcrumbList',
      'ListItem',
      'Car',
      'QuantitativeValue',
      'Brand',
      'Offer',
      'EngineSpecification',
    ],
    brand: {
      og_image_url_untrusted: 'https://cdn.teslahunt.io/AOb-KjXXb3dlmbqpGeNm1.jpeg',
      site_name_untrusted: 'Tesla Hunt',
    },
  },
  {
    page: 'page-topicseed-gatsby',
    url: 'https://topicseed.com/blog/content-depth-for-seo',
    title: 'Content Depth — Write Comprehensively About Your Core Topics | topicseed',
    description: 226,
    canonical: 'https://topicseed.com/blog/content-depth-for-seo',
    headings: [2, 5, 0],
    images: [2, 0],
    og: 8,
    seo: 60,
    missing: 'title_length meta_description_length single_h1 json_ld',
    geo: 52, // 40, two of three signs 6.67, sections without one main heading 5
    types: [],
    brand: {
      favicon_url_untrusted: 'https://topicseed.com/icons-5f7390f8df97283d5b517dead9b4a9d5/favicon-32x32.png',
      theme_color: '#fff',
      site_name_untrusted: 'topicseed',
    },
  },
  {
    page: 'home-cnn-2014',
    url: 'https://edition.cnn.com/',
    title: 'CNN.com International - Breaking, World, Business, Sports, Entertainment and Video News',
    description: 279,
    canonical: 'http://edition.cnn.com/',
    headings: [1, 6, 2],
    images: [119, 16],
    og: 0,
    seo: 59, // 50 and 103 of 119 images: 8.66
    missing: 'title_length meta_description_length og_tags json_ld',
    geo: 53,
    types: [],
    brand: { site_name_untrusted: 'CNN.com International' },
  },
  {
    page: 'home-google-2014',
    url: 'https://www.google.com/',
    title: 'Google',
    description: 159,
    canonical: null,
    headings: [0, 0, 0],
    images: [1, 0],
    og: 0,
    seo: 50,
    missing: 'title_length single_h1 canonical og_tags json_ld',
    geo: 60, // 40, types 20
    types: ['WebPage'],
  },
  {
    page: 'home-newyorktimes-2014',
    url: 'https://www.nytimes.com/',
    title: 'The New York Times - Breaking News, World News & Multimedia',
    description: 163,
    canonical: null,
    headings: [0, 2, 7],
    images: [74, 40],
    og: 0,
    seo: 45, // 40 and 34 of 74 images: 4.59
    missing: 'meta_description_length single_h1 canonical og_tags json_ld',
    geo: 45,
    types: [],
    brand: {
      favicon_url_untrusted: 'http://css.nyt.com/images/icons/nyt.ico',
      site_name_untrusted: 'The New York Times',
    },
  },
  {
    page: 'home-chowhanandsons.com-wordpress',
    url: 'https://www.chowhanandsons.com/',
    title: 'Call Now: 9029469931 | Complete Waterproofing Solution in Mumbai | Chowhan and Sons',
    description: 191,
    canonical: 'https://www.chowhanandsons.com/',
    headings: [3, 13, 14],
    images: [19, 0],
    og: 6,
    seo: 70,
    missing: 'title_length meta_description_length single_h1',
    geo: 72, // 40, types 20, two of three signs 6.67, sections 5
    types: [
      'WebPage',
      'ReadAction',
      'BreadcrumbList',
      'ListItem',
      'WebSite',
      'SearchAction',
      'EntryPoint',
      'PropertyValueSpecification',
    ],
    brand: { favicon_url_untrusted: 'https://www.chowhanandsons.com/wp-content/uploads/2024/06/fevicon.png' },
  },
];

describe('real pages, read by hand', { skip }, () => {
  for (const expected of skip ? [] : PAGES) {
    test(expected.page, () => {
      const bytes = readFileSync(sharedPath('feeds', 'html', `${expected.page}.html`)!);
      const facts = readPage({ bytes, url: expected.url, contentType: null, truncated: false });
      const seo = scoreSeo(facts);
      const geo = scoreGeo(facts, { llmsTxt: false, robots: null });
      assert.deepEqual(
        {
          title: seo.title_untrusted,
          description: Array.from(seo.meta_description_untrusted ?? '').length,
          canonical: seo.canonical_url,
          headings: [seo.h1_count, seo.h2_count, seo.h3_count],
          images: [seo.images_total, seo.images_missing_alt],
          og: Object.keys(seo.og_tags).length,
          seo: seo.score,
          missing: seo.missing_signals.join(' '),
          geo: geo.score,
          types: geo.schema_types.toSorted(),
          rendered: geo.client_side_rendered,
        },
        {
          title: expected.title,
          description: expected.description,
          canonical: expected.canonical,
          headings: expected.headings,
          images: expected.images,
          og: expected.og,
          seo: expected.seo,
          missing: expected.missing,
          geo: expected.geo,
          types: expected.types.toSorted(),
          rendered: false,
        },
      );
      assert.deepEqual({ ...extractBrand(facts), ...expected.brand }, extractBrand(facts));
    });
  }

  test('frameworks that pages say they were made with', () => {
    const framework = (page: string): string | null => {
      const bytes = readFileSync(sharedPath('feeds', 'html', `${page}.html`)!);
      const facts = readPage({ bytes, url: 'https://example.com/', contentType: null, truncated: false });
      return scoreGeo(facts, { llmsTxt: null, robots: null }).render_framework;
    };
    assert.equal(framework('page-topicseed-gatsby'), 'Gatsby');
    assert.equal(framework('page-teslahunt'), 'Next.js');
    assert.equal(framework('home-provok.in'), 'AngularJS');
    assert.equal(framework('home-hackernews-2019'), null);
  });
});
