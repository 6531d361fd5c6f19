import { Agent, type AgentOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { Connector } from './connector.ts';
import { type HttpConnectionOptions, MAX_HEADER_BYTES } from './http-request.ts';
import { portOf } from './http-url.ts';
import type { NetworkClientOptions } from './network-client.ts';
import { RequestDeadline } from './request-deadline.ts';

/** Idle connections are closed after this time. */
const IDLE_MS = 4000;

export interface ConnectionPoolOptions {
  /** The operator configured the addresses: they are not vetted. */
  trusted: boolean;
  /** Limit of name lookup, TCP and TLS handshake together. Default: 10 s. */
  connectMs?: number;
  /** Limit of the headers of one response. Default: 32 KiB. */
  maxHeaderBytes?: number;
}

/**
 * Connections for `httpGet`: at most 16 for an origin, reused for its next requests, opened by the connector. Idle connections do not
 * keep the process alive.
 */
export class ConnectionPool {
  readonly #maxHeaderBytes: number;
  readonly #http: Agent;
  readonly #https: Agent;

  constructor(connector: Connector, { trusted, connectMs = 10_000, maxHeaderBytes }: ConnectionPoolOptions) {
    this.#maxHeaderBytes = maxHeaderBytes ?? MAX_HEADER_BYTES;
    const open = async (host: string, port: number, secure: boolean): Promise<Duplex> => {
      const deadline = new RequestDeadline(host, connectMs, performance.now(), undefined);
      try {
        const connection = await connector.connect({ host, port, trusted }, deadline);
        return secure ? await connector.upgradeToTls(connection, { host, port }, deadline, false) : connection.socket;
      } catch (error) {
        if (deadline.signal.aborted) throw deadline.createError('timeout', `no connection within ${connectMs} ms`);
        throw deadline.toNetError(error);
      } finally {
        deadline.stopTotalTimeout();
      }
    };
    this.#http = new ConnectorAgent((host, port) => open(host, port, false));
    this.#https = new ConnectorAgent((host, port) => open(host, port, true));
  }

  optionsFor(url: URL): HttpConnectionOptions {
    const agent = url.protocol === 'https:' ? this.#https : this.#http;
    return { agent, host: url.hostname, port: portOf(url), maxHeaderSize: this.#maxHeaderBytes };
  }

  /** Closes all connections, also those in use. */
  destroy(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** Connection pools of one connector, by whether the operator configured the addresses. */
export function createConnectionPools(options: NetworkClientOptions): (trusted: boolean) => ConnectionPool {
  const connector = new Connector(options);
  const vetted = new ConnectionPool(connector, { trusted: false });
  const unvetted = new ConnectionPool(connector, { trusted: true });
  return (trusted) => (trusted ? unvetted : vetted);
}

const AGENT_OPTIONS: AgentOptions = { keepAlive: true, maxSockets: 16, timeout: IDLE_MS };

class ConnectorAgent extends Agent {
  readonly #open: (host: string, port: number, callback: (error: Error | null, connection: Duplex) => void) => void;

  constructor(open: (host: string, port: number) => Promise<Duplex>) {
    super(AGENT_OPTIONS);
    this.#open = callbackify(open);
  }

  override createConnection(
    { host, port }: { host?: string | null; port?: number | string | null },
    callback: (error: Error | null, connection: Duplex) => void,
  ): undefined {
    this.#open(host!, Number(port), callback);
  }
}
