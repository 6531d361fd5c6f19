import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { KEEP_ALIVE_TIMEOUT_MS, responseHead, UnparsedRequests } from '../../src/http/unparsed-requests.ts';
import { RawConnection, type RawResponse } from '../support/raw-connection.ts';

/** What both ways answer: the request as it was understood. */
const describeRequest = (method: string, url: string, body: string): string => JSON.stringify([method, url, body]);

interface Served {
  port: number;
  /** Requests that the parser of Node got. */
  parsed: () => number;
}

/** A server of Node alone, or one that answers without parsing what it can. */
async function serve(t: TestContext, watched: boolean): Promise<Served> {
  let parsed = 0;
  const unparsed = new UnparsedRequests(({ method }: IncomingMessage) => (url, body) => {
    // The service answers URLs that were parsed before, these stand for them.
    if (!/^\/[\w/?=%]*$/.test(url)) return null;
    const text = Buffer.from(describeRequest(method!, url, body?.toString() ?? ''));
    return { head: responseHead(200, ['content-length', String(text.length)], ''), parts: [text] };
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    parsed++;
    unparsed.noteParsed(request, response);
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const text = Buffer.from(describeRequest(request.method!, request.url!, body));
    response.writeHead(200, ['content-length', String(text.length)]).end(text);
  };
  const listener: RequestListener = (request, response) => void answer(request, response).catch(() => {});
  const server: Server = createServer({ requireHostHeader: false }, listener);
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  if (watched) unparsed.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, parsed: () => parsed };
}

const get = (url: string, headers = 'Host: a\r\n'): string => `GET ${url} HTTP/1.1\r\n${headers}\r\n`;
const post = (body: string, headers = 'Host: a\r\n'): string =>
  `POST /x HTTP/1.1\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\nAccept: */*\r\n\r\n${body}`;

const comparable = (response: RawResponse | null) =>
  response && {
    status: response.status,
    headers: response.headers.filter(([name]) => name !== 'date'),
    body: response.body.toString(),
  };

describe('a request whose head was parsed before on its connection', () => {
  test('is not parsed again; its URL, or its body, is its own', async (t) => {
    const { port, parsed } = await serve(t, true);
    const connection = new RawConnection(port);
    t.after(() => connection.close());
    for (const url of ['/1', '/22', '/%20?a=b', '/1']) {
      assert.equal((await connection.ask(get(url)))!.body.toString(), describeRequest('GET', url, ''));
    }
    assert.equal(parsed(), 1);
    for (const body of ['{}', '{"id":12345678901}', '"\u00e4"', '{}']) {
      assert.equal((await connection.ask(post(body)))!.body.toString(), describeRequest('POST', '/x', body));
    }
    assert.equal(parsed(), 2);
    // The head first, as clients in Python send it.
    const [head, body] = [post('{"a":1}').slice(0, -7), '{"a":1}'];
    assert.equal((await connection.ask(head, body))!.body.toString(), describeRequest('POST', '/x', body));
    assert.equal(parsed(), 2);
    await connection.ask(get('/1', 'Host: b\r\n'));
    await connection.ask(get('/2', 'Host: b\r\n'));
    assert.equal(parsed(), 3);
  });

  test('each connection begins with the parser', async (t) => {
    const { port, parsed } = await serve(t, true);
    for (let count = 1; count <= 3; count++) {
      const connection = new RawConnection(port);
      t.after(() => connection.close());
      await connection.ask(get('/1'));
      await connection.ask(get('/2'));
      assert.equal(parsed(), count);
    }
  });

  test('bytes cut anywhere, joined, repeated or wrong are answered as the parser alone answers them', async (t) => {
    const [watched, plain] = [await serve(t, true), await serve(t, false)];
    const sequences: string[][] = [];
    const twoGets = get('/first') + get('/second');
    const twoPosts = post('{"n":1}') + post('{"n":22}');
    for (const [warm, bytes] of [
      [get('/warm'), twoGets],
      [post('{"n":0}'), twoPosts],
      [post('{"n":0}'), twoPosts + get('/third')],
      [get('/warm'), twoGets + post('{}')],
    ] as const) {
      for (let cut = 0; cut <= bytes.length; cut++) sequences.push([warm, bytes.slice(0, cut), bytes.slice(cut)]);
    }
    for (const bytes of [
      `\r\n${get('/a')}`,
      `\r\n\r\n${get('/a')}`,
      get('/a').replace('GET', 'get'),
      get('/a').replace('HTTP/1.1', 'HTTP/1.0'),
      get('/a b'),
      get('/a', 'Host: b\r\n'),
      get('/a', 'Host: a\r\nHost: a\r\n'),
      get('/a', 'Host:  a\r\n'),
      get('/a', 'host: a\r\n'),
      get('/a', 'Host: a\r\nContent-Length: 3\r\n') + 'xyz',
      get('/a', 'Host: a\r\nConnection: close\r\n'),
      get('/a', 'Host: a\r\nTransfer-Encoding: chunked\r\n') + '2\r\nok\r\n0\r\n\r\n',
      get(''),
      get('/a\u0000'),
      get('/\u00e4'),
      get('/a').replaceAll('\r\n', '\n'),
      post('{}', 'Host: b\r\n'),
      post('{}').replace('Length: 2', 'Length: 02'),
      post('{}').replace('Length: 2', 'Length: +2'),
      post('{}').replace('Length: 2', 'Length: 2, 2'),
      post('{}').replace('Length: 2', 'Length: 2\r\nContent-Length: 2'),
      post('{}').replace('Length: 2', 'Length: 2\r\nTransfer-Encoding: chunked'),
      post('{}').replace('Length: 2', 'Length: 1'),
      post('').replace('Length: 0', 'Length: '),
      post(''),
      post('{}').replace('POST', 'PUT'),
      get('/a') + get('/b') + get('/c'),
    ]) {
      for (const warm of [get('/warm'), post('{"n":0}')]) {
        sequences.push([warm, bytes], [warm, warm, bytes], [warm, bytes, warm], [warm, bytes + warm]);
      }
    }
    assert.ok(sequences.length > 600);
    for (const [first, ...parts] of sequences) {
      const answers = await Promise.all(
        [watched, plain].map(async ({ port }) => {
          const connection = new RawConnection(port);
          const received = [await connection.ask(first!)];
          await connection.send(...parts);
          // Whatever the parts were: after this the server closes the connection.
          await connection.send(get('/end', 'Host: a\r\nConnection: close\r\n'));
          connection.socket.end();
          for (let response = await connection.next(); response !== null; response = await connection.next()) {
            received.push(response);
          }
          connection.close();
          return received.map(comparable);
        }),
      );
      assert.deepEqual(answers[0], answers[1], JSON.stringify([first, ...parts]));
    }
    assert.ok(watched.parsed() < plain.parsed());
  });

  test("two requests in one packet are the parser's, and answered in order", async (t) => {
    const { port, parsed } = await serve(t, true);
    const connection = new RawConnection(port);
    t.after(() => connection.close());
    await connection.ask(get('/1'));
    await connection.ask(get('/2'));
    assert.equal(parsed(), 1);
    await connection.send(get('/3') + get('/4'));
    assert.equal((await connection.next())!.body.toString(), describeRequest('GET', '/3', ''));
    assert.equal((await connection.next())!.body.toString(), describeRequest('GET', '/4', ''));
    assert.equal(parsed(), 3);
  });
});
