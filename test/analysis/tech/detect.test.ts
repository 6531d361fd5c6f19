import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type DetectedTechnology,
  detectTechnologies,
  isExactVersion,
  findWaf,
} from '../../../src/analysis/tech/detect-technologies.ts';
import { parseLibraryFile } from '../../../src/analysis/tech/library-file.ts';
import type { SiteFacts } from '../../../src/analysis/tech/url-signals.ts';
import { siteOf } from './site-with.ts';

const NOTHING: SiteFacts = { headers: {}, cookies: [], page: null, dns: null };
const NO_DNS = { ns: [], mx: [], txt: [], cname: [] };

const byName = (found: readonly DetectedTechnology[]) => new Map(found.map((one) => [one.name, one]));
const namesOf = (found: readonly DetectedTechnology[]): string[] => found.map(({ name }) => name).toSorted();

describe('what is concluded', () => {
  test('nothing shows, nothing is said', () => {
    assert.deepEqual(detectTechnologies(NOTHING), []);
    assert.deepEqual(detectTechnologies(siteOf('<h1>Plain</h1>')), []);
  });

  test('the sign that shows the version is named, and several signs make surer', () => {
    const found = byName(
      detectTechnologies({
        ...siteOf('<script src="/wp-includes/js/wp-embed.min.js?ver=6.1"></script>'),
        headers: { link: ['<https://x.example/wp-json/>; rel="https://api.w.org/"'] },
      }),
    );
    const wordpress = found.get('WordPress')!;
    assert.deepEqual([wordpress.version, wordpress.source, wordpress.confidence], ['6.1', 'script', 1]);
    assert.deepEqual(wordpress.cpe, { vendor: 'wordpress', product: 'wordpress' });
    assert.equal(found.get('PHP')!.source, 'implied by WordPress');
  });

  test('a weak sign alone says nothing', () => {
    assert.deepEqual(detectTechnologies(siteOf('<div data-controller="menu"></div>')), []);
    const both = siteOf('<div data-controller="menu"></div><script src="/stimulus.js"></script>');
    assert.equal(byName(detectTechnologies(both)).get('Stimulus')!.confidence, 0.94);
  });

  test('what a service serves from a CDN is not the CDN of the site', () => {
    const page = siteOf('<script src="https://d2dq2ahtl5zl1z.cloudfront.net/analytics.js/v1/a.min.js"></script>');
    assert.deepEqual(namesOf(detectTechnologies(page)), ['Segment']);
  });

  test('what only stands in data or in prose is no sign', () => {
    const page = siteOf(`<p>We compared js.stripe.com, &lt;script src="https://js.stripe.com/v3/"&gt; and fbq().</p>
      <a href="https://js.stripe.com/v3/">Stripe</a>
      <script type="application/json">{"url":"https://widget.intercom.io/widget/x","fbq":1}</script>
      <script type="text/template"><script src="https://cdn.segment.com/x.js"></script>`);
    assert.deepEqual(detectTechnologies(page), []);
  });

  test('scripts that write the scheme themselves, escaped addresses, and scripts that wait for consent', () => {
    const page =
      siteOf(`<script>var u = ("https:" == p ? "https://" : "http://") + "cdn.segment.com/analytics.js/v1/";</script>
      <script>{"loader":"https:\\/\\/static.hotjar.com\\/c\\/hotjar-1.js"}</script>
      <script type="text/plain">s.src = "//widget.intercom.io/widget/abc"</script>`);
    assert.deepEqual(namesOf(detectTechnologies(page)), ['Hotjar', 'Intercom', 'Segment']);
  });

  test('strings of third parties are cleaned and cut', () => {
    const hostile = `nginx/1.2.3\u202E\u0000${'9'.repeat(5000)}`;
    const [nginx] = detectTechnologies({ ...NOTHING, headers: { server: ['nginx/1.2.3\u202E'] } });
    assert.equal(nginx, undefined, 'nginx writes no such thing');
    for (const one of detectTechnologies({
      ...NOTHING,
      headers: { server: [hostile, `Apache/${'1.'.repeat(2000)}`], 'x-powered-by': [hostile] },
      cookies: [`BIGipServer${'x'.repeat(5000)}\u202E`],
    })) {
      assert.ok(one.source.length <= 100 && (one.version ?? '').length <= 40);
      assert.doesNotMatch(one.source, /\u202E/);
    }
  });
});

