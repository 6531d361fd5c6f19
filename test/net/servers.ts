/** Servers on 127.0.0.1 that behave as a test wants, gone when it ends. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { ConnectionPool, type ConnectionPoolOptions } from '../../src/net/connection-pool.ts';
import { Connector } from '../../src/net/connector.ts';

/** What ends later waited for something else than its own short time: far above what a busy machine adds. */
export const LATE_MS = 10_000;

export interface TestServer {
  /** `http://127.0.0.1:port/` */
  url: string;
  requests: IncomingMessage[];
  /** Sockets that are open now, and how many ever were. */
  open: Set<Socket>;
  connections: number;
  server: Server;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export async function serve(t: TestContext, handler: Handler): Promise<TestServer> {
  const server = createServer();
  const running = await listen(t, server);
  server.on('request', (request, response) => {
    running.requests.push(request);
    handler(request, response);
  });
  return running;
}

/** Answers what `onSocket` writes, once the request's headers have come. */
export async function serveRaw(
  t: TestContext,
  onSocket: (socket: Socket, request: string) => void,
): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    let request = '';
    socket.on('data', (data) => {
      request += data.toString('latin1');
      if (!request.endsWith('\r\n\r\n')) return;
      onSocket(socket, request);
      request = '';
    });
  });
  return listen(t, server);
}

export async function listen(t: TestContext, server: Server): Promise<TestServer> {
  const open = new Set<Socket>();
  const running: TestServer = { url: '', requests: [], open, connections: 0, server };
  server.on('connection', (socket: Socket) => {
    running.connections++;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  t.after(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return running;
}

/** A connection pool for one test, so that no idle socket outlives it; it reaches the servers here, on loopback. */
export function poolFor(t: TestContext, options: Partial<ConnectionPoolOptions> = {}): ConnectionPool {
  const connector = new Connector({ dnsServers: [], allowedPrivate: [], proxy: null, extraCa: [] });
  const pool = new ConnectionPool(connector, { trusted: true, ...options });
  t.after(() => pool.destroy());
  return pool;
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves once no socket is open at the server, within ten seconds: on a busy machine that may take a while. */
export async function allClosed(server: TestServer): Promise<boolean> {
  const end = performance.now() + 10_000;
  while (server.open.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  return server.open.size === 0;
}
