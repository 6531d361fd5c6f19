import { ROOT_ANCHORS } from '../analysis/dnssec/root-anchors.ts';
import { registrableDomain, normalizeDnsName } from '../analysis/domain-name.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { Connector, type ConnectionTarget, ResumptionError } from './connector.ts';
import type { FetchResponse } from './fetch-types.ts';
import { parseHost } from './host.ts';
import { isBadPort, portOf } from './http-url.ts';
import { NetError } from './net-error.ts';
import type { NetworkClient, NetworkClientOptions } from './network-client.ts';
import type { Connection } from './open-connection.ts';
import { RequestDeadline } from './request-deadline.ts';
import type { TimeoutOptions } from './request-options.ts';
import { requireAllowedUrl, sendHttpRequest } from './send-http-request.ts';
import { sendLine, WHOIS_PORT } from './send-line.ts';
import { SMTP_PORT, startSmtpTls } from './start-smtp-tls.ts';
import { sendClientHello } from './tls/send-client-hello.ts';
import { tlsHandshake } from './tls/tls-handshake.ts';

/** Open connections to one target (eTLD+1), and in total. */
const CONNECTION_LIMITS = { maxPerKey: 16, maxTotal: 1024 };
const HTTPS_PORT = 443;

/** Creates the network client. Throws `TypeError` for invalid options. */
export function openNetworkClient(clientOptions: NetworkClientOptions): NetworkClient {
  const connector = new Connector(clientOptions);
  const connectionLimiter = new ConnectionLimiter(CONNECTION_LIMITS);
  const active = new Set<RequestDeadline>();
  let closed = false;

  /** Runs one call to `host` under its deadline. */
  async function withDeadline<T>(
    host: string,
    { timeoutMs, signal }: TimeoutOptions,
    run: (deadline: RequestDeadline) => Promise<T>,
  ): Promise<T> {
    if (closed) throw new NetError('aborted', `${host}: the network client is closed`);
    const deadline = new RequestDeadline(host, timeoutMs, performance.now(), signal);
    active.add(deadline);
    try {
      if (deadline.signal.aborted) throw deadline.signal.reason;
      return await run(deadline);
    } catch (error) {
      throw deadline.toNetError(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      active.delete(deadline);
      deadline.end();
    }
  }

  /** Runs `use` over a connection, which is destroyed afterwards. */
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
    queryDns: (name, type, { dnssec = false, checkingDisabled = false, ...options }) =>
      withDeadline(name, options, (deadline) => {
        connector.guard.requireAllowedName(normalizeDnsName(name));
        return connector.dns.query({ name, type, dnssec, checkingDisabled }, deadline);
      }),

    resolveAddresses: (host, options) =>
      withDeadline(host, options, (deadline) => connector.addressResolver.resolve(host, false, deadline)),

    fetch: (url, options) =>
      withDeadline(url.host, options, (deadline) => {
        const { trusted = false, anyCertificate = false, allowedPrivateOnly = false } = options;
        requireAllowedUrl(url, trusted, deadline);
        const target = { host: url.hostname, port: portOf(url), trusted, allowedPrivateOnly };
        const attempt = (): Promise<FetchResponse> =>
          withConnection(target, deadline, async (connection) => {
            const stream =
              url.protocol === 'https:'
                ? await connector.upgradeToTls(connection, target, deadline, anyCertificate)
                : connection.socket;
            const { respondedAt, ...response } = await sendHttpRequest(stream, url, options, deadline);
            const { address, startedAt } = connection;
            return { ...response, address, latencyMs: Math.round(respondedAt - startedAt) };
          });
        return attempt().catch((error: unknown) => {
          if (error instanceof ResumptionError) return attempt();
          throw error;
        });
      }),

    tlsHandshake: (host, options) =>
      withDeadline(host, options, (deadline) =>
        withConnection({ host, port: options.port ?? HTTPS_PORT, trusted: false }, deadline, async (connection) => {
          const serverName = parseHost(host)!.text;
          const result = await tlsHandshake(connection, serverName, options, deadline, connector.tlsContexts);
          return { ...result, latencyMs: Math.round(performance.now() - connection.startedAt) };
        }),
      ),

    smtpHandshake: (host, options) =>
      withDeadline(host, options, (deadline) =>
        withConnection({ host, port: SMTP_PORT, trusted: false, direct: true }, deadline, async (connection) => {
          const reply = await startSmtpTls(connection.socket, deadline);
          if (!reply.started) return { offersStartTls: reply.offered, said: reply.said, tls: null };
          const serverName = parseHost(host)!.text;
          const result = await tlsHandshake(connection, serverName, options, deadline, connector.tlsContexts);
          const latencyMs = Math.round(performance.now() - connection.startedAt);
          return { offersStartTls: true, said: null, tls: { ...result, latencyMs } };
        }),
      ),

    sendClientHello: (host, { port = HTTPS_PORT, serverName, hello, ...options }) =>
      withDeadline(host, options, (deadline) =>
        withConnection({ host, port, trusted: false }, deadline, (connection) =>
          sendClientHello(connection, serverName ?? parseHost(host)!.text, hello, deadline),
        ),
      ),

    sendLine: (endpoint, line, { trusted = false, maxBytes, ...options }) =>
      withDeadline(endpoint.host, options, (deadline) => {
        if (!trusted && endpoint.port !== WHOIS_PORT && isBadPort(endpoint.port)) {
          throw deadline.createError('protocol', 'the port belongs to another service');
        }
        return withConnection({ ...endpoint, trusted, direct: true }, deadline, ({ socket }) =>
          sendLine(socket, line, maxBytes, deadline),
        );
      }),

    trustAnchors: (store) => connector.tlsContexts.trustAnchors(store),

    dnssecRootKeys: () => clientOptions.rootKeys ?? ROOT_ANCHORS,

    isBusy: () => connector.dns.isBusy || connectionLimiter.isFull,

    async close() {
      closed = true;
      for (const deadline of active) {
        deadline.abort(deadline.createError('aborted', 'the network client was closed'));
      }
    },
  };
}

/** The registrable domain of a host: the connections to all hosts below it are counted together. */
function connectionLimitKey(host: string): string {
  const text = parseHost(host)?.text ?? host;
  return registrableDomain(text) ?? text;
}
