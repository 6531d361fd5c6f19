import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { aiCrawlerAccess } from '../../../src/analysis/page/ai-crawlers.ts';
import { extractBrand } from '../../../src/analysis/page/site-brand.ts';
import { decodeHtml } from '../../../src/analysis/page/decode-html.ts';
import { scoreGeo } from '../../../src/analysis/page/geo-report.ts';
import type { PageFacts } from '../../../src/analysis/page/page-facts.ts';
import { collectPageSecurity } from '../../../src/analysis/page/page-security.ts';
import { MAX_PAGE_BYTES, readPage } from '../../../src/analysis/page/read-page.ts';
import { scoreSeo } from '../../../src/analysis/page/seo-report.ts';
import { readRobots } from '../../../src/analysis/robots/read-robots.ts';

function read(
  html: string | Uint8Array,
  url = 'https://www.example.com/dir/page',
  contentType: string | null = null,
): PageFacts {
  const bytes = typeof html === 'string' ? Buffer.from(html) : html;
  return readPage({ bytes, url, contentType, truncated: false });
}

describe('charset, as the HTML standard decides', () => {
  const accent = (charset: 'latin1' | 'utf8', head = '') => Buffer.from(`<title>caf\u00e9</title>${head}`, charset);
  const meta = (charset: string) => `<meta charset="${charset}">`;
  const wide = Buffer.from('<title>café</title>', 'utf16le');
  const cases: [string, Uint8Array, string | null, string, string, string?][] = [
    ['nothing said, UTF-8', accent('utf8'), null, 'utf-8', 'bytes'],
    ['nothing said, not UTF-8', accent('latin1'), null, 'windows-1252', 'bytes'],
    ['the header', accent('latin1'), 'text/html; charset="ISO-8859-1"', 'windows-1252', 'header'],
    [
      'the header before the page',
      accent('latin1', meta('utf-8')),
      'text/html;charset=latin1',
      'windows-1252',
      'header',
    ],
    [
      'a mark before the header',
      Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), accent('utf8')]),
      'text/html; charset=latin1',
      'utf-8',
      'bom',
    ],
    ['an unknown one in the header', accent('utf8', meta('utf-8')), 'text/html; charset=klingon', 'utf-8', 'meta'],
    ['the page', accent('latin1', meta('iso-8859-1')), 'text/html', 'windows-1252', 'meta'],
    [
      'the page, the old way',
      accent('latin1', '<meta http-equiv=Content-Type content="text/html; charset=latin1">'),
      null,
      'windows-1252',
      'meta',
    ],
    ['not in a comment', accent('utf8', `<!-- ${meta('shift_jis')} -->`), null, 'utf-8', 'bytes'],
    ['UTF-16 in what reads as ASCII', accent('utf8', meta('utf-16')), null, 'utf-8', 'meta'],
    ['UTF-16 with a mark', Buffer.concat([Buffer.of(0xff, 0xfe), wide]), null, 'utf-16le', 'bom'],
    ['UTF-16 without', wide, null, 'utf-16le', 'bytes'],
    ['UTF-16, the other order', Buffer.from(wide).swap16(), null, 'utf-16be', 'bytes'],
  ];
  for (const [name, bytes, contentType, charset, source] of cases) {
    test(name, () => {
      const page = decodeHtml(bytes, contentType);
      assert.deepEqual([page.charset, page.source], [charset, source]);
      assert.match(page.text, /^<title>café/);
    });
  }

  test('Shift_JIS', () => {
    const bytes = Buffer.concat([
      Buffer.from('<meta charset=Shift_JIS><title>'),
      Buffer.of(0x93, 0xfa, 0x96, 0x7b),
      Buffer.from('</title>'),
    ]);
    assert.equal(read(bytes).title, '日本');
  });

  test('the wrong one gives wrong letters, and no fault', () => {
    assert.equal(
      read(Buffer.from('<title>caf\u00e9</title>', 'latin1'), undefined, 'text/html; charset=utf-8').title,
      'caf\uFFFD',
    );
  });
});

