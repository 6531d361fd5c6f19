import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpGet, readText } from '../../src/net/http-get.ts';
import { NetError } from '../../src/net/net-error.ts';
import { strictRedirectTarget } from '../../src/net/redirect.ts';
import { allClosed, poolFor, serve } from './servers.ts';

const timeout = 120_000;

test('the next hop of a redirect', () => {
  const from = new URL('https://a.example/dir/file?x=1');
  assert.equal(strictRedirectTarget(from, 'other').href, 'https://a.example/dir/other');
  assert.equal(strictRedirectTarget(from, '//b.example/y#z').href, 'https://b.example/y');
  assert.equal(strictRedirectTarget(new URL('http://a.example/'), 'https://a.example/').href, 'https://a.example/');
  const refused = [
    'http://a.example/',
    'file:///etc/passwd',
    'ftp://a.example/',
    'data:,x',
    'https://u:p@b.example/',
    'https://',
    undefined,
  ];
  for (const location of refused) {
    const check = (error: unknown) =>
      error instanceof NetError && error.code === 'bad_redirect' && !error.message.includes('u:p');
    assert.throws(() => strictRedirectTarget(from, location), check, location);
  }
});

for (const location of ['file:///etc/passwd', 'ftp://127.0.0.1/x', '']) {
  test(`a redirect to ${location || 'nowhere'} is refused`, { timeout }, async (t) => {
    const server = await serve(t, (_request, response) => response.writeHead(302, location ? { location } : {}).end());
    await assert.rejects(httpGet(server.url, { pool: poolFor(t) }), { code: 'bad_redirect' });
  });
}

test('a redirect loop ends at the bound', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => response.writeHead(307, { location: '/again' }).write('go on'));
  const request = httpGet(server.url, { pool: poolFor(t), bounds: { maxRedirects: 3 } });
  await assert.rejects(request, { code: 'too_many_redirects', message: /more than 3 redirects/ });
  assert.equal(server.requests.length, 4);
  assert.ok(await allClosed(server));
});

test('the total bound holds over all hops', { timeout }, async (t) => {
  const server = await serve(t, (_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 60);
  });
  const request = httpGet(server.url, { pool: poolFor(t), bounds: { totalMs: 150, maxRedirects: 100 } });
  await assert.rejects(request, { code: 'timeout', message: /not done within 150 ms/ });
});

test('credentials follow within the origin only; conditions and ranges follow anywhere', { timeout }, async (t) => {
  const other = await serve(t, (_request, response) => response.end('there'));
  const server = await serve(t, (request, response) => {
    const location = request.url === '/' ? '/second' : `${other.url}asset`;
    response.writeHead(302, { location }).end();
  });
  const headers = {
    authorization: 'Bearer secret',
    cookie: 'a=b',
    'auth-key': 'secret',
    'if-none-match': '"x"',
    range: 'bytes=1-',
  };
  const answer = await httpGet(server.url, { headers: { ...headers, 'user-agent': 'Test/1' }, pool: poolFor(t) });
  assert.equal(await readText(answer, 100), 'there');
  assert.equal(answer.url, `${other.url}asset`);
  assert.deepEqual(
    server.requests.map((request) => request.headers.authorization),
    ['Bearer secret', 'Bearer secret'],
  );
  const arrived = other.requests[0]?.headers ?? {};
  for (const name of ['authorization', 'cookie', 'auth-key']) assert.equal(arrived[name], undefined, name);
  assert.equal(arrived['if-none-match'], '"x"');
  assert.equal(arrived.range, 'bytes=1-');
  assert.equal(arrived['user-agent'], 'Test/1');
});

test('credentials that were dropped do not come back with the origin', { timeout }, async (t) => {
  let home = '';
  const other = await serve(t, (_request, response) => response.writeHead(302, { location: `${home}back` }).end());
  const server = await serve(t, (request, response) => {
    if (request.url === '/back') response.end('home');
    else response.writeHead(302, { location: other.url }).end();
  });
  home = server.url;
  const answer = await httpGet(server.url, { headers: { authorization: 'x' }, pool: poolFor(t) });
  assert.equal(await readText(answer, 100), 'home');
  assert.equal(server.requests[1]?.headers.authorization, undefined);
});
