import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { closeServer, listenOnLoopback, whenClosed } from './loopback.ts';
import type { RequestLog } from './requests.ts';
import { UPSTREAMS, type UpstreamRequest } from './upstreams.ts';

/** How an imitated upstream behaves. */
export type Mode =
  | 'ok'
  /** Answers after `delayMs`. */
  | 'slow'
  /** Takes the request and says nothing. */
  | 'hang'
  /** Answers with `status`. */
  | 'status'
  /** 200 and HTML. */
  | 'garbage'
  /** 200 and JSON of another shape. */
  | 'wrong-shape'
  /** 200 and bytes without end. */
  | 'huge'
  /** One byte at a time, without end. */
  | 'drip'
  /** Closes in the middle of the body. */
  | 'cut'
  /** Resets the connection before an answer. */
  | 'reset';

export interface UpstreamControl {
  mode: Mode;
  delayMs: number;
  status: number;
}

type Misbehaviour = (response: ServerResponse, request: IncomingMessage, control: UpstreamControl) => void;

const DRIP_MS = 50;

const MISBEHAVIOURS: Record<Exclude<Mode, 'ok' | 'slow'>, Misbehaviour> = {
  hang: () => {},
  status: (response, _request, { status }) => json(response, status, { error: `status ${status}` }),
  garbage: (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Down for maintenance</html>'),
  'wrong-shape': (response) => json(response, 200, { nested: [[1, 'two', null]] }),
  huge: (response) => pour(response.writeHead(200, { 'content-type': 'application/json' })),
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), DRIP_MS);
    whenClosed(response, () => clearInterval(timer));
  },
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data":[', () => response.destroy());
  },
  reset: (_response, request) => request.socket.resetAndDestroy(),
};

/** All imitated upstreams on one port, each below a path of its id. */
export class UpstreamServer {
  readonly port: number;
  readonly controls: ReadonlyMap<string, UpstreamControl>;
  readonly close: () => Promise<void>;

  private constructor(port: number, controls: ReadonlyMap<string, UpstreamControl>, close: () => Promise<void>) {
    this.port = port;
    this.controls = controls;
    this.close = close;
  }

  static async start(log: RequestLog, delayMs: number): Promise<UpstreamServer> {
    const controls = new Map(
      Object.keys(UPSTREAMS).map((id) => [id, { mode: 'ok' as Mode, delayMs: 2000, status: 500 }]),
    );
    const closed = new AbortController();
    const server = createServer((request, response) => {
      const url = URL.parse(request.url ?? '/', 'http://lab') ?? new URL('http://lab');
      const [, id = '', ...path] = url.pathname.split('/');
      const control = controls.get(id);
      if (control === undefined) return void response.writeHead(404).end();
      log.add('upstream', id, path.join('/') + url.search);
      const pause = delayMs + (control.mode === 'slow' ? control.delayMs : 0);
      const asked = { path: path.join('/'), query: url.searchParams, request };
      respond(id, control, asked, response, pause, closed.signal).catch(() => response.destroy());
    });
    const { port, open } = await listenOnLoopback(server);
    return new UpstreamServer(port, controls, () => {
      closed.abort();
      return closeServer(server, open);
    });
  }
}

async function respond(
  id: string,
  control: UpstreamControl,
  { path, query, request }: { path: string; query: URLSearchParams; request: IncomingMessage },
  response: ServerResponse,
  pauseMs: number,
  signal: AbortSignal,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (pauseMs > 0) await wait(pauseMs, undefined, { signal });
  const { mode } = control;
  if (mode !== 'ok' && mode !== 'slow') return MISBEHAVIOURS[mode](response, request, control);
  const asked: UpstreamRequest = {
    method: request.method ?? 'GET',
    path,
    query,
    body: Buffer.concat(chunks).toString(),
    headers: request.headers,
  };
  const { status = 200, type = 'application/json', body } = UPSTREAMS[id]!(asked);
  response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Writes spaces until the other side has had enough. */
function pour(response: ServerResponse): void {
  const block = Buffer.alloc(64 * 1024, 0x20);
  const more = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