describe('what a page says', () => {
  test('title: the first, not that of a drawing, entities undone, on one line', () => {
    assert.equal(
      read('<svg><title>icon</title></svg><title> A &amp;\n B &lt;b&gt; </title><title>C</title>').title,
      'A & B <b>',
    );
    assert.equal(
      read('<svg><g><p><title>after a drawing that was left open</title>').title,
      'after a drawing that was left open',
    );
    assert.equal(read('<title>left open').title, 'left open');
    assert.equal(read('<title> </title>').title, null);
  });

  test('no character that hides or turns text, and no zero bytes', () => {
    assert.equal(read('<title>a\u202Eb\u200Bc\u0007d\u0000e&#x202E;f</title>').title, 'abcdef');
    assert.equal(read(`<title>${'x'.repeat(5000)}</title>`).title!.length, 500);
  });

  test('addresses are absolute, against the first base that is one', () => {
    const page =
      '<link rel=canonical href=c><link rel=icon href=//cdn.example.net/i.png><meta property=og:image content=/o.png>';
    assert.equal(read(page).canonical, 'https://www.example.com/dir/c');
    assert.equal(
      read(`<base href="/other/"><base href="https://evil.example/">${page}`).canonical,
      'https://www.example.com/other/c',
    );
    assert.equal(
      read(`${page}<base href="https://static.example.com/x/">`).canonical,
      'https://static.example.com/x/c',
    );
    assert.equal(read(`<base href="javascript:alert(1)">${page}`).canonical, 'https://www.example.com/dir/c');
    const long = `https://cdn.example.net/${'x'.repeat(700)}.png`;
    assert.equal(read(`<meta property=og:image content=${long}>`).og['og:image'], long);
    assert.equal(read(`<base href="data:text/html,x">${page}`).og_image, 'https://www.example.com/o.png');
    assert.deepEqual(read(page).icons, ['https://cdn.example.net/i.png']);
  });

  test('javascript: and data: addresses are never given', () => {
    const facts = read(`<link rel=canonical href="javascript:a()"><link rel=icon href="data:image/png;base64,AAAA">
      <meta property=og:image content=" java&#10;script:a()"><meta property=og:url content="data:,x">
      <a href="javascript:a()">x</a><a href="mailto:a@b.c">x</a><a href="#top">x</a><a href="">x</a><form action="javascript:a()">
      <script src="data:text/javascript,a()"></script><iframe src="vbscript:x"></iframe><img class=logo src="data:image/gif;base64,R0">`);
    assert.ok(!/javascript:|data:|vbscript:/i.test(JSON.stringify(facts)), JSON.stringify(facts));
    assert.deepEqual(facts.links, { internal: 0, external: 0, comparing: false });
    assert.equal(facts.forms[0]!.action, null);
  });

  test('links by registrable domain', () => {
    const { links } =
      read(`<a href=/a>1</a><a href=https://blog.example.com/>2</a><area href=b><a href=//example.org>3</a>
      <a href="https://example.com.evil.test/">4</a><a>none</a><noscript><a href=/c>5</a></noscript>`);
    assert.deepEqual([links.internal, links.external], [3, 2]);
    assert.equal(read('<a href=https://b.github.io/>x</a>', 'https://a.github.io/').links.external, 1);
  });

  test('headings: texts in them, nested and unclosed', () => {
    const { headings } = read(
      '<h1>One <em>big</em> &amp; more<h2>Two</h2><H3>three</H3><h2></h2><template><h1>no</h1></template>',
    );
    assert.deepEqual(headings.h1, { count: 1, texts: ['One big & more'] });
    assert.deepEqual(headings.h2, { count: 2, texts: ['Two'] });
    assert.deepEqual(headings.h3, { count: 1, texts: ['three'] });
  });

  test('images: without alt is not the same as with an empty one', () => {
    assert.deepEqual(
      read('<img src=a><img src=b alt><img src=c alt=""><img src=d alt=x><noscript><img></noscript>').images,
      {
        total: 4,
        missing_alt: 1,
      },
    );
  });

  test('structured data in all three notations', () => {
    const facts =
      read(`<script type="application/ld+json">{"@graph":[{"@type":["Product","schema:Thing"]},{"@type":"http://schema.org/Organization",
      "name":"Acme","logo":{"@type":"ImageObject","url":"/logo.png"}}]}</script><script type="application/ld+json">{broken</script>
      <div itemscope itemtype="https://schema.org/Recipe"></div><p vocab="https://schema.org/" typeof="Event"></p><p typeof="foaf:Person"></p>`);
    assert.deepEqual(facts.schema_types, ['Product', 'Thing', 'Organization', 'ImageObject', 'Recipe', 'Event']);
    assert.deepEqual(facts.json_ld, { blocks: 2, invalid: 1 });
    assert.equal(facts.logo, 'https://www.example.com/logo.png');
    assert.equal(facts.structured_name, 'Acme');
  });

  test('meta refresh in the forms that browsers take', () => {
    const refresh = (content: string) => read(`<meta http-equiv=Refresh content="${content}">`).refresh;
    assert.deepEqual(refresh('5'), { seconds: 5, url: null });
    assert.deepEqual(refresh('0; url=/next'), { seconds: 0, url: 'https://www.example.com/next' });
    assert.deepEqual(refresh("0;URL='https://other.example/a b'"), { seconds: 0, url: 'https://other.example/a%20b' });
    assert.deepEqual(refresh('1.5 /x'), { seconds: 1, url: 'https://www.example.com/x' });
    assert.deepEqual(refresh('0;url=javascript:alert(1)'), { seconds: 0, url: null });
    assert.equal(refresh('soon'), null);
  });

  test('policies of the page, comments, language, generator', () => {
    const facts =
      read(`<html lang=de-AT><!-- a --><!-- b --><meta http-equiv=content-security-policy content="default-src 'self'">
      <meta name=Generator content="WordPress 6.8">`);
    assert.deepEqual(facts.csp, ["default-src 'self'"]);
    assert.equal(facts.comments, 2);
    assert.equal(facts.lang, 'de-AT');
    assert.equal(facts.metas['generator'], 'WordPress 6.8');
  });

  test('a site presents itself', () => {
    const brand = extractBrand(
      read(`<link rel="shortcut icon" href=/small.ico sizes=16x16><link rel=icon href=/large.png sizes=192x192>
        <link rel=apple-touch-icon href=/touch.png sizes=512x512><meta name=theme-color content="#0a0B0c"><meta property=og:site_name content=" Acme  Inc ">
        <meta property=og:image content=http://cdn.example/o.png><img class="site-Logo" src=logo.svg>`),
    );
    assert.deepEqual(brand, {
      favicon_url_untrusted: 'https://www.example.com/large.png',
      og_image_url_untrusted: 'http://cdn.example/o.png',
      theme_color: '#0a0B0c',
      site_name_untrusted: 'Acme Inc',
      logo_url_untrusted: 'https://www.example.com/dir/logo.svg',
    });
    assert.deepEqual(new Set(Object.values(extractBrand(read('')))), new Set([null]));
    assert.equal(extractBrand(read('<meta name=theme-color content="red;background:url(x)">')).theme_color, null);
  });
});

