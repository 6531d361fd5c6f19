import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { Connector } from './connector.ts';
import { RequestDeadline } from './request-deadline.ts';
import type { NetworkClientOptions } from './network-client.ts';

export type { Dispatcher };

export interface ConnectionBounds {
  /** Name lookup, TCP and TLS handshake together. */
  connectMs: number;
  /** Status line and headers of one answer. */
  maxHeaderBytes: number;
  maxConnectionsPerOrigin: number;
}

/** Whose connections a dispatcher uses, and whether the operator set the addresses that it is asked for. */
export interface DispatcherConnectOptions {
  connector: Connector;
  trusted: boolean;
}

const DEFAULT_CONNECTION_BOUNDS: ConnectionBounds = {
  connectMs: 10_000,
  maxHeaderBytes: 32 * 1024,
  maxConnectionsPerOrigin: 16,
};

/** Connections for `httpGet`, kept and used again for the same origin. HTTP/1.1 only, so that the header bound holds. */
export function createDispatcher(
  bounds: Partial<ConnectionBounds> = {},
  through?: DispatcherConnectOptions,
): Dispatcher {
  const { connectMs, maxHeaderBytes, maxConnectionsPerOrigin } = { ...DEFAULT_CONNECTION_BOUNDS, ...bounds };
  return new Agent({
    connect: through === undefined ? { timeout: connectMs } : undiciConnector(through, connectMs),
    maxHeaderSize: maxHeaderBytes,
    connections: maxConnectionsPerOrigin,
    allowH2: false,
  });
}

function undiciConnector(
  { connector, trusted }: DispatcherConnectOptions,
  connectMs: number,
): buildConnector.connector {
  const connect = async (host: string, port: string, secured: boolean): Promise<Duplex> => {
    const deadline = new RequestDeadline(host, connectMs, performance.now(), undefined);
    try {
      const goal = { host, port: port === '' ? (secured ? 443 : 80) : Number(port), trusted };
      const connection = await connector.connect(goal, deadline);
      return secured ? await connector.upgradeToTls(connection, host, deadline, false) : connection.socket;
    } catch (error) {
      throw deadline.toNetError(error);
    } finally {
      deadline.clear();
    }
  };
  const connectThen = callbackify(connect);
  return ({ hostname, port, protocol }, callback) =>
    connectThen(hostname, port, protocol === 'https:', (error, stream) =>
      error === null ? callback(null, stream as Socket) : callback(error, null),
    );
}

/** Dispatchers by whether the operator set the addresses, through one door; the idle sockets do not keep the process alive. */
export function createDispatcherSelector(options: NetworkClientOptions): (trusted: boolean) => Dispatcher {
  const connector = new Connector(options);
  const vetting = createDispatcher({}, { connector: connector, trusted: false });
  const trusting = createDispatcher({}, { connector: connector, trusted: true });
  return (trusted) => (trusted ? trusting : vetting);
}

let sharedInstance: Dispatcher | undefined;

/** The dispatcher of all who give none; its idle sockets do not keep the process alive. */
export function sharedDispatcher(): Dispatcher {
  sharedInstance ??= createDispatcher();
  return sharedInstance;
}
