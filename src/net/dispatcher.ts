import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { Door } from './door.ts';
import { Exchange } from './exchange.ts';
import type { NetOptions } from './net.ts';

export type { Dispatcher };

export interface ConnectionBounds {
  /** Name lookup, TCP and TLS handshake together. */
  connectMs: number;
  /** Status line and headers of one answer. */
  maxHeaderBytes: number;
  maxConnectionsPerOrigin: number;
}

/** Whose connections a dispatcher uses, and whether the operator set the addresses that it is asked for. */
export interface Through {
  door: Door;
  trusted: boolean;
}

const DEFAULTS: ConnectionBounds = { connectMs: 10_000, maxHeaderBytes: 32 * 1024, maxConnectionsPerOrigin: 16 };

/** Connections for `httpGet`, kept and used again for the same origin. HTTP/1.1 only, so that the header bound holds. */
export function openDispatcher(bounds: Partial<ConnectionBounds> = {}, through?: Through): Dispatcher {
  const { connectMs, maxHeaderBytes, maxConnectionsPerOrigin } = { ...DEFAULTS, ...bounds };
  return new Agent({
    connect: through === undefined ? { timeout: connectMs } : connectorOf(through, connectMs),
    maxHeaderSize: maxHeaderBytes,
    connections: maxConnectionsPerOrigin,
    allowH2: false,
  });
}

function connectorOf({ door, trusted }: Through, connectMs: number): buildConnector.connector {
  const connect = async (host: string, port: string, secured: boolean): Promise<Duplex> => {
    const exchange = new Exchange(host, connectMs, performance.now(), undefined);
    try {
      const goal = { host, port: port === '' ? (secured ? 443 : 80) : Number(port), trusted };
      const dialled = await door.connect(goal, exchange);
      return secured ? await door.secure(dialled, host, exchange, false) : dialled.socket;
    } catch (error) {
      throw exchange.failure(error);
    } finally {
      exchange.finish();
    }
  };
  const connectThen = callbackify(connect);
  return ({ hostname, port, protocol }, callback) =>
    connectThen(hostname, port, protocol === 'https:', (error, stream) =>
      error === null ? callback(null, stream as Socket) : callback(error, null),
    );
}

/** Dispatchers by whether the operator set the addresses, through one door; the idle sockets do not keep the process alive. */
export function dispatchers(options: NetOptions): (trusted: boolean) => Dispatcher {
  const door = new Door(options);
  const vetting = openDispatcher({}, { door, trusted: false });
  const trusting = openDispatcher({}, { door, trusted: true });
  return (trusted) => (trusted ? trusting : vetting);
}

let shared: Dispatcher | undefined;

/** The dispatcher of all who give none; its idle sockets do not keep the process alive. */
export function sharedDispatcher(): Dispatcher {
  shared ??= openDispatcher();
  return shared;
}
