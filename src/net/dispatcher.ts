import { Agent, type Dispatcher } from 'undici';

export interface ConnectionBounds {
  /** Name lookup, TCP and TLS handshake together. */
  connectMs: number;
  /** Status line and headers of one answer. */
  maxHeaderBytes: number;
  maxConnectionsPerOrigin: number;
}

const DEFAULTS: ConnectionBounds = { connectMs: 10_000, maxHeaderBytes: 32 * 1024, maxConnectionsPerOrigin: 16 };

/**
 * The one place where sockets for HTTP are opened: whoever must vet addresses before connecting gives the agent made
 * here a connector of its own. HTTP/1.1 only, so that the header bound holds.
 */
export function openDispatcher(bounds: Partial<ConnectionBounds> = {}): Dispatcher {
  const { connectMs, maxHeaderBytes, maxConnectionsPerOrigin } = { ...DEFAULTS, ...bounds };
  return new Agent({
    connect: { timeout: connectMs },
    maxHeaderSize: maxHeaderBytes,
    connections: maxConnectionsPerOrigin,
    allowH2: false,
  });
}

let shared: Dispatcher | undefined;

/** The dispatcher of all who give none; its idle sockets do not keep the process alive. */
export function sharedDispatcher(): Dispatcher {
  shared ??= openDispatcher();
  return shared;
}
