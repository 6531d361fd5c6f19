import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPage } from '../../../src/analysis/page/read-page.ts';
import { type DetectedTechnology, detectTechnologies } from '../../../src/analysis/tech/detect-technologies.ts';
import { sharedPath } from '../../support/shared.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const folder = sharedPath('feeds', 'html');
const skip = folder === null && 'no feeds';

/**
 * What each page is made with, read from its markup by hand; `name version` where the page shows one. Without HTTP headers, so
 * servers are not among them. What stands behind `-` is there, but our rules are not meant to see it.
 */
const PAGES: Readonly<Record<string, string>> = {
  'home-amazon-2014': '',
  'home-bbc-2019':
    'React, RequireJS, Chartbeat, Google Publisher Tag, Effective Measure, Lotame, Nielsen Online, Optimizely',
  'home-bing-2019': '',
  'home-bluecadet.com-wordpress':
    'WordPress 5.6, PHP, Yoast SEO 15.5, Contact Form 7 5.3.2, Conditional Fields for Contact Form 7 1.9.14, Redirection for Contact Form 7, jQuery 3.5.1, jQuery Migrate 3.3.2, jQuery UI 1.12.1, Mailchimp, New Relic, Google Analytics, Adobe Fonts, Vimeo',
  'home-bootstrap-2014':
    'Bootstrap, jQuery 1.11.3, Google Hosted Libraries, Carbon Ads, Gauges, Google Analytics, Cloudflare, Cloudflare Email Obfuscation, - html5shiv, - Respond',
  'home-chowhanandsons.com-wordpress':
    'WordPress 6.8.3, PHP, Yoast SEO 23.6, Slider Revolution 6.7.12, WPBakery Page Builder, Contact Form 7 5.9.8, Click to Chat 4.7, Call Now Button 1.4.16, Salient, reCAPTCHA, Google Analytics, Google Fonts, Font Awesome, jQuery 3.7.1, jQuery Migrate 3.4.1, jQuery Easing, jQuery Mousewheel, jQuery Transit, core-js, Anime.js, Fancybox, Flickity, Superfish, TouchSwipe, Waypoints, hoverIntent, imagesLoaded',
  'home-cnn-2014': 'Optimizely, Facebook SDK, X Widgets, Visual Revenue',
  'home-codinghorror-2019':
    'Ghost, Node.js, jQuery 2.2.3, jQuery CDN, Google Fonts, X Widgets, comScore, Carbon Ads, YouTube, Google Programmable Search',
  'home-google-2014': '',
  'home-hackernews-2019': '',
  'home-hillcrestpartyrentals': '',
  'home-kikobeats.com-jekyll':
    'Jekyll 3.8.5, Cloudflare, Cloudflare Email Obfuscation, Google Analytics, jsDelivr, AnchorJS, vanilla-tilt.js 1.4.1, Netlify',
  'home-learnnode.com':
    'jQuery, Sentry, X Widgets, X Ads, Stripe, Google Analytics, BootstrapCDN, Font Awesome 4.6.0, Cloudflare, Cloudflare Email Obfuscation, animate.css, Drip, - Vimeo, - Backblaze B2',
  'home-msn-2014': 'comScore, Adobe Analytics, - jQuery',
  'home-nbc-2014':
    'Drupal 7.23, PHP, Gigya, jQuery 1.7.1, jQuery Cookie, jQuery Easing 1.3, jQuery Form 2.69, jQuery Once 1.2, jQuery Templates, jQuery dotdotdot, Colorbox, Masonry, Modernizr, iosSlider, jsUri 1.1.1, jstz, Facebook SDK, Google Floodlight, Google Hosted Libraries, New Relic, Adobe Analytics',
  'home-newyorktimes-2014': 'Atlas, Integral Ad Science, Moat, Salesforce DMP, - jQuery, - Adobe Fonts',
  'home-provok.in': 'AngularJS, Google Fonts',
  'home-stackoverflow-2014': 'jQuery 1.7.1, Google Hosted Libraries, Google Analytics, Quantcast, comScore',
  'home-stackoverflow-2019': 'jQuery 1.12.4, Google Hosted Libraries, Google Analytics, Quantcast, comScore',
  'home-uk.yahoo.com-2014': 'YUI 3.8.3, comScore',
  'home-yahoo-jp': '',
  'page-audiense-hubspot':
    'HubSpot CMS, HubSpot, HubSpot Consent Banner, Google Tag Manager, Google Analytics, Google Ads, Google Floodlight, Google Fonts, reCAPTCHA, Facebook SDK, X Widgets, LinkedIn Insight Tag, LinkedIn Plugins, Meta Pixel, jQuery 1.7.1, lazysizes',
  'page-epicentrk.ua-shop': 'Bitrix, PHP, Bitrix24, Google Tag Manager, Foundation, Multisearch, RTB House, Softcube',
  'page-nielslubberman-drupal7':
    'Drupal 7, PHP, jQuery 1.4.4, jQuery Once 1.2, jQuery LocalScroll 1.2.7, jQuery Parallax 1.1.3, jQuery scrollTo 1.4.2, Colorbox, Google Analytics',
  'page-segment': 'Optimizely, X Widgets, Giphy, Rackspace Cloud Files, Segment, Mailchimp',
  'page-teslahunt':
    'Next.js, Node.js, React, webpack, styled-components 5.2.1, Emotion, React Image Gallery, React Tabs, Crisp, Google Fonts, images.weserv.nl',
  'page-topicseed-gatsby': 'Gatsby 2.22.9, React, React Helmet, webpack, Google Fonts',
};

