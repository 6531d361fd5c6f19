import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { assetPath } from '../../../src/pages/assets.ts';
import { PAGES } from '../../../src/pages/list.ts';
import { startService } from '../../support/service.ts';
import { pathsOf } from './page-paths.ts';
import { requireCleanPage } from './page-walk.ts';

const HTML = { accept: 'text/html' };
const service = await startService({ after }, { timeScale: 0.05 });
const first = PAGES.map((page) => [page, pathsOf(page)[0]!] as const);

describe('a cache between', () => {
  test('may keep no page, and knows on what each depends', async () => {
    for (const [, path] of first) {
      for (const accept of ['text/html', 'application/json', '*/*']) {
        const { headers } = await service.get(path, { accept });
        assert.match(String(headers['cache-control']), /no-store|private/, `${path} as ${accept}`);
        assert.match(String(headers.vary), /\bAccept\b(?!-)/, `${path} as ${accept}`);
      }
    }
  });

  test('gets the same file whatever headers came with the request', async () => {
    for (const name of ['style', 'page', 'theme', 'icon'] as const) {
      const path = assetPath(name);
      const plain = await service.get(path);
      assert.match(String(plain.headers['cache-control']), /public.*immutable/);
      for (const headers of [
        { 'x-forwarded-host': 'evil.example' },
        { 'x-forwarded-proto': 'https' },
        { 'x-forwarded-prefix': '/zq9' },
        { 'x-original-url': '/zq9' },
        { 'x-rewrite-url': '/zq9' },
        { 'x-http-method-override': 'POST' },
        { host: 'evil.example' },
        { origin: 'https://evil.example' },
        { accept: 'text/html' },
        { cookie: 'theme=zq9' },
        { 'x-request-id': 'zq9' },
      ] as Record<string, string>[]) {
        const reply = await service.get(path, headers);
        assert.deepEqual([reply.status, reply.text], [200, plain.text], JSON.stringify(headers));
        assert.equal(reply.headers['cache-control'], plain.headers['cache-control']);
      }
    }
  });

  test('keeps no error at the path of a file', async () => {
    for (const path of [
      '/assets/style.zq9.css',
      `${assetPath('style')}x`,
      `${assetPath('style')}?zq9`,
      '/assets/..%2f..%2fpackage.json',
      '/assets/',
    ]) {
      const { status, headers } = await service.get(path, HTML);
      if (status !== 200) assert.doesNotMatch(String(headers['cache-control']), /public|immutable/, path);
    }
  });

  test('is told of no other host than the one that it asked', async () => {
    for (const [, path] of first) {
      const { text } = await service.get(path, {
        ...HTML,
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'x-forwarded-server': 'evil.example',
        'x-original-host': 'evil.example',
      });
      assert.doesNotMatch(text, /evil\.example/, path);
    }
  });

  test('finds nothing of a forged Host but text', async () => {
    for (const host of [
      'evil.example"><zq9x>',
      "evil.example'onload='zq9()",
      'evil.example/zq9',
      'a b',
      '<zq9x>',
      `${'a'.repeat(300)}.example`,
    ]) {
      const reply = await service.get('/', { ...HTML, host });
      if (String(reply.headers['content-type']).startsWith('text/html')) requireCleanPage(reply, host);
      assert.doesNotMatch(reply.text, /<zq9x/, host);
    }
  });

  test('finds nothing of a forged scheme but http and https', async () => {
    for (const scheme of ['javascript', 'https"><zq9x>', 'https, http', 'data']) {
      requireCleanPage(await service.get('/', { ...HTML, 'x-forwarded-proto': scheme }), scheme);
    }
  });

  test('gets a page or JSON for every Accept, however odd', async () => {
    for (const accept of [
      '',
      ',',
      '<zq9x>',
      'text/html;q=zq9',
      `${'text/html,'.repeat(500)}`,
      'application/json;q=1e999',
      '*/*;q=0',
    ]) {
      const reply = await service.get('/', { accept });
      assert.ok(reply.status < 500, accept);
      requireCleanPage(reply, accept);
    }
  });
});