describe('SEO: ten rules of ten points', () => {
  const TITLE = 'A title of thirty characters!!'; // 30
  const full = `<title>${TITLE}</title><meta name=description content="${'d'.repeat(50)}"><link rel=canonical href=/>
    <meta property=og:title content=a><meta property=og:type content=b><meta property=og:site_name content=c>
    <script type=application/ld+json>{}</script><h1>x</h1><img alt=a>`;
  const score = (html: string, url?: string): [number, string[]] => {
    const seo = scoreSeo(read(html, url));
    return [seo.score, seo.missing_signals];
  };
  test('all of them', () => assert.deepEqual(score(full), [100, []]));
  test('none of them', () => {
    const [points, missing] = score('<img>', 'http://example.com/');
    assert.equal(points, 0);
    assert.equal(missing.length, 10);
  });

  const changes: [string, string | RegExp, string, number, string[]][] = [
    ['title of 60', TITLE, 't'.repeat(60), 100, []],
    ['title of 61', TITLE, 't'.repeat(61), 90, ['title_length']],
    ['title of 29', TITLE, 't'.repeat(29), 90, ['title_length']],
    ['title of 30 characters of two units', TITLE, '\u{1F600}'.repeat(30), 100, []],
    ['description of 160', 'd'.repeat(50), 'd'.repeat(160), 100, []],
    ['description of 161', 'd'.repeat(50), 'd'.repeat(161), 90, ['meta_description_length']],
    ['description of 49', 'd'.repeat(50), 'd'.repeat(49), 90, ['meta_description_length']],
    ['no description', /<meta name=description[^>]*>/, '', 80, ['meta_description', 'meta_description_length']],
    ['two h1', '<h1>', '<h1>1</h1><h1>', 90, ['single_h1']],
    ['two Open Graph tags', '<meta property=og:type content=b>', '<meta property=og:title content=b>', 90, ['og_tags']],
    ['JSON-LD that does not parse', '{}', '{', 90, ['json_ld']],
    ['a third of images with alt', '<img alt=a>', '<img alt=a><img><img>', 93, []],
    ['no images', '<img alt=a>', '', 100, []],
    ['images without alt', '<img alt=a>', '<img>', 90, ['image_alt']],
  ];
  for (const [name, from, to, points, missing] of changes) {
    test(name, () => assert.deepEqual(score(full.replace(from, to)), [points, missing]));
  }
  test('not over HTTPS', () => assert.deepEqual(score(full, 'http://example.com/'), [90, ['https']]));
});

