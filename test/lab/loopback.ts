import type { ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Listens on a free port of 127.0.0.1, and keeps track of who is connected. */
export async function listenOnLoopback(server: Server): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, open };
}

/** Stops at once, whoever is connected. */
export async function closeServer(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy();
  await new Promise((done) => server.close(done));
}

/** Also where the client had gone before anybody listened: what goes on until then would never end. */
export function whenClosed(stream: Socket | ServerResponse, done: () => void): void {
  if (stream.destroyed || stream.closed) done();
  else stream.once('close', done);
}