describe('every answer in HTML', () => {
  test('keeps frames, inline scripts and other hosts out, errors too', async () => {
    const paths = [
      ...first.map(([, path]) => path),
      '/no/such/page',
      '/cve/nonsense',
      '/%00',
      '/search?cursor=zq9',
      '/docs',
      '/docs/errors',
    ];
    for (const path of paths) {
      const { headers, text } = await service.get(path, HTML);
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /frame-ancestors 'none'/, path);
      assert.doesNotMatch(policy, /unsafe-inline'?[^;]*(?:;|$)(?<=script[^;]*)/, path);
      if (path.startsWith('/docs')) continue;
      assert.equal(headers['x-frame-options'], 'DENY', path);
      assert.doesNotMatch(policy, /unsafe/, path);
      assert.doesNotMatch(text, /\sstyle=|<style/i, path);
    }
  });

  test('has nothing of a request in its headers', async () => {
    const told = ['zq9\r\nx-zq9: 1', 'zq9%0d%0ax-zq9:%201', 'zq9\u0085x-zq9: 1', 'zq9\u2028', '\u560d\u560ax-zq9: 1'];
    for (const value of told) {
      for (const [page, path] of first) {
        const asked = `${path.split('?')[0]}?q=${encodeURIComponent(value)}&as=csv&format=${encodeURIComponent(value)}&name=${encodeURIComponent(value)}`;
        const replies = [await service.get(asked, HTML)];
        if (page.methods?.includes('POST') === true) {
          const headers = {
            ...HTML,
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': 'same-origin',
          };
          replies.push(
            await service.send(
              'POST',
              path.split('?')[0]!,
              `q=${encodeURIComponent(value)}&indicators=${encodeURIComponent(value)}&as=csv`,
              headers,
            ),
          );
        }
        for (const { headers } of replies) {
          assert.equal(headers['x-zq9'], undefined, asked);
          for (const [name, text] of Object.entries(headers))
            assert.match(String(text), /^[\x20-\x7e]*$/, `${name} of ${asked}`);
        }
      }
    }
  });

  test('is one answer, also on the wire', async () => {
    const { port } = new URL(await service.listen());
    for (const [, path] of first) {
      const bytes = await rawRequest(Number(port), `${path.split('?')[0]}?q=a%0d%0aHTTP/1.1%20200%20OK%0d%0a%0d%0azq9`);
      const head = bytes.split('\r\n\r\n')[0]!;
      assert.equal(head.match(/HTTP\/1\.1 /g)?.length, 1, path);
      assert.doesNotMatch(head, /zq9(?![\w%])/, path);
    }
  });
});

describe('a form', () => {
  const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded' };
  const posts = first.filter(([page]) => page.methods?.includes('POST') === true);
  for (const [page, path] of posts) {
    test(`of another site does not reach ${page.path}`, async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        {
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
        },
      ] as Record<string, string>[]) {
        const reply = await service.send('POST', path, 'indicators=8.8.8.8&text=x', {
          ...FORM,
          ...headers,
          host: 'sextant.example',
        });
        assert.equal(reply.status, 403, `${page.path} ${JSON.stringify(headers)}`);
      }
    });

    test(`that is too large or of another type is refused by ${page.path}`, async () => {
      const large = await service.send('POST', path, `text=${'a'.repeat(20_000_000)}`, FORM);
      assert.equal(large.status, 413);
      requireCleanPage(large, path);
      for (const type of [
        'text/plain',
        'application/xml',
        'text/html',
        'multipart/form-data',
        'multipart/form-data; boundary="',
      ]) {
        const reply = await service.send('POST', path, '<zq9x>', { ...HTML, 'content-type': type });
        assert.ok(reply.status >= 400 && reply.status < 500, `${type}: ${reply.status}`);
        requireCleanPage(reply, type);
      }
    });
  }
});

describe('the log', () => {
  test('has nothing of what pages were asked', async (t) => {
    const logged = await startService(t, { timeScale: 0.05 });
    const word = 'quokka7';
    for (const page of PAGES) {
      const path = page.path.replace(/[:*]\w+/g, `${word}.example`);
      await logged.get(`${path}?q=${word}&text=${word}`, {
        ...HTML,
        referer: `https://${word}.example/`,
        'user-agent': word,
      });
      if (page.methods?.includes('POST') === true)
        await logged.send('POST', path, `q=${word}&indicators=${word}.example&text=${word}`, {
          ...HTML,
          'content-type': 'application/x-www-form-urlencoded',
        });
    }
    await logged.get(`/${word}/nothing`, HTML);
    assert.ok(logged.logLines().length > PAGES.length);
    for (const line of logged.logLines()) assert.ok(!line.includes(word), line);
  });
});

/** Everything that the server sends for one request. */
function rawRequest(port: number, path: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\nconnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.on('error', failed).on('close', () => done(text));
  });
}
