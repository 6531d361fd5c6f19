import type { Duplex } from 'node:stream';
import { AddressResolver } from './address-resolver.ts';
import { type Connection, openConnection } from './open-connection.ts';
import { DnsClient } from './dns/client.ts';
import { selectDnsServers } from './dns/servers.ts';
import type { RequestDeadline } from './request-deadline.ts';
import { AddressGuard } from './address-guard.ts';
import { parseHost } from './host.ts';
import type { IpEndpoint, NetworkClientOptions } from './network-client.ts';
import { createHttpProxyClient, type HttpProxyClient } from './http-proxy.ts';
import { NetError } from './net-error.ts';
import { TlsContexts } from './tls/tls-contexts.ts';
import { TlsSessions } from './tls/tls-sessions.ts';
import { upgradeToTls } from './tls/upgrade-to-tls.ts';
import { ConnectionLimiter } from './connection-limiter.ts';

/** Concurrent DNS queries: per target (eTLD+1) and in total, so that a target with silent name servers does not block others. */
const DNS_QUERY_LIMITS = { maxPerKey: 64, maxTotal: 512 };

/** `trusted`: the operator configured the host, so that it is not vetted. */
export interface ConnectionTarget {
  host: string;
  port: number;
  trusted: boolean;
  /** Only networks that the operator allows: `FetchOptions`. */
  allowedPrivateOnly?: boolean;
}

/** A handshake failed that was to resume a session. */
export class ResumptionError extends NetError {
  constructor({ code, message }: NetError) {
    super(code, message);
  }
}

/** Opens all TCP and TLS connections: resolves a name once, vets its addresses, and connects to one of them. */
export class Connector {
  readonly dns: DnsClient;
  readonly guard: AddressGuard;
  readonly addressResolver: AddressResolver;
  readonly tlsContexts: TlsContexts;
  readonly #tlsSessions = new TlsSessions();
  readonly #proxy: HttpProxyClient | null;
  readonly #mapEndpoint: (to: IpEndpoint) => IpEndpoint;

  /** Throws `TypeError` for invalid options. */
  constructor(options: NetworkClientOptions) {
    this.tlsContexts = new TlsContexts(options.extraCa);
    this.guard = new AddressGuard(options.allowedPrivate);
    this.dns = new DnsClient(selectDnsServers(options.dnsServers), new ConnectionLimiter(DNS_QUERY_LIMITS));
    this.addressResolver = new AddressResolver(this.dns, this.guard, options.dnsServers.length > 0);
    this.#proxy = options.proxy === null ? null : createHttpProxyClient(options.proxy, this.tlsContexts.customCa);
    this.#mapEndpoint = options.mapEndpoint ?? ((to) => to);
  }

  /** Opens a connection; `direct`: not through the proxy. Throws `NetError`. */
  async connect(
    { host, port, trusted, allowedPrivateOnly = false }: ConnectionTarget,
    deadline: RequestDeadline,
    direct = false,
  ): Promise<Connection> {
    const addresses = await this.addressResolver.resolve(host, trusted, deadline);
    if (allowedPrivateOnly) this.guard.requireAllowedPrivate(host, addresses);
    return openConnection(addresses, port, deadline, {
      proxy: direct ? null : this.#proxy,
      mapEndpoint: this.#mapEndpoint,
    });
  }

  /**
   * TLS to `host` over a connection; `anyCertificate`: any certificate is accepted, and old TLS versions too. A session of an earlier
   * connection to the same address under the same name is resumed. Throws `ResumptionError` where the server fails at that: the next
   * connection has a full handshake.
   */
  async upgradeToTls(
    { socket, address }: Connection,
    { host, port }: Pick<ConnectionTarget, 'host' | 'port'>,
    deadline: RequestDeadline,
    anyCertificate: boolean,
  ): Promise<Duplex> {
    const serverName = parseHost(host)!.text;
    const key = { address, port, serverName, anyCertificate };
    const session = this.#tlsSessions.get(key);
    try {
      return await upgradeToTls(socket, deadline, {
        serverName,
        secureContext: anyCertificate ? this.tlsContexts.lenient() : this.tlsContexts.strict,
        anyCertificate,
        alpn: ['http/1.1'],
        session,
        onSocket: (tls) => tls.on('session', (next: Buffer) => this.#tlsSessions.put(key, next)),
      });
    } catch (error) {
      this.#tlsSessions.delete(key);
      const isRefusal = error instanceof NetError && (error.code === 'tls' || error.code === 'reset');
      throw session !== undefined && isRefusal ? new ResumptionError(error) : error;
    }
  }
}
