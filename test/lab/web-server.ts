import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type TlsPlan, tlsOptions } from './certificates.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';
import type { RequestLog } from './requests.ts';
import type { Page, Site } from './site.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS'];
const GZIP_FROM_BYTES = 1000;
/** The evil twins send and accept more than Node's 16 KB. */
const MAX_HEADER_BYTES = 64 * 1024;

/** All sites of the lab: one plain server told apart by `Host`, and for every host a TLS server with a certificate of its own. */
export class WebServer {
  readonly #sites: ReadonlyMap<string, Site>;
  readonly #hostOf: ReadonlyMap<string, string>;
  readonly #log: RequestLog;
  readonly #delayMs: number;
  readonly #servers: { server: Server; open: Set<Socket> }[] = [];
  readonly #plain = createHttpServer({ maxHeaderSize: MAX_HEADER_BYTES }, this.#listener('http'));

  /** `hostOf`: the host of an address, for requests that name the address. */
  constructor(sites: readonly Site[], hostOf: ReadonlyMap<string, string>, log: RequestLog, delayMs: number) {
    this.#sites = new Map(sites.map((site) => [site.host, site]));
    this.#hostOf = hostOf;
    this.#log = log;
    this.#delayMs = delayMs;
  }

  /** Its loopback port. */
  startPlain(): Promise<number> {
    return this.#listen(createServer((socket) => this.#plain.emit('connection', socket)));
  }

  /** Its loopback port. The certificate is made when the first connection comes. */
  startTls(plan: TlsPlan): Promise<number> {
    let tls: HttpsServer | null = null;
    return this.#listen(
      createServer((socket) => {
        tls ??= this.#tlsServer(plan);
        tls.emit('connection', socket);
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(({ server, open }) => closeServer(server, open)));
  }

  async #listen(server: Server): Promise<number> {
    const listening = await listenOnLoopback(server);
    this.#servers.push({ server, open: listening.open });
    return listening.port;
  }

  #tlsServer(plan: TlsPlan): HttpsServer {
    const { options, staple } = tlsOptions(plan);
    const server = createHttpsServer({ ...options, maxHeaderSize: MAX_HEADER_BYTES }, this.#listener('https'));
    if (staple !== null) {
      server.on('OCSPRequest', (_certificate, _issuer, done: (error: null, response: Buffer) => void) =>
        done(null, staple),
      );
    }
    return server.on('tlsClientError', () => {});
  }

  #listener(scheme: 'http' | 'https'): RequestListener {
    return (request, response) => {
      const named = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
      const host = this.#hostOf.get(named) ?? named;
      this.#log.add(scheme, host, request.url ?? '');
      setTimeout(() => this.#serve(scheme, host, request, response), this.#delayMs);
    };
  }

  #serve(scheme: 'http' | 'https', host: string, request: IncomingMessage, response: ServerResponse): void {
    const site = this.#sites.get(host);
    const pathname = URL.parse(request.url ?? '/', 'http://lab')?.pathname ?? '/';
    if (site === undefined) return send(request, response, { status: 421, body: `No site ${host}\n` });
    if (site.upgrades === true && scheme === 'http') {
      return send(request, response, { status: 301, headers: { location: `https://${host}${request.url}` } });
    }
    for (const [name, value] of Object.entries(site.headers ?? {})) response.setHeader(name, value);
    const methods = site.methods ?? METHODS;
    const allow = { allow: methods.join(', ') };
    if (request.method === 'TRACE' && methods.includes('TRACE')) return echo(request, response);
    const page = site.pages[pathname] ?? site.pages['*'];
    if (typeof page === 'function') return page(request, response);
    if (request.method === 'OPTIONS') return send(request, response, { status: 204, headers: allow });
    if (!methods.includes(request.method!)) return send(request, response, { status: 405, headers: allow });
    send(request, response, page ?? { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found\n' });
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, headers = {}, body = '' }: Page,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const zip = body.length >= GZIP_FROM_BYTES && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (zip) response.setHeader('content-encoding', 'gzip');
  response.writeHead(status).end(zip ? gzipSync(body) : body);
}

function echo(request: IncomingMessage, response: ServerResponse): void {
  const lines = [`TRACE ${request.url} HTTP/1.1`];
  for (let i = 0; i < request.rawHeaders.length; i += 2)
    lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
  response.writeHead(200, { 'content-type': 'message/http' }).end(`${lines.join('\r\n')}\r\n\r\n`);
}
