import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedMessage {
  headers: Record<string, string>;
  body: string;
}

export interface Receiver {
  /** `http://127.0.0.1:port/hook`. */
  url: string;
  received: ReceivedMessage[];
  /** Ids of messages that were answered with 2xx, in order. */
  ids: () => string[];
  close: () => void;
}

/** A receiver of webhooks on loopback. `answer`: what it says, by default 204. */
export async function startReceiver(
  owner: { after(end: () => void): void },
  answer: (response: ServerResponse, request: IncomingMessage, count: number) => void = (response) =>
    response.writeHead(204).end(),
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      received.push({ headers: request.headers as Record<string, string>, body });
      answer(response, request, received.length);
    })();
  }).listen(0, host);
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  owner.after(close);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hook`,
    received,
    ids: () => received.map(({ headers }) => headers['webhook-id']!),
    close,
  };
}