test('of 27 real pages nothing is said that is not so', { skip }, (t) => {
  const files = readdirSync(folder!).map((file) => file.replace(/\.html$/, ''));
  assert.deepEqual(Object.keys(PAGES).toSorted(), files.toSorted());
  const wrong: string[] = [];
  const missed: string[] = [];
  let right = 0;
  for (const [page, text] of Object.entries(PAGES)) {
    const labels = readLabels(text);
    const found = detected(page);
    for (const { name, version, source } of found) {
      if (!labels.has(name)) wrong.push(`${page}: ${name} (${source})`);
      else if (version !== null && version !== labels.get(name) && labels.get(name) !== null)
        wrong.push(`${page}: ${name} ${version}, it is ${labels.get(name)}`);
      else right++;
    }
    const names = new Set(found.map(({ name }) => name));
    missed.push(...[...labels.keys()].filter((name) => !names.has(name)).map((name) => `${page}: ${name}`));
  }
  const recall = right / (right + missed.length);
  t.diagnostic(`${right} right, ${wrong.length} wrong, recall ${recall.toFixed(3)}; missed: ${missed.join(', ')}`);
  assert.deepEqual(wrong, []);
  assert.ok(recall >= 0.9, `recall ${recall}`);
});

test('versions that the pages show are read', { skip }, () => {
  for (const [page, text] of Object.entries(PAGES)) {
    const versions = new Map(detected(page).map(({ name, version }) => [name, version]));
    for (const [name, version] of readLabels(text)) {
      if (version !== null) assert.equal(versions.get(name), version, `${page}: ${name}`);
    }
  }
});

test('a page is judged in less than 50 ms of processor time', { skip }, (t) => {
  const pages = Object.keys(PAGES).map(facts);
  for (const one of pages) detectTechnologies(one);
  const started = cpuMs();
  for (const one of pages) detectTechnologies(one);
  const each = (cpuMs() - started) / pages.length;
  t.diagnostic(`${each.toFixed(2)} ms a page`);
  assert.ok(each < 50, `${each} ms`);
});

/** Name to version. */
function readLabels(text: string): Map<string, string | null> {
  const labels = text === '' ? [] : text.split(', ').map((label) => label.replace(/^- /, ''));
  return new Map(
    labels.map((label) => {
      const [, name, version] = /^(.+?)(?: (\d+(?:\.\d+)+|(?<=Drupal )7))?$/.exec(label)!;
      return [name!, version ?? null];
    }),
  );
}

function facts(page: string) {
  const bytes = readFileSync(join(folder!, `${page}.html`));
  const url = 'https://www.example.com/';
  return {
    headers: {},
    cookies: [],
    page: readPage({ bytes, url, contentType: null, truncated: false }),
    dns: null,
  };
}

function detected(page: string): DetectedTechnology[] {
  return detectTechnologies(facts(page));
}