describe('DNS', () => {
  test('name servers, mail, verification and SPF, each by its own rules', () => {
    const found = byName(
      detectTechnologies({
        ...NOTHING,
        dns: {
          ns: ['ns-421.awsdns-52.com', 'ns-1707.awsdns-21.co.uk'],
          mx: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
          txt: [
            'google-site-verification=abc',
            'v=spf1 include:_spf.google.com include:sendgrid.net ~all',
            'MS=ms12345678',
          ],
          cname: ['d111111abcdef8.cloudfront.net'],
        },
      }),
    );
    assert.deepEqual([...found].map(([name, { source }]) => `${name}: ${source}`).toSorted(), [
      'Amazon CloudFront: dns: cname',
      'Amazon Route 53: dns: ns',
      'Amazon Web Services: implied by Amazon CloudFront',
      'Google Search Console: dns: txt',
      'Google Workspace: dns: mx',
      'Microsoft 365 domain: dns: txt',
      'Twilio SendGrid: dns: spf',
    ]);
  });

  test('names that only look like it are not taken', () => {
    const dns = {
      ...NO_DNS,
      ns: ['cloudflare.com.example', 'notns.cloudflare.com.example'],
      mx: ['aspmx-l-google.com'],
      txt: [
        'seen: google-site-verification=abc',
        'v=spf10 include:sendgrid.net',
        'v=spf1 include:sendgrid.net.example',
      ],
    };
    assert.deepEqual(detectTechnologies({ ...NOTHING, dns }), []);
  });
});

describe('web application firewalls', () => {
  for (const [name, facts, evidence] of [
    ['Cloudflare', { headers: { server: ['cloudflare'], 'cf-ray': ['8a-FRA'] } }, 'header: server'],
    ['Imperva', { cookies: ['incap_ses_123_456'] }, 'cookie: incap_ses_123_456'],
    ['Sucuri', { headers: { 'x-sucuri-id': ['11005'] } }, 'header: x-sucuri-id'],
    ['AWS WAF', { cookies: ['aws-waf-token'] }, 'cookie: aws-waf-token'],
  ] as const) {
    test(name, () => assert.deepEqual(findWaf(detectTechnologies({ ...NOTHING, ...facts })), { name, evidence }));
  }

  test('none where nothing filters', () => {
    assert.equal(findWaf(detectTechnologies({ ...NOTHING, headers: { server: ['nginx/1.25.3'] } })), null);
  });
});

describe('the library of an address', () => {
  for (const [address, name, version] of [
    ['https://code.jquery.com/jquery-3.5.1.slim.min.js', 'jquery', '3.5.1'],
    ['https://ajax.googleapis.com/ajax/libs/jqueryui/1.12.1/jquery-ui.min.js', 'jquery-ui', '1.12.1'],
    ['https://cdn.jsdelivr.net/npm/vue@3.2.47/dist/vue.global.prod.js', 'vue', '3.2.47'],
    ['https://cdn.jsdelivr.net/npm/vue@3', 'vue', null],
    ['https://unpkg.com/react-dom@18.2.0/umd/react-dom.production.min.js', 'react-dom', '18.2.0'],
    ['https://a.example/bootstrap/3.3.7/js/bootstrap.min.js', 'bootstrap', '3.3.7'],
    ['https://a.example/js/jquery-ui-1.10.4.custom.min.js', 'jquery-ui', '1.10.4'],
    ['https://a.example/js/jquery-ui.custom.js', 'jquery-ui', null],
    // The folder is the version of the site, the query that of a theme.
    ['https://a.example/site/5.2.1/js/bootstrap.min.js', 'bootstrap', null],
    ['https://a.example/wp-content/themes/x/js/anime.min.js?ver=4.5.1', 'anime', null],
    ['https://a.example/wp-includes/js/jquery/jquery.min.js?ver=1.12.4-wp', 'jquery', '1.12.4'],
    ['https://a.example/misc/jquery.js?v=1.4.4', 'jquery', '1.4.4'],
    ['https://a.example/js/jquery.0f3a9b2c.js', 'jquery', null],
    ['https://a.example/js/jquery-migrate-3.4.1.min.js', 'jquery-migrate', '3.4.1'],
    ['https://a.example/js/bootstrap.bundle-5.0.0-beta1.min.js', 'bootstrap', '5.0.0-beta1'],
  ] as const) {
    test(address, () =>
      assert.deepEqual(parseLibraryFile(new URL(address), 'script'), { kind: 'script', name, version }),
    );
  }

  test('what is neither script nor style sheet has none', () => {
    assert.equal(parseLibraryFile(new URL('https://a.example/jquery@3.5.1/readme'), 'script'), null);
  });
});

