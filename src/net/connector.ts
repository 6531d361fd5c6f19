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
import { TlsContexts } from './tls/tls-contexts.ts';
import { upgradeToTls } from './tls/upgrade-to-tls.ts';
import { ConnectionLimiter } from './connection-limiter.ts';

/** Concurrent DNS queries: per target (eTLD+1) and in total, so that a target with silent name servers does not block others. */
const DNS_QUERY_LIMITS = { maxPerKey: 64, maxTotal: 512 };

/** `trusted`: the operator configured the host, so that it is not vetted. */
export interface ConnectionTarget {
  host: string;
  port: number;
  trusted: boolean;
}

/** Opens all TCP and TLS connections: resolves a name once, vets its addresses, and connects to one of them. */
export class Connector {
  readonly dns: DnsClient;
  readonly guard: AddressGuard;
  readonly addressResolver: AddressResolver;
  readonly tlsContexts: TlsContexts;
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
    { host, port, trusted }: ConnectionTarget,
    deadline: RequestDeadline,
    direct = false,
  ): Promise<Connection> {
    const addresses = await this.addressResolver.resolve(host, trusted, deadline);
    return openConnection(addresses, port, deadline, {
      proxy: direct ? null : this.#proxy,
      mapEndpoint: this.#mapEndpoint,
    });
  }

  /** TLS to `host` over a connection; `anyCertificate`: any certificate is accepted, and old TLS versions too. */
  upgradeToTls(
    { socket }: Connection,
    host: string,
    deadline: RequestDeadline,
    anyCertificate: boolean,
  ): Promise<Duplex> {
    const secureContext = anyCertificate ? this.tlsContexts.lenient() : this.tlsContexts.strict;
    return upgradeToTls(socket, deadline, {
      serverName: parseHost(host)!.text,
      secureContext,
      anyCertificate,
      alpn: ['http/1.1'],
    });
  }
}
