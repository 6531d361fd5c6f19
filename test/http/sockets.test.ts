import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Reply, startService, toReply } from '../support/service.ts';
import { assertError } from './error-shape.ts';

/** What `inject` does not show: bytes on a real connection. */

const service = await startService({ after });
let base: URL;
before(async () => {
  base = new URL(await service.listen());
});

describe('a connection', () => {
  test('many requests over one leave nothing behind at it', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let count = 0; count < 40; count++) await get('/v1/cve/CVE-2021-44228', agent);
      for (let count = 0; count < 20; count++) await get('/v1/exploit/CVE-2021-44228', agent);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', note);
      agent.destroy();
    }
    assert.deepEqual(
      warnings.map(({ name }) => name).filter((name) => name === 'MaxListenersExceededWarning'),
      [],
    );
  });

  test('content-length is that of the bytes', async () => {
    const { headers, text } = await get('/v1/cve/CVE-2021-44228');
    assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
  });

  test('HEAD has the length of GET and no bytes', async () => {
    const { headers } = await get('/v1/cve/CVE-2021-44228');
    const answer = await raw(`HEAD /v1/cve/CVE-2021-44228 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.equal(/content-length: (\d+)/i.exec(answer)?.[1], headers['content-length']);
    assert.equal(answer.split('\r\n\r\n')[1], '');
  });

  test('a chunked body over 1 MiB is 413', async () => {
    const size = 64 * 1024;
    const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
    const answer = await raw(
      `POST /v1/cves/bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
    );
    assertError(parse(answer), { status: 413, code: 'body_too_large' });
  });

  test('a raw NUL, blank or quote in the path never gets further than 400', async () => {
    for (const path of ['/v1/cve/CVE-2021-44228\0', '/v1/cve/a b', '/v1/cve/"', '/v1/cve/\u00e4']) {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 400 /);
    }
  });

  test('what the HTTP parser refuses has the body of every other error', async () => {
    for (const garbage of [
      'NONSENSE\r\n\r\n',
      'GET /v1/status HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n',
      'POST /v1/cves/bulk HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
      'POST /v1/cves/bulk HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ]) {
      assertError(parse(await raw(garbage)), { status: 400, code: 'invalid_argument' });
    }
  });

  test('headers over the limit have the body of every other error', async () => {
    const answer = await raw(`GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`);
    const reply = parse(answer);
    assert.ok(reply.status >= 400 && reply.status < 500, answer.slice(0, 60));
    assert.equal(typeof reply.body.error?.code, 'string', reply.text);
    assert.ok(reply.body.request_id);
  });

  test('a missing Host, or two of them, is 400 in HTTP/1.1 (RFC 9112, 3.2), with the body of every other error', async () => {
    for (const [line, hosts] of [
      ['GET /v1/status HTTP/1.1', ''],
      ['GET /v1/nothing HTTP/1.1', ''],
      ['GET /v1/status HTTP/1.1', 'Host: localhost\r\nHost: evil.example\r\n'],
      ['GET /v1/status HTTP/1.1', 'Host: localhost\r\nhost: localhost\r\n'],
      ['POST /v1/cves/bulk HTTP/1.1', 'HOST: a\r\nX: y\r\nHost: b\r\nContent-Length: 0\r\n'],
    ] as const) {
      const reply = parse(await raw(`${line}\r\n${hosts}Connection: close\r\n\r\n`));
      assertError(reply, { status: 400, code: 'invalid_argument' });
      assert.match(reply.body.error.message, /Host/);
    }
    assert.match(await raw('GET /v1/status HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
  });

  test('an expectation that is not met is 417 (RFC 9110, 10.1.1), and 100-continue is met', async () => {
    const ask = (expect: string): Promise<string> =>
      raw(
        `POST /v1/cves/bulk HTTP/1.1\r\nHost: x\r\nExpect: ${expect}\r\nContent-Type: application/json\r\nContent-Length: 14\r\nConnection: close\r\n\r\n{"cve_ids":[]}`,
      );
    assertError(parse(await ask('200-ok')), { status: 417, code: 'expectation_failed' });
    assert.match(await ask('100-Continue'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  test('a caller who leaves in the middle harms nobody', async () => {
    for (let count = 0; count < 5; count++) {
      const socket = connect(Number(base.port), base.hostname);
      socket.on('error', () => {});
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      socket.write('GET /v1/exploit/CVE-2021-44228 HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.resetAndDestroy();
    }
    assert.equal((await get('/v1/status')).status, 200);
    assert.deepEqual(
      service.logLines().filter((line) => line.includes('internal error')),
      [],
    );
  });
});

function get(path: string, agent?: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, base), { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve(toReply(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString())),
      );
    });
    request.on('error', reject).end();
  });
}

/** Everything that comes back until the other side closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(base.port), base.hostname, () => socket.write(text));
    socket.setTimeout(30_000, () => socket.destroy(new Error('no answer within 30 s')));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => (chunks.length > 0 ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}

function parse(answer: string): Reply {
  const [head = '', ...body] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return toReply(Number(statusLine.split(' ')[1]), Object.fromEntries(headers), body.join('\r\n\r\n'));
}
