import { NetError } from '../../../net/net-error.ts';
import type { HandshakeResult } from '../../../net/tls/handshake-types.ts';
import type { HelloOffer } from '../../../net/tls/client-hello.ts';
import { refusedFlight, type ServerFlight } from '../../../net/tls/server-flight.ts';
import type { SourceContext } from '../../source.ts';

export interface ProbedServer {
  /** Name or address to connect to: the vetted address of the first connection, so that all reach the same server. */
  host: string;
  /** Name in SNI. */
  serverName: string;
  port: number;
}

export interface ProbeLimits {
  maxConnections: number;
  maxConcurrent: number;
  /** For one connection. */
  timeoutMs: number;
  /** For all; then the rest is a gap. */
  totalMs: number;
}

export type HandshakeParams = Omit<
  Parameters<SourceContext['net']['tlsHandshake']>[1],
  'timeoutMs' | 'signal' | 'port'
>;

/** After so many failures one after another the server is left alone. */
const MAX_FAILURES = 3;

/**
 * Connections to one server within limits: their number, how many at once, and the time. What a limit or a failure prevents is null,
 * which is never to be read as a refusal.
 */
export class Prober {
  readonly #server: ProbedServer;
  readonly #context: SourceContext;
  readonly #limits: ProbeLimits;
  readonly #endsAt: number;
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #failuresInRow = 0;
  #connections: number;
  #hasClosedWithoutAlert = false;
  #stoppedBecause: string | null = null;
  #reserve = 0;

  /** `connections`: those made before. */
  constructor(server: ProbedServer, context: SourceContext, limits: ProbeLimits, connections = 0) {
    this.#server = server;
    this.#context = context;
    this.#limits = limits;
    this.#connections = connections;
    this.#endsAt = performance.now() + limits.totalMs;
  }

  get connections(): number {
    return this.#connections;
  }

  /** Connections that are kept for what comes later. */
  reserve(connections: number): void {
    this.#reserve = connections;
  }

  /** A refusal came by a closed connection: a server that has had enough of us does that, too. */
  get hasClosedWithoutAlert(): boolean {
    return this.#hasClosedWithoutAlert;
  }

  /** Why something could not be asked, for a gap. */
  get stoppedBecause(): string {
    return this.#stoppedBecause ?? `no more than ${this.#limits.maxConnections} connections are made to a server`;
  }

  /** The server's flight, also a refusal; null: not known. */
  async hello(hello: HelloOffer): Promise<ServerFlight | null> {
    const { host, serverName, port } = this.#server;
    const { net, signal } = this.#context;
    const flight = await this.#run((timeoutMs) =>
      net.sendClientHello(host, { serverName, port, hello, timeoutMs, signal }),
    );
    // Another protocol, or a choice that was not offered. Who does not know SSL 2 may answer its hello with anything.
    if (flight === 'tls') return hello.version === 'SSLv2' ? refusedFlight(null) : null;
    const answer = flight === 'reset' ? refusedFlight(null) : flight;
    if (answer?.outcome === 'refused' && answer.alert === null && hello.version !== 'SSLv2')
      this.#hasClosedWithoutAlert = true;
    return answer;
  }

  /** A whole handshake by OpenSSL; `refused`: the server or OpenSSL did not agree; null: not known. */
  async handshake(params: HandshakeParams): Promise<HandshakeResult | 'refused' | null> {
    const { host, serverName, port } = this.#server;
    const { net, signal } = this.#context;
    const result = await this.#run((timeoutMs) =>
      net.tlsHandshake(host, { ...params, serverName, port, timeoutMs, signal }),
    );
    return result === 'tls' || result === 'reset' ? 'refused' : result;
  }

  async #run<T>(connect: (timeoutMs: number) => Promise<T>): Promise<T | 'tls' | 'reset' | null> {
    if (this.#active >= this.#limits.maxConcurrent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#active++;
    try {
      const leftMs = this.#endsAt - performance.now();
      if (!this.#mayConnect(leftMs)) return null;
      this.#connections++;
      const result = await connect(Math.max(1, Math.min(this.#limits.timeoutMs, leftMs)));
      this.#failuresInRow = 0;
      return result;
    } catch (error) {
      if (error instanceof NetError && (error.code === 'tls' || error.code === 'reset')) return error.code;
      if (++this.#failuresInRow >= MAX_FAILURES) this.#stoppedBecause ??= 'the server stopped answering';
      return null;
    } finally {
      this.#active--;
      this.#waiting.shift()?.();
    }
  }

  #mayConnect(leftMs: number): boolean {
    if (this.#context.signal.aborted || leftMs <= 0) this.#stoppedBecause ??= 'the time was over';
    const left = this.#limits.maxConnections - this.#connections;
    return this.#stoppedBecause === null && left > this.#reserve;
  }
}
