import type { Worker } from 'node:cluster';

interface Connection {
  close(): void;
}

/** What `node:cluster` sends to a worker with a connection, and what the worker answers. */
interface HandOver {
  act?: string;
  seq?: number;
}
interface Confirmation {
  ack?: number;
}

/**
 * Closes the connections that a worker had not confirmed when it died. `node:cluster` keeps a connection until the worker to which it
 * sent it confirms it, and forever where that worker dies: the client would wait as long.
 */
export function closeUndeliveredConnections({ process: child }: Worker): void {
  const unconfirmed = new Map<number, Connection>();
  const send = child.send.bind(child) as (...values: unknown[]) => boolean;
  child.send = (...values: unknown[]) => {
    const { act, seq } = values[0] as HandOver;
    if (act === 'newconn' && seq !== undefined) unconfirmed.set(seq, values[1] as Connection);
    return send(...values);
  };
  child.on('internalMessage', ({ ack }: Confirmation) => {
    if (ack !== undefined) unconfirmed.delete(ack);
  });
  child.once('exit', () => {
    for (const connection of unconfirmed.values()) connection.close();
    unconfirmed.clear();
  });
}
