import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { detectTechnologies } from '../../../src/analysis/tech/detect-technologies.ts';
import { siteOf } from './site-with.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const SIZE = 1_000_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length));

describe('a megabyte of what is hard to read is read in linear time', () => {
  for (const [name, html] of [
    ['addresses without end', `<script>${fill('"a.a')}</script>`],
    ['slashes', `<script>${fill('//')}</script>`],
    ['dots', `<script>//${fill('a.')}</script>`],
    ['hyphens', `<script>"${fill('a-')}</script>`],
    ['identifiers', `<script>${fill('fbq ')}</script>`],
    ['one identifier', `<script>${fill('a')}</script>`],
    ['classes', `<p class="${fill('wp-block ')}">`],
    ['comments', fill('<!-- This site is optimized with the Yoast SEO plugin v1 -->')],
    ['scripts', fill('<script src="/wp-content/plugins/a/b.js?ver=1.1.1.1"></script>')],
    ['versions', fill('<script src="/jquery-1.1.1.1.1.1.1.1.1-1-1-1.min.min.min.js"></script>')],
    ['one address', `<script src="https://a.example/${fill('a@1.')}.js"></script>`],
  ] as const) {
    test(name, () => {
      const started = cpuMs();
      const found = detectTechnologies(siteOf(html));
      const took = cpuMs() - started;
      assert.ok(took < 10_000, `${took.toFixed(0)} ms`);
      assert.ok(found.length < 20);
    });
  }
});

test('a hundred headers, cookies and records as long as they come', () => {
  const long = 'cloudflare-nginx/1.2.3 '.repeat(3000);
  const many = Array.from({ length: 500 }, (_, at) => `${at}${long}`);
  const started = cpuMs();
  detectTechnologies({
    headers: { server: many, via: many, link: many, 'x-powered-by': many },
    cookies: many,
    page: null,
    dns: {
      ns: many,
      mx: many,
      txt: many.map((text) => `v=spf1 ${'include:a.example '.repeat(100)}${text}`),
      cname: many,
    },
  });
  assert.ok(cpuMs() - started < 10_000);
});
