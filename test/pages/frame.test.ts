import assert from 'node:assert/strict';
import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
import { after, describe, test } from 'node:test';
import { z } from 'zod';
import { defineOperation } from '../../src/engine/operation.ts';
import { cveLookup } from '../../src/operations/cve/cve-lookup.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { html } from '../../src/pages/html.ts';
import { renderLateParts } from '../../src/pages/late-parts.ts';
import { acceptsHtml, preferredType } from '../../src/pages/negotiation.ts';
import { questionAsCommand, questionAsCurl, questionAsToolCall, questionPath } from '../../src/pages/question-text.ts';
import { IDS } from '../operations/fixture-facts.ts';
import { startService } from '../support/service.ts';

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const service = await startService({ after });

describe('what an Accept header prefers (RFC 9110, 12.5.1)', () => {
  for (const [accept, type] of [
    [undefined, 'html'],
    ['*/*', 'html'],
    [HTML.accept, 'html'],
    ['application/json', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['application/json;q=0.5, text/html', 'html'],
    ['text/html;q=0.2, application/json;q=0.3', 'json'],
    ['application/json;q=0', 'html'],
    ['nonsense;;;,,q=', 'html'],
  ] as const) {
    test(`${accept ?? 'none'}: ${type}`, () => assert.equal(preferredType(accept), type));
  }

  test('errors are pages for browsers only', () => {
    assert.equal(acceptsHtml(HTML.accept), true);
    assert.equal(acceptsHtml('*/*'), false);
    assert.equal(acceptsHtml(undefined), false);
  });
});

describe('the frame of pages', () => {
  test('every page has the headers that keep scripts, frames and other sites out, errors too', async () => {
    for (const path of ['/', '/no/such/page']) {
      const { headers, text } = await service.get(path, HTML);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'/, path);
      assert.match(policy, /frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /unsafe|\*|http/, path);
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.equal(headers['cache-control'], 'no-store', path);
      assert.match(String(headers.vary), /Accept\b/, path);
      assert.doesNotMatch(text, /\son\w+=|style=|<script(?![^>]*\ssrc=)/i, path);
    }
  });

  test('an unknown path is a page for browsers, and JSON for others', async () => {
    const page = await service.get('/no/such/page', HTML);
    assert.equal(page.status, 404);
    assert.match(String(page.headers['content-type']), /^text\/html/);
    const json = await service.get('/no/such/page');
    assert.equal(json.body.error.code, 'not_found');
    assert.equal((await service.get('/v1/nothing', HTML)).body.error.code, 'not_found');
  });

  test('files are kept for ever at a name with their hash, and compressed', async () => {
    const { text } = await service.get('/', HTML);
    const [style] = /\/assets\/style\.[\w-]{12}\.css/.exec(text) ?? assert.fail('no style');
    const plain = await service.get(style);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const encoded = await service.app.inject({ url: style, headers: { 'accept-encoding': coding } });
      assert.equal(encoded.headers['content-encoding'], coding);
      assert.equal(decode(encoded.rawPayload).toString(), plain.text);
    }
    assert.equal((await service.get('/assets/style.000000000000.css')).status, 404);
  });
});

describe('parts that come later', () => {
  test('are sent in the order in which they come, and each has a slot in the order of the page', async () => {
    const slow = Promise.withResolvers<ReturnType<typeof html>>();
    const pieces: string[] = [];
    const parts = [
      { id: 'a', waiting: html`asking a`, content: slow.promise },
      { id: 'b', waiting: html`asking b`, content: Promise.resolve(html`<h2>b</h2>`) },
    ];
    for await (const piece of renderLateParts(parts)) {
      pieces.push(String(piece));
      if (pieces.length === 2) slow.resolve(html`<h2>a</h2>`);
    }
    assert.match(pieces[0]!, /shadowrootmode="open".*name="a".*asking a.*name="b"/s);
    assert.match(pieces[1]!, /<section id="b" slot="b">/);
    assert.match(pieces[2]!, /<section id="a" slot="a">/);
  });
});

describe('a question in other forms', () => {
  const call = { cve_id: IDS.log4shell };

  test('of a GET', () => {
    const operation = OPERATIONS.find(({ id }) => id === cveLookup.id)!;
    assert.equal(questionPath(operation, call), `/v1/cve/${IDS.log4shell}`);
    assert.equal(
      questionAsCurl(operation, call, 'http://localhost:8080'),
      `curl -s http://localhost:8080/v1/cve/${IDS.log4shell}`,
    );
    assert.equal(questionAsCommand(operation, call), `sextant cve-lookup ${IDS.log4shell}`);
    assert.deepEqual(JSON.parse(questionAsToolCall(operation, call)!), { name: 'cve_lookup', arguments: call });
  });

  test('foreign text does not leave its quotes in a shell', () => {
    const operation = defineOperation({
      id: 'example',
      area: 'service',
      title: 'Example',
      description: 'Example.',
      route: 'POST /v1/example',
      input: z.strictObject({ text: z.string() }),
      output: z.object({}),
      cost: 1,
      examples: [],
      answer: () => ({}),
    });
    const curl = questionAsCurl(operation as never, { text: "'; rm -rf ~ #" }, 'http://localhost')!;
    assert.equal(
      curl,
      String.raw`curl -s http://localhost/v1/example -H 'content-type: application/json' -d '{"text":"'\''; rm -rf ~ #"}'`,
    );
    assert.equal(questionPath(operation as never, {}), null);
  });
});

describe('a page that is free', () => {
  test('is kept for a moment; what was charged, and what a reader is told, is not', async () => {
    const first = await service.get('/', HTML);
    assert.equal((await service.get('/', HTML)).text, first.text);
    service.clock.now = new Date(service.clock.now.getTime() + 86_400_000);
    assert.notEqual((await service.get('/', HTML)).text, first.text, 'sources are a day older');
    const counted = await startService({ after }, { quota: { keyless: 10 } });
    const asked = `/?q=${IDS.log4shell}%0A${IDS.heartbleed}`;
    const costs = [];
    for (let time = 0; time < 2; time++) costs.push((await counted.get(asked, HTML)).headers['x-ratelimit-remaining']);
    assert.notEqual(costs[0], costs[1], 'each is charged');
  });
});
