import type { Duplex } from 'node:stream';
import { Addresses } from './addresses.ts';
import { type Dialled, dial } from './dial.ts';
import { DnsClient } from './dns/client.ts';
import { dnsServers } from './dns/servers.ts';
import type { Exchange } from './exchange.ts';
import { Guard } from './guard.ts';
import { parseHost } from './host.ts';
import type { Endpoint, NetOptions } from './net.ts';
import { openProxy, type Proxy } from './proxy.ts';
import { Contexts } from './tls/contexts.ts';
import { secure } from './tls/secure.ts';
import { Turns } from './turns.ts';

/** Questions to the resolvers under way, about one target (eTLD+1) and in all: one whose servers are silent keeps nobody else waiting. */
const QUESTIONS = { perKey: 64, inAll: 512 };

/** Where a connection goes. `trusted`: the operator set the host, it is not vetted. */
export interface Goal {
  host: string;
  port: number;
  trusted: boolean;
}

/** The one place where connections begin: a name is resolved once, its addresses vetted, and one of those connected to. */
export class Door {
  readonly dns: DnsClient;
  readonly guard: Guard;
  readonly addresses: Addresses;
  readonly contexts: Contexts;
  readonly #proxy: Proxy | null;
  readonly #dial: (to: Endpoint) => Endpoint;

  /** Throws `TypeError` for options that mean nothing. */
  constructor(options: NetOptions) {
    this.contexts = new Contexts(options.extraCa);
    this.guard = new Guard(options.allowedPrivate);
    this.dns = new DnsClient(dnsServers(options.dnsServers), new Turns(QUESTIONS));
    this.addresses = new Addresses(this.dns, this.guard, options.dnsServers.length > 0);
    this.#proxy = options.proxy === null ? null : openProxy(options.proxy, this.contexts.ca);
    this.#dial = options.dial ?? ((to) => to);
  }

  /** A connection; `direct`: not through the proxy. Throws `NetError`. */
  async connect({ host, port, trusted }: Goal, exchange: Exchange, direct = false): Promise<Dialled> {
    const addresses = await this.addresses.of(host, trusted, exchange);
    return dial(addresses, port, exchange, { proxy: direct ? null : this.#proxy, dial: this.#dial });
  }

  /** TLS to `host` over a connection; `anyCertificate`: without trusting what it presents, and with old versions too. */
  secure({ socket }: Dialled, host: string, exchange: Exchange, anyCertificate: boolean): Promise<Duplex> {
    const secureContext = anyCertificate ? this.contexts.lenient() : this.contexts.strict;
    return secure(socket, exchange, {
      serverName: parseHost(host)!.text,
      secureContext,
      anyCertificate,
      alpn: ['http/1.1'],
    });
  }
}