describe('GEO', () => {
  const ROBOTS =
    'Sitemap: https://example.com/s.xml\nUser-agent: GPTBot\nUser-agent: CCBot\nUser-agent: ClaudeBot\nUser-agent: Bytespider\nUser-agent: Diffbot\nDisallow: /';
  test('all of it: 100', () => {
    const html = `<link rel=canonical href=/><meta property=og:title content=a><div itemscope itemtype=https://schema.org/Product></div>
      <h1>Ours vs. theirs</h1><h2>Price</h2>`;
    const geo = scoreGeo(read(html), { llmsTxt: true, robots: readRobots('Sitemap: https://example.com/s.xml') });
    assert.deepEqual([geo.score, geo.missing_signals], [100, []]);
  });

  test('five of 25 crawlers shut out: 20 of 25 points', () => {
    const geo = scoreGeo(read('<p>text'), { llmsTxt: null, robots: readRobots(ROBOTS) });
    assert.deepEqual(geo.ai_crawlers_blocked, ['GPTBot', 'ClaudeBot', 'CCBot', 'Bytespider', 'Diffbot']);
    assert.equal(geo.ai_crawlers_total, 25);
    assert.equal(geo.ai_crawlers_allowed.length, 20);
    assert.equal(geo.score, 38); // crawlers 20, rendering 15, one of three signs 3.33
    assert.deepEqual(geo.missing_signals, ['llms_txt', 'schema_types', 'semantic_headings', 'comparison_content']);
  });

  test('everybody shut out, in a page that scripts fill: nothing', () => {
    const html =
      '<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src=/static/js/main.js></script>';
    const geo = scoreGeo(read(html), { llmsTxt: false, robots: readRobots('User-agent: *\nDisallow: /') });
    assert.equal(geo.client_side_rendered, true);
    assert.deepEqual([geo.score, geo.ai_crawlers_allowed], [0, []]);
    assert.equal(geo.missing_signals.length, 7);
  });

  test('the list of ai.robots.txt names all of them', () => {
    assert.equal(new Set(aiCrawlerAccess(null).ai_crawlers_allowed).size, 25);
    assert.deepEqual(aiCrawlerAccess(readRobots('User-agent: gptbot/1.2\nDisallow: /')).ai_crawlers_blocked, [
      'GPTBot',
    ]);
  });

  const rendered: [string, string, boolean, string | null][] = [
    ['a root that Next.js fills', '<div id=__next></div><script src=/_next/static/x.js></script>', true, 'Next.js'],
    [
      'the same, rendered on the server',
      `<div id=__next><p>${'text '.repeat(50)}</p></div><script src=/_next/static/x.js></script>`,
      false,
      'Next.js',
    ],
    ['Angular', '<app-root></app-root><script src=main.js type=module></script>', true, 'Angular'],
    [
      'Vue, rendered on the server',
      `<div id=app data-server-rendered=true>${'text '.repeat(50)}</div><script src=a.js></script>`,
      false,
      'Vue',
    ],
    ['a root of no known framework', '<div id=app></div><script src=a.js></script>', true, null],
    ['a short page', '<h1>It works!</h1>', false, null],
    ['a short page with a script', '<p>Moved</p><script>count()</script>', false, null],
    ['state in a script', '<p>x</p><script>window.__NUXT__={}</script>', false, 'Nuxt'],
  ];
  for (const [name, html, clientSide, framework] of rendered) {
    test(name, () => {
      const geo = scoreGeo(read(html), { llmsTxt: null, robots: null });
      assert.deepEqual([geo.client_side_rendered, geo.render_framework], [clientSide, framework]);
    });
  }
});

