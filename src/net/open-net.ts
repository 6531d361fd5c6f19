import { ROOT_ANCHORS } from '../analysis/dnssec/root-anchors.ts';
import { registrableDomain } from '../analysis/domain-name.ts';
import { converseOver } from './converse.ts';
import type { Dialled } from './dial.ts';
import { normalName } from './dns/name.ts';
import { Door, type Goal } from './door.ts';
import { Exchange } from './exchange.ts';
import { checkUrl, exchangeOver } from './fetch.ts';
import { parseHost } from './host.ts';
import type { Net, NetOptions } from './net.ts';
import type { Bounded } from './bounds.ts';
import { NetError } from './net-error.ts';
import { isBadPort, portOf } from './port.ts';
import { offerSuites } from './tls/offer-suites.ts';
import { shakeHands } from './tls/shake-hands.ts';
import { Turns } from './turns.ts';

/** Connections under way to one target (eTLD+1), and in all. */
const CONNECTIONS = { perKey: 16, inAll: 1024 };
const HTTPS_PORT = 443;
const WHOIS_PORT = 43;
const WIRE_VERSION = { TLSv1: 0x0301, 'TLSv1.2': 0x0303 } as const;

/** Opens the door to the outside. Throws `TypeError` for options that mean nothing. */
export function openNet(options: NetOptions): Net {
  const door = new Door(options);
  const turns = new Turns(CONNECTIONS);
  const underway = new Set<Exchange>();
  let closed = false;

  /** Runs one exchange with `host` under its clock. */
  async function during<T>(host: string, bounded: Bounded, run: (exchange: Exchange) => Promise<T>): Promise<T> {
    if (closed) throw new NetError('aborted', `${host}: the way out is closed`);
    const { timeoutMs, signal } = bounded;
    const exchange = new Exchange(host, timeoutMs, performance.now(), signal);
    underway.add(exchange);
    try {
      if (exchange.signal.aborted) throw exchange.signal.reason;
      return await run(exchange);
    } catch (error) {
      throw exchange.failure(exchange.signal.aborted ? exchange.signal.reason : error);
    } finally {
      underway.delete(exchange);
      // Nothing of it goes on: no second look-up, no other attempt to connect.
      exchange.abort(exchange.error('aborted', 'done'));
    }
  }

  /** Runs `use` over a connection, which is gone afterwards. */
  async function connected<T>(
    goal: Goal & { direct?: boolean },
    exchange: Exchange,
    use: (dialled: Dialled) => Promise<T>,
  ): Promise<T> {
    const done = await turns.take(goal.trusted ? null : targetOf(goal.host), exchange);
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
    query: (name, type, { dnssec = false, unchecked = false, ...bounded }) =>
      during(name, bounded, (exchange) => {
        door.guard.checkName(normalName(name));
        return door.dns.query({ name, type, dnssec, unchecked }, exchange);
      }),

    resolve: (host, bounded) => during(host, bounded, (exchange) => door.addresses.of(host, false, exchange)),

    fetch: (url, fetching) =>
      during(url.host, fetching, (exchange) => {
        const { trusted = false, anyCertificate = false } = fetching;
        checkUrl(url, trusted, exchange);
        const host = url.hostname;
        return connected({ host, port: portOf(url), trusted }, exchange, async (dialled) => {
          const secured = url.protocol === 'https:';
          const stream = secured ? await door.secure(dialled, host, exchange, anyCertificate) : dialled.socket;
          const { answeredAt, ...fetched } = await exchangeOver(stream, url, fetching, exchange);
          return { ...fetched, address: dialled.address, latencyMs: Math.round(answeredAt - dialled.startedAt) };
        });
      }),

    handshake: (host, handshaking) =>
      during(host, handshaking, (exchange) =>
        connected({ host, port: handshaking.port ?? HTTPS_PORT, trusted: false }, exchange, async (dialled) => {
          const agreed = await shakeHands(dialled, parseHost(host)!.text, handshaking, exchange, door.contexts);
          return { ...agreed, latencyMs: Math.round(performance.now() - dialled.startedAt) };
        }),
      ),

    offerSuites: (host, { port = HTTPS_PORT, version, suites, ...bounded }) =>
      during(host, bounded, (exchange) =>
        connected({ host, port, trusted: false }, exchange, (dialled) => {
          const hello = { serverName: parseHost(host)!.text, version: WIRE_VERSION[version], suites };
          return offerSuites(dialled, hello, exchange);
        }),
      ),

    converse: (endpoint, line, { trusted = false, maxBytes, ...bounded }) =>
      during(endpoint.host, bounded, (exchange) => {
        if (!trusted && endpoint.port !== WHOIS_PORT && isBadPort(endpoint.port)) {
          throw exchange.error('protocol', 'the port is one of another service');
        }
        return connected({ ...endpoint, trusted, direct: true }, exchange, ({ socket }) =>
          converseOver(socket, line, maxBytes, exchange),
        );
      }),

    trustAnchors: () => door.contexts.anchors(),

    rootKeys: () => options.rootKeys ?? ROOT_ANCHORS,

    async close() {
      closed = true;
      for (const exchange of underway) exchange.abort(exchange.error('aborted', 'the way out was closed'));
    },
  };
}

/** Whose connections are counted together. */
function targetOf(host: string): string {
  const text = parseHost(host)?.text ?? host;
  return registrableDomain(text) ?? text;
}
