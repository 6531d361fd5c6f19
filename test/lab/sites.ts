/** The web sites of the lab, as people would run them. The evil ones stand in `evil-web.ts`. */

import { intermediateDer, TLS_PLANS } from './certificates.ts';
import { html, redirect, type Site, text } from './site.ts';

const KEPT_HEAD = `
<title>Kept: how a web site is looked after</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Kept is a small publisher of checklists for people who look after web sites: headers, mail records, certificates and backups, explained step by step.">
<meta name="author" content="Ada Keeper">
<link rel="canonical" href="https://www.kept.lab/">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="alternate" hreflang="de" href="https://www.kept.lab/de">
<link rel="alternate" hreflang="en" href="https://www.kept.lab/">
<meta property="og:title" content="Kept: how a web site is looked after">
<meta property="og:description" content="Checklists for people who look after web sites.">
<meta property="og:image" content="https://www.kept.lab/cover.png">
<meta property="og:url" content="https://www.kept.lab/">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Kept">
<meta name="twitter:card" content="summary_large_image">
<meta name="theme-color" content="#1d4e89">
<script type="application/ld+json" nonce="bGFiLW5vbmNlLTAwMDE=">
{"@context":"https://schema.org","@graph":[
 {"@type":"Organization","name":"Kept","url":"https://www.kept.lab/","logo":"https://www.kept.lab/logo.png","sameAs":["https://social.lab/@kept"]},
 {"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"How often should headers be checked?","acceptedAnswer":{"@type":"Answer","text":"After every release, and once a month."}}]},
 {"@type":"Article","headline":"How a web site is looked after","datePublished":"2026-01-05","dateModified":"2026-02-01","author":{"@type":"Person","name":"Ada Keeper"}}]}
</script>
<link rel="stylesheet" href="https://static.kept.lab/style.css" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC" crossorigin="anonymous">`;

const KEPT_BODY = `
<header><nav aria-label="Main"><a href="/">Home</a> <a href="/checklists">Checklists</a> <a href="/about">About</a></nav></header>
<main><article>
<h1>How a web site is looked after</h1>
<p>A web site is looked after when somebody knows what it shows to the world. This page says what to look at first, how often, and why.</p>
<h2>What to check first</h2>
<ol><li>The certificate, and when it ends.</li><li>The headers, above all the content security policy.</li><li>The mail records, even where no mail is sent.</li></ol>
<h2>How often should headers be checked?</h2>
<p>After every release, and once a month. In our own survey of 1,200 sites, 37% lost a header within a year without noticing.</p>
<table><caption>Intervals</caption><thead><tr><th>What</th><th>How often</th></tr></thead><tbody><tr><td>Headers</td><td>monthly</td></tr><tr><td>Backups</td><td>weekly</td></tr></tbody></table>
<h2>Who writes this</h2>
<p>Ada Keeper has looked after web sites for twenty years. Sources are named below each checklist.</p>
<figure><img src="/cover.png" alt="A checklist on a desk" width="640" height="360" loading="lazy"><figcaption>The checklist</figcaption></figure>
<time datetime="2026-02-01">1 February 2026</time>
</article></main>
<footer><a href="/privacy">Privacy</a> <a href="https://social.lab/@kept" rel="noopener">Follow us</a></footer>`;

const KEPT_HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains; preload',
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'nonce-bGFiLW5vbmNlLTAwMDE='; style-src 'self' https://static.kept.lab; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; upgrade-insecure-requests",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.kept.lab/</loc><lastmod>2026-02-01</lastmod></url>
  <url><loc>https://www.kept.lab/checklists</loc></url>
</urlset>
`;

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" fill="#1d4e89"/></svg>';

const KEPT: Site[] = [
  {
    host: 'www.kept.lab',
    shows: 'a well-kept site: all headers, robots.txt, sitemap, llms.txt, security.txt, structured data',
    ipv6: true,
    upgrades: true,
    headers: KEPT_HEADERS,
    pages: {
      '/': {
        ...html(KEPT_BODY, KEPT_HEAD),
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'public, max-age=300',
          'set-cookie': '__Host-session=0001; Secure; HttpOnly; SameSite=Strict; Path=/',
        },
      },
      '/about': html('<h1>About us</h1><p>We keep checklists.</p>'),
      '/robots.txt': text(
        'User-agent: *\nDisallow: /private/\nAllow: /\n\nSitemap: https://www.kept.lab/sitemap.xml\n',
      ),
      '/sitemap.xml': text(SITEMAP, 'application/xml'),
      '/llms.txt': text(
        '# Kept\n\n> Checklists for people who look after web sites.\n\n- [Checklists](https://www.kept.lab/checklists)\n',
      ),
      '/.well-known/security.txt': text(
        'Contact: mailto:security@kept.lab\nExpires: 2030-01-01T00:00:00Z\nPreferred-Languages: en, de\nCanonical: https://www.kept.lab/.well-known/security.txt\n',
      ),
      '/favicon.svg': text(SVG, 'image/svg+xml'),
      '/bimi.svg': text(
        '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"><title>Kept</title><circle cx="32" cy="32" r="30"/></svg>',
        'image/svg+xml',
      ),
    },
  },
  {
    host: 'kept.lab',
    shows: 'leads to www.kept.lab by way of https',
    ipv6: true,
    upgrades: true,
    headers: { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' },
    pages: {
      '*': (request, response) =>
        void response.writeHead(301, { location: `https://www.kept.lab${request.url}` }).end(),
    },
  },
  {
    host: 'mta-sts.kept.lab',
    shows: 'an MTA-STS policy in force (RFC 8461)',
    on: 'https',
    pages: {
      '/.well-known/mta-sts.txt': text('version: STSv1\r\nmode: enforce\r\nmx: *.kept.lab\r\nmax_age: 604800\r\n'),
    },
  },
  {
    host: 'mta-sts.mail-broken.lab',
    shows: 'an MTA-STS policy that is HTML',
    on: 'https',
    pages: { '/.well-known/mta-sts.txt': html('<h1>Welcome</h1>') },
  },
];