describe('security of the markup', () => {
  test('mixed content, forms, integrity, inline', () => {
    const security = collectPageSecurity(
      read(`<script src=http://cdn.example.net/a.js></script><link rel=stylesheet href=http://www.example.com/a.css>
        <img src=http://img.example.net/a.png><iframe src=http://frame.example.net/></iframe>
        <script src=https://cdn.example.net/b.js integrity="sha384-abc" crossorigin></script><script src=/own.js></script>
        <script>inline()</script><script type=application/json>{}</script><body onload="x()"><a onclick=y()>z</a>
        <form action=http://www.example.com/login method=POST><input type=password></form>
        <form action=https://collect.example.net/></form><form></form>`),
    );
    assert.deepEqual(security, {
      mixed_active: ['http://cdn.example.net/a.js', 'http://www.example.com/a.css', 'http://frame.example.net/'],
      mixed_passive: ['http://img.example.net/a.png'],
      insecure_forms: ['http://www.example.com/login'],
      foreign_forms: ['https://collect.example.net/'],
      password_over_http: false,
      without_integrity: ['http://cdn.example.net/a.js'],
      integrity_without_cors: [],
      foreign_scripts: 2,
      scripts_with_integrity: 1,
      inline_scripts: 1,
      inline_handlers: 2,
    });
  });

  test('on a page without encryption nothing is mixed, but passwords are open', () => {
    const security = collectPageSecurity(
      read('<img src=http://a.example/><form><input type=PASSWORD></form>', 'http://www.example.com/'),
    );
    assert.deepEqual(security.mixed_passive, []);
    assert.equal(security.password_over_http, true);
    assert.deepEqual(security.insecure_forms, ['http://www.example.com/']);
  });
});

describe('a password field belongs to the form that browsers give it to', () => {
  for (const [html, forms, outside] of [
    ['<form><input type=password></form>', [true], false],
    ['<input type=password>', [], true],
    ['<form></form><input type=password>', [false], true],
    ['<input type=password><form></form>', [false], true],
    ['<form id=a></form><input type=password form=a>', [true], false],
    ['<input type=password form=later><form id=later></form>', [true], false],
    ['<form><input type=password form=gone></form>', [false], true],
    ['<form><form><input type=password></form>', [true], false],
    ['<form><p></form><form><input type="PASSWORD">', [false, true], false],
  ] as const) {
    test(html, () => {
      const facts = read(html, 'http://www.example.com/');
      assert.deepEqual([facts.forms.map(({ password }) => password), facts.password_outside_form], [forms, outside]);
      assert.equal(collectPageSecurity(facts).password_over_http, true);
    });
  }
});