test('a version is exact where it has the numbers that releases of the product have', () => {
  for (const [name, version, exact] of [
    ['Apache HTTP Server', '2.4', false],
    ['Apache HTTP Server', '2.4.57', true],
    ['WordPress', '6.4', true],
    ['Drupal', '7', false],
    ['jQuery', null, false],
  ] as const) {
    assert.equal(isExactVersion(name, version), exact, `${name} ${version}`);
  }
});

test('versions with what stands behind their numbers', () => {
  for (const [headers, generator, name, version] of [
    [{ server: ['Apache/2.4.6 (CentOS) OpenSSL/1.0.2zd-fips PHP/5.4.16'] }, null, 'OpenSSL', '1.0.2zd'],
    [{ server: ['Apache/2.4.6 (CentOS) OpenSSL/1.0.2k-fips PHP/5.4.16'] }, null, 'OpenSSL', '1.0.2k'],
    [{}, 'MediaWiki 1.43.0-wmf.23', 'MediaWiki', '1.43.0-wmf.23'],
    [{}, 'MediaWiki 1.39.5', 'MediaWiki', '1.39.5'],
  ] as const) {
    const page = generator === null ? null : siteOf(`<meta name=generator content="${generator}">`).page;
    const found = detectTechnologies({ ...NOTHING, headers, page });
    assert.equal(found.find((one) => one.name === name)?.version, version);
  }
});

test('an address at a CDN in a script, of somebody else, does not make the site one of that CDN', () => {
  const other = '<script>show("//d111111abcdef8.cloudfront.net/photo.jpg")</script>';
  const names = (headers: Record<string, string[]>) =>
    detectTechnologies({ ...siteOf(other), headers }).map(({ name }) => name);
  assert.ok(!names({}).includes('Amazon CloudFront'));
  assert.ok(names({ 'x-amz-cf-id': ['1'] }).includes('Amazon CloudFront'));
});

describe('first and third party', () => {
  const parties = (html: string): Record<string, string> =>
    Object.fromEntries(detectTechnologies(siteOf(html)).map(({ name, party }) => [name, party]));
  test('the CDN in front of a foreign image is not that of the site', () => {
    const found = parties(
      '<img src="https://d1234.cloudfront.net/badge.png"><script src="https://a.b-cdn.net/a.js"></script>',
    );
    assert.deepEqual(
      Object.values(found).filter((party) => party === 'first'),
      [],
    );
  });
  test('an image of a shop elsewhere does not make a shop of this site', () => {
    const found = parties('<img src="https://cdn.shopify.com/s/files/1/0604/products/lamp.jpg">');
    assert.equal(found['Shopify'] ?? 'third', 'third');
  });
  test('a service that is taken in, and a host of libraries, are of the site', () => {
    const found = parties(
      '<script src="https://js.stripe.com/v3/"></script><script src="https://cdn.jsdelivr.net/npm/vue@3.4.0/dist/vue.global.js"></script>',
    );
    assert.deepEqual([found['Stripe'], found['jsDelivr'], found['Vue.js']], ['first', 'first', 'first']);
  });
  test('what a header says is of the site, whatever else is seen', () => {
    const site = siteOf('<img src="https://d1234.cloudfront.net/badge.png">');
    const found = detectTechnologies({ ...site, headers: { 'x-amz-cf-id': ['1a2b'] } });
    assert.equal(found.find(({ name }) => name === 'Amazon CloudFront')?.party, 'first');
  });
});

test('what a page says of its making, across links', () => {
  const found = detectTechnologies(
    siteOf('<footer>Powered by <a href="https://about.gitea.com">Gitea</a> Version: <a>1.21.7</a></footer>'),
  );
  assert.equal(found.find(({ name }) => name === 'Gitea')?.version, '1.21.7');
});