const POOR_PAGE = html(
  `<center><font size=7>Welcome!!!</font></center>
<img src="http://poor.lab/banner.gif"><img src=logo.png>
<form action="http://poor.lab/login" method="post"><input name="user"><input type="password" name="password"></form>
<a href="http://other.lab" target="_blank">Partner</a>
<iframe src="http://poor.lab/counter"></iframe>
<div onclick="go()">Click here</div>
<script>var secret = 1; document.write('<b>hello</b>');</script>`,
  `<title>Home</title>
<script src="http://code.poor.lab/jquery-1.8.3.min.js"></script>
<script src="https://cdn.poor.lab/bootstrap/3.3.7/js/bootstrap.min.js"></script>
<meta name="generator" content="FrontPage 4.0">`,
);

const PLAIN_SITES: Site[] = [
  {
    host: 'example.com',
    shows: 'the site that the examples of all operations ask about',
    pages: {
      '/': html('<h1>Example</h1><p>For use in examples.</p>', '<title>An example of a page</title>'),
      '/robots.txt': text('User-agent: *\nAllow: /\n'),
    },
  },
  {
    host: 'poor.lab',
    shows:
      'no security headers, mixed content, form to http, inline scripts, old jQuery, bare cookies, server versions',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'TRACE', 'OPTIONS'],
    headers: {
      server: 'Apache/2.4.29 (Ubuntu) OpenSSL/1.0.2k',
      'x-powered-by': 'PHP/5.6.40',
      'x-aspnet-version': '4.0.30319',
    },
    pages: {
      '/': {
        ...POOR_PAGE,
        headers: { 'content-type': 'text/html', 'set-cookie': ['PHPSESSID=abc123; path=/', 'track=1'] },
      },
      '/.git/config': text('[core]\n\trepositoryformatversion = 0\n'),
      '/server-status': html('<h1>Apache Server Status</h1>'),
    },
  },
  {
    host: 'wordpress.lab',
    shows: 'what WordPress with plugins looks like',
    headers: {
      server: 'nginx/1.18.0',
      'x-powered-by': 'PHP/7.4.33',
      link: '<https://wordpress.lab/wp-json/>; rel="https://api.w.org/"',
    },
    pages: {
      '/': html(
        `<div class="wp-site-blocks"><h1 class="wp-block-heading">A blog</h1><p>First post.</p></div>
<script src="/wp-includes/js/jquery/jquery.min.js?ver=3.6.0" id="jquery-core-js"></script>
<script src="/wp-content/plugins/contact-form-7/includes/js/index.js?ver=5.3.1"></script>`,
        `<title>A blog</title><meta name="generator" content="WordPress 5.8.1">
<link rel="stylesheet" href="/wp-content/themes/twentytwentyone/style.css?ver=1.4">
<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css?ver=5.6.0">`,
      ),
      '/robots.txt': text('User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n'),
      '/wp-json/': text('{"name":"A blog","namespaces":["wp/v2"]}', 'application/json'),
      '/wp-login.php': html('<form id="loginform" action="/wp-login.php" method="post"></form>'),
    },
  },
  {
    host: 'next.lab',
    shows: 'a single-page application by Next.js: hardly any text without scripts',
    upgrades: true,
    headers: {
      'x-powered-by': 'Next.js',
      server: 'Vercel',
      'x-vercel-id': 'fra1::lab-0001',
      vary: 'RSC, Next-Router-State-Tree',
    },
    pages: {
      '/': html(
        `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{},"page":"/","buildId":"lab-0001"}</script>
<script src="/_next/static/chunks/main-0001.js" defer></script>`,
        '<title>App</title><link rel="preload" href="/_next/static/css/app.css" as="style">',
      ),
    },
  },
  {
    host: 'cdn.lab',
    shows: 'stands behind a content delivery network with a firewall',
    headers: { server: 'cloudflare', 'cf-ray': '8a1b2c3d4e5f6789-FRA', 'cf-cache-status': 'DYNAMIC' },
    pages: { '/': html('<h1>Behind a CDN</h1>') },
  },
  {
    host: 'no-store.lab',
    shows: 'Cache-Control: no-store',
    headers: { 'cache-control': 'no-store' },
    pages: { '/': html('<h1>Not to be kept</h1>') },
  },
  {
    host: 'private-cache.lab',
    shows: 'Cache-Control: private',
    headers: { 'cache-control': 'private, max-age=60' },
    pages: { '/': html('<h1>Yours alone</h1>') },
  },
  {
    host: 'cors.lab',
    shows: 'CORS reflects any origin, with credentials',
    pages: {
      '*': (request, response) => {
        const origin = request.headers.origin;
        if (origin !== undefined) {
          response.setHeader('access-control-allow-origin', origin);
          response.setHeader('access-control-allow-credentials', 'true');
        }
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>CORS</title>');
      },
    },
  },
  {
    host: 'cors-any.lab',
    shows: 'CORS: *',
    headers: { 'access-control-allow-origin': '*' },
    pages: { '/': html('<h1>For everyone</h1>') },
  },
  {
    host: 'trace.lab',
    shows: 'answers TRACE, admits to PUT and DELETE',
    methods: ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'],
    pages: { '/': html('<h1>Trace</h1>') },
  },
  { host: 'bare.lab', shows: 'an empty answer', pages: { '*': { body: '' } } },
  { host: 'json.lab', shows: 'JSON in place of a page', pages: { '*': text('{"hello":"world"}', 'application/json') } },
  { host: 'failing.lab', shows: 'status 500 for everything', pages: { '*': { status: 500, body: 'It broke.\n' } } },
  { host: 'forbidden.lab', shows: 'status 403 for everything', pages: { '*': { status: 403, body: 'No.\n' } } },
  {
    host: 'http-only.lab',
    shows: 'nothing listens on 443',
    on: 'http',
    pages: { '/': html('<h1>In the clear</h1>') },
  },
  {
    host: 'xn--bcher-kva.lab',
    shows: 'an internationalised name: bücher.lab',
    pages: { '/': html('<h1>Bücher</h1>') },
  },
];

