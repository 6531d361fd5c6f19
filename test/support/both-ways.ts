import { once } from 'node:events';
import { Agent, createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type ServiceOptions, startService, type TestService } from './service.ts';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

export interface Asked {
  method?: string;
  path: string;
  /** Names and values in turn, so that a header may come twice. */
  headers?: readonly string[];
  body?: string;
}

export interface Pair extends TestService {
  /** Answered as the service does. */
  ask: (asked: Asked) => Promise<Answer>;
  /** Answered by the framework, whatever was asked before. */
  askFramework: (asked: Asked) => Promise<Answer>;
  /** How many requests reached the framework so far. */
  framed: () => number;
  /** How many requests of `ask` the parser of Node got so far. */
  parsed: () => number;
}

/** One service at two ports: at the second, all requests go to the framework. */
export async function startBoth(t: TestContext, options: ServiceOptions = {}): Promise<Pair> {
  const service = await startService(t, options);
  let framed = 0;
  service.app.addHook('onRequest', (_request, _reply, next) => {
    framed++;
    next();
  });
  let parsed = 0;
  service.app.server.on('request', () => parsed++);
  const base = new URL(await service.listen());
  const framework: RequestListener = (incoming, response) => service.app.routing(incoming, response);
  const server = createServer({ requireHostHeader: false }, framework).on('checkExpectation', framework);
  server.keepAliveTimeout = service.app.server.keepAliveTimeout;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent({ keepAlive: true });
  t.after(() => {
    agent.destroy();
    server.close();
  });
  return {
    ...service,
    ask: (asked) => send(agent, Number(base.port), asked),
    askFramework: (asked) => send(agent, (server.address() as AddressInfo).port, asked),
    framed: () => framed,
    parsed: () => parsed,
  };
}

function send(agent: Agent, port: number, { method = 'GET', path, headers = [], body }: Asked): Promise<Answer> {
  // With a list of headers Node adds none of its own.
  const all = ['Connection', 'keep-alive', ...(headers.includes('Host') ? [] : ['Host', '127.0.0.1']), ...headers];
  if (body !== undefined) all.push('Content-Length', String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', method, path, headers: all }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: { ...response.headers },
          body: Buffer.concat(parts).toString(response.headers['content-encoding'] === undefined ? 'utf8' : 'latin1'),
        }),
      );
    });
    asked.on('error', reject).end(body);
  });
}

/** Without what differs between any two requests. */
export function comparable({ status, headers, body }: Answer): Answer {
  const { date: _date, 'x-request-id': id, ...others } = headers;
  return { status, headers: others, body: body.replaceAll(String(id), '<id>') };
}
