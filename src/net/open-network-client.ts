import { ROOT_ANCHORS } from '../analysis/dnssec/root-anchors.ts';
import { registrableDomain, normalizeDnsName } from '../analysis/domain-name.ts';
import { sendLine } from './send-line.ts';
import type { Connection } from './open-connection.ts';
import { Connector, type ConnectionTarget } from './connector.ts';
import { RequestDeadline } from './request-deadline.ts';
import { checkUrl, sendHttpRequest } from './send-http-request.ts';
import { parseHost } from './host.ts';
import type { NetworkClient, NetworkClientOptions } from './network-client.ts';
import type { TimeoutOptions } from './request-options.ts';
import { NetError } from './net-error.ts';
import { isBadPort, portOf } from './port.ts';
import { offerCipherSuites } from './tls/offer-cipher-suites.ts';
import { tlsHandshake } from './tls/tls-handshake.ts';
import { ConnectionLimiter } from './connection-limiter.ts';

/** Connections under way to one target (eTLD+1), and in all. */
const CONNECTION_LIMITS = { perKey: 16, inAll: 1024 };
const HTTPS_PORT = 443;
const WHOIS_PORT = 43;
const WIRE_VERSIONS = { TLSv1: 0x0301, 'TLSv1.2': 0x0303 } as const;

/** Opens the door to the outside. Throws `TypeError` for options that mean nothing. */
export function openNetworkClient(options: NetworkClientOptions): NetworkClient {
  const door = new Connector(options);
  const turns = new ConnectionLimiter(CONNECTION_LIMITS);
  const underway = new Set<RequestDeadline>();
  let closed = false;

  /** Runs one exchange with `host` under its clock. */
  async function during<T>(
    host: string,
    bounded: TimeoutOptions,
    run: (exchange: RequestDeadline) => Promise<T>,
  ): Promise<T> {
    if (closed) throw new NetError('aborted', `${host}: the way out is closed`);
    const { timeoutMs, signal } = bounded;
    const exchange = new RequestDeadline(host, timeoutMs, performance.now(), signal);
    underway.add(exchange);
    try {
      if (exchange.signal.aborted) throw exchange.signal.reason;
      return await run(exchange);
    } catch (error) {
      throw exchange.toNetError(exchange.signal.aborted ? exchange.signal.reason : error);
    } finally {
      underway.delete(exchange);
      // Nothing of it goes on: no second look-up, no other attempt to connect.
      exchange.abort(exchange.createError('aborted', 'done'));
    }
  }

  /** Runs `use` over a connection, which is gone afterwards. */
  async function connected<T>(
    goal: ConnectionTarget & { direct?: boolean },
    exchange: RequestDeadline,
    use: (dialled: Connection) => Promise<T>,
  ): Promise<T> {
    const done = await turns.acquire(goal.trusted ? null : connectionLimitKey(goal.host), exchange);
    try {
      const dialled = await door.connect(goal, exchange, goal.direct);
      try {
        return await use(dialled);
      } finally {
        dialled.socket.destroy();
      }
    } finally {
      done();
    }
  }

  return {
    queryDns: (name, type, { dnssec = false, unchecked = false, ...bounded }) =>
      during(name, bounded, (exchange) => {
        door.guard.checkName(normalizeDnsName(name));
        return door.dns.query({ name, type, dnssec, unchecked }, exchange);
      }),

    resolveAddresses: (host, bounded) =>
      during(host, bounded, (exchange) => door.addressResolver.resolve(host, false, exchange)),

    fetch: (url, fetching) =>
      during(url.host, fetching, (exchange) => {
        const { trusted = false, anyCertificate = false } = fetching;
        checkUrl(url, trusted, exchange);
        const host = url.hostname;
        return connected({ host, port: portOf(url), trusted }, exchange, async (dialled) => {
          const secured = url.protocol === 'https:';
          const stream = secured ? await door.upgradeToTls(dialled, host, exchange, anyCertificate) : dialled.socket;
          const { answeredAt, ...fetched } = await sendHttpRequest(stream, url, fetching, exchange);
          return { ...fetched, address: dialled.address, latencyMs: Math.round(answeredAt - dialled.startedAt) };
        });
      }),

    tlsHandshake: (host, handshaking) =>
      during(host, handshaking, (exchange) =>
        connected({ host, port: handshaking.port ?? HTTPS_PORT, trusted: false }, exchange, async (dialled) => {
          const agreed = await tlsHandshake(dialled, parseHost(host)!.text, handshaking, exchange, door.tlsContexts);
          return { ...agreed, latencyMs: Math.round(performance.now() - dialled.startedAt) };
        }),
      ),

    offerCipherSuites: (host, { port = HTTPS_PORT, version, suites, ...bounded }) =>
      during(host, bounded, (exchange) =>
        connected({ host, port, trusted: false }, exchange, (dialled) => {
          const hello = { serverName: parseHost(host)!.text, version: WIRE_VERSIONS[version], suites };
          return offerCipherSuites(dialled, hello, exchange);
        }),
      ),

    sendLine: (endpoint, line, { trusted = false, maxBytes, ...bounded }) =>
      during(endpoint.host, bounded, (exchange) => {
        if (!trusted && endpoint.port !== WHOIS_PORT && isBadPort(endpoint.port)) {
          throw exchange.createError('protocol', 'the port is one of another service');
        }
        return connected({ ...endpoint, trusted, direct: true }, exchange, ({ socket }) =>
          sendLine(socket, line, maxBytes, exchange),
        );
      }),

    trustAnchors: () => door.tlsContexts.trustAnchors(),

    dnssecRootKeys: () => options.rootKeys ?? ROOT_ANCHORS,

    async close() {
      closed = true;
      for (const exchange of underway) exchange.abort(exchange.createError('aborted', 'the way out was closed'));
    },
  };
}

/** Whose connections are counted together. */
function connectionLimitKey(host: string): string {
  const text = parseHost(host)?.text ?? host;
  return registrableDomain(text) ?? text;
}