describe('a policy in <meta> is in force in the head alone (HTML standard, 4.2.5.3)', () => {
  const META = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">';
  for (const [html, inForce] of [
    [`<head>${META}</head>`, true],
    [`<!doctype html>\n<title>a</title><script>b()</script><style>c</style>${META}`, true],
    [`<html><head></head>${META}<body>`, true],
    [`<head><noscript><img src=a></noscript>${META}</head>`, true],
    [`<head></head><body>${META}</body>`, false],
    [`<head><div></div>${META}</head>`, false],
    [`<head>text${META}</head>`, false],
    [`<head><noscript>${META}</noscript></head>`, false],
    [`<template>${META}</template>`, false],
    [`<svg></svg><p></p>${META}`, false],
    ['<meta name=x http-equiv=content-security-policy content="default-src a">', true],
    ['<meta name=content-security-policy content="default-src a">', false],
  ] as const) {
    test(html, () => assert.equal(read(html).csp.length, inForce ? 1 : 0));
  }
});

describe('bad input', () => {
  const pages: [string, string][] = [
    ['a megabyte of nested tags', '<div>'.repeat(200_000)],
    ['nested, and closed by others', '<b><i>'.repeat(80_000) + '</x></b>'.repeat(60_000)],
    ['drawings', '<svg>'.repeat(200_000)],
    ['one tag of attributes', `<a ${'b=c '.repeat(250_000)}>`],
    ['one long attribute', `<a href="${'&amp;'.repeat(200_000)}">`],
    ['marks', '<'.repeat(1_000_000)],
    ['entities', '&'.repeat(1_000_000)],
    ['comments left open', '<!--'.repeat(250_000)],
    ['deep JSON-LD', `<script type=application/ld+json>${'[{"a":'.repeat(80_000)}1${'}]'.repeat(80_000)}</script>`],
    ['a hundred thousand links', Array.from({ length: 100_000 }, (_, at) => `<a href=//h${at}.example/>`).join('')],
    [
      'as many meta',
      Array.from({ length: 50_000 }, (_, at) => `<meta property=og:${at} content=${'x'.repeat(9)}>`).join(''),
    ],
    ['a prescan of nothing', '<meta '.repeat(170_000)],
    ['zero bytes', '\0'.repeat(1_000_000)],
    ['no end of a script', `<script>${'</scrip'.repeat(150_000)}`],
    ['nothing', ''],
    [
      'elements named as members of objects',
      '<constructor><__proto__ toString=x><hasOwnProperty><meta name=__proto__ content=x>',
    ],
  ];
  for (const [name, html] of pages) {
    test(name, { timeout: 10_000 }, () => {
      const facts = read(html);
      assert.ok(JSON.stringify(facts).length < 200_000);
      scoreSeo(facts);
      scoreGeo(facts, { llmsTxt: null, robots: null });
    });
  }

  test('50 MB: as much as is allowed is read, and it says so', { timeout: 10_000 }, () => {
    const facts = read(Buffer.alloc(50_000_000, '<h2>x</h2>'));
    assert.equal(facts.truncated, true);
    assert.ok(Math.abs(facts.headings.h2.count - MAX_PAGE_BYTES / 10) <= 1);
    assert.equal(facts.headings.h2.texts.length, 50);
  });

  test('cut in the middle of a character or a tag', () => {
    const page = Buffer.from('<title>é</title><h1>ü</h1><a href="/x">');
    for (let length = 0; length <= page.length; length++) assert.ok(read(page.subarray(0, length)));
  });
});