const ROBOTS: readonly (readonly [name: string, shows: string, page: Site['pages'][string]])[] = [
  ['all', 'Disallow: / for all', text('User-agent: *\nDisallow: /\n')],
  ['us', 'Disallow: / for our token', text('User-agent: Sextant\nDisallow: /\n\nUser-agent: *\nAllow: /\n')],
  [
    'others',
    'Disallow: / for others, not for us',
    text('User-agent: *\nDisallow: /\n\nUser-agent: sextant\nAllow: /\n'),
  ],
  ['allow', 'Allow: /', text('User-agent: *\nAllow: /\n')],
  ['404', 'there is none', { status: 404, body: 'Not found\n' }],
  ['500', 'status 500', { status: 500, body: 'It broke.\n' }],
  ['403', 'status 403', { status: 403, body: 'No.\n' }],
  ['html', 'HTML in its place', html('<h1>Page not found</h1><p>Disallow: /</p>')],
  ['redirect', 'a redirect to another host', redirect('https://robots-all.lab/robots.txt', 301)],
  ['private', 'a redirect to a private address', redirect('http://10.0.0.1/robots.txt', 302)],
  ['bom', 'a byte order mark and CR line ends', text('\uFEFFUser-agent: *\rDisallow: /secret\r')],
  [
    'huge',
    '10 MB of rules, ours last',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(`${'Disallow: /somewhere/else\n'.repeat(400_000)}User-agent: Sextant\nDisallow: /\n`);
    },
  ],
];

/** Where the lab's authorities and certificate plans meet the web. */
const INFRASTRUCTURE: Site[] = [
  {
    host: 'aia.lab',
    shows: 'the intermediate certificate, for those who did not get it',
    on: 'http',
    pages: {
      '/intermediate.der': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/pkix-cert' }).end(intermediateDer()),
    },
  },
  { host: 'ocsp.lab', shows: 'an OCSP responder that is out of order', on: 'http', pages: { '*': { status: 503 } } },
];

export const SITES: readonly Site[] = [
  ...KEPT,
  ...PLAIN_SITES,
  ...ROBOTS.map(
    ([name, shows, page]): Site => ({
      host: `robots-${name}.lab`,
      shows: `robots.txt: ${shows}`,
      pages: { '/': html(`<h1>robots-${name}</h1>`), '/robots.txt': page },
    }),
  ),
  ...TLS_PLANS.map(({ host, shows }): Site => ({ host, shows, on: 'https', pages: { '/': html(`<h1>${host}</h1>`) } })),
  ...INFRASTRUCTURE,
];
