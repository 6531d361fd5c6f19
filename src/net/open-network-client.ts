import { ROOT_ANCHORS } from '../analysis/dnssec/root-anchors.ts';
import { registrableDomain } from '../analysis/domain-name.ts';
import { sendLine } from './send-line.ts';
import type { Connection } from './open-connection.ts';
import { normalizeDnsName } from './dns/name.ts';
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
  const connector = new Connector(options);
  const connectionLimiter = new ConnectionLimiter(CONNECTION_LIMITS);
  const active = new Set<RequestDeadline>();
  let closed = false;

  /** Runs one exchange with `host` under its clock. */
  async function withDeadline<T>(
    host: string,
    options: TimeoutOptions,
    run: (deadline: RequestDeadline) => Promise<T>,
  ): Promise<T> {
    if (closed) throw new NetError('aborted', `${host}: the way out is closed`);
    const { timeoutMs, signal } = options;
    const deadline = new RequestDeadline(host, timeoutMs, performance.now(), signal);
    active.add(deadline);
    try {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      return await run(deadline);
    } catch (error) {
      throw deadline.toNetError(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      active.delete(deadline);
      // Nothing of it goes on: no second look-up, no other attempt to connect.
      deadline.abort(deadline.createError('aborted', 'done'));
    }
  }

  /** Runs `use` over a connection, which is gone afterwards. */
  async function withConnection<T>(
    target: ConnectionTarget & { direct?: boolean },
    deadline: RequestDeadline,
    use: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const release = await connectionLimiter.acquire(target.trusted ? null : connectionLimitKey(target.host), deadline);
    try {
      const connection = await connector.connect(target, deadline, target.direct);
      try {
        return await use(connection);
      } finally {
        connection.socket.destroy();
      }
    } finally {
      release();
    }
  }

  return {
    queryDns: (name, type, { dnssec = false, unchecked = false, ...options }) =>
      withDeadline(name, options, (deadline) => {
        connector.guard.checkName(normalizeDnsName(name));
        return connector.dns.query({ name, type, dnssec, unchecked }, deadline);
      }),

    resolveAddresses: (host, options) =>
      withDeadline(host, options, (deadline) => connector.addressResolver.resolve(host, false, deadline)),

    fetch: (url, options) =>
      withDeadline(url.host, options, (deadline) => {
        const { trusted = false, anyCertificate = false } = options;
        checkUrl(url, trusted, deadline);
        const host = url.hostname;
        return withConnection({ host, port: portOf(url), trusted }, deadline, async (connection) => {
          const secured = url.protocol === 'https:';
          const stream = secured ? await connector.upgradeToTls(connection, host, deadline, anyCertificate) : connection.socket;
          const { answeredAt, ...fetched } = await sendHttpRequest(stream, url, options, deadline);
          return { ...fetched, address: connection.address, latencyMs: Math.round(answeredAt - connection.startedAt) };
        });
      }),

    tlsHandshake: (host, options) =>
      withDeadline(host, options, (deadline) =>
        withConnection({ host, port: options.port ?? HTTPS_PORT, trusted: false }, deadline, async (connection) => {
          const agreed = await tlsHandshake(connection, parseHost(host)!.text, options, deadline, connector.tlsContexts);
          return { ...agreed, latencyMs: Math.round(performance.now() - connection.startedAt) };
        }),
      ),

    offerCipherSuites: (host, { port = HTTPS_PORT, version, suites, ...options }) =>
      withDeadline(host, options, (deadline) =>
        withConnection({ host, port, trusted: false }, deadline, (connection) => {
          const hello = { serverName: parseHost(host)!.text, version: WIRE_VERSIONS[version], suites };
          return offerCipherSuites(connection, hello, deadline);
        }),
      ),

    sendLine: (endpoint, line, { trusted = false, maxBytes, ...options }) =>
      withDeadline(endpoint.host, options, (deadline) => {
        if (!trusted && endpoint.port !== WHOIS_PORT && isBadPort(endpoint.port)) {
          throw deadline.createError('protocol', 'the port is one of another service');
        }
        return withConnection({ ...endpoint, trusted, direct: true }, deadline, ({ socket }) =>
          sendLine(socket, line, maxBytes, deadline),
        );
      }),

    trustAnchors: () => connector.tlsContexts.trustAnchors(),

    dnssecRootKeys: () => options.rootKeys ?? ROOT_ANCHORS,

    async close() {
      closed = true;
      for (const deadline of active) deadline.abort(deadline.createError('aborted', 'the way out was closed'));
    },
  };
}

/** Whose connections are counted together. */
function connectionLimitKey(host: string): string {
  const text = parseHost(host)?.text ?? host;
  return registrableDomain(text) ?? text;
}
