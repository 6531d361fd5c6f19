import type { DsData } from '../analysis/dnssec/records.ts';
import type { TimeoutOptions, TrustOptions } from './request-options.ts';
import type { DnsAnswer, DnsRecordType } from './dns/answer.ts';
import type { FetchResponse, FetchOptions } from './fetch-types.ts';
import type {
  HandshakeResult,
  HandshakeOptions,
  ClientHelloRequest,
  TrustStore,
  SmtpHandshakeResult,
} from './tls/handshake-types.ts';
import type { ServerFlight } from './tls/server-flight.ts';

/**
 * All traffic to targets and live sources. Each method resolves names once, refuses addresses that are not public, connects to the
 * address that it vetted, and ends by its time limit or the caller's signal. All throw `NetError`: `no_such_name`: the name does not
 * exist; `refused_address`: it has an address that must not be reached; `busy`: a limit of this process was reached.
 */
export interface NetworkClient {
  /**
   * Queries the configured resolvers by UDP, then by TCP if the response was truncated. No records of the type is an answer, not an
   * error. Names outside the public DNS (`localhost`, `.onion`) are refused.
   * `dnssec`: with signatures; `checkingDisabled`: also those that do not validate (CD, RFC 4035, 3.2.2).
   */
  queryDns(
    name: string,
    type: DnsRecordType,
    options: TimeoutOptions & { dnssec?: boolean; checkingDisabled?: boolean },
  ): Promise<DnsAnswer>;
  /** Addresses of a host, IPv4 first, all vetted. */
  resolveAddresses(host: string, options: TimeoutOptions): Promise<string[]>;
  /** One request, with the whole body up to its limit. Redirects are not followed: `followRedirects` does that. */
  fetch(url: URL, options: FetchOptions): Promise<FetchResponse>;
  /** A TLS handshake that accepts any certificate: the peer's certificates and the negotiated parameters. */
  tlsHandshake(host: string, options: HandshakeOptions): Promise<HandshakeResult>;
  /**
   * STARTTLS with a mail server on port 25 (RFC 3207), and a handshake that accepts any certificate. No mail is sent. Not through the
   * proxy, which forwards web traffic only.
   */
  smtpHandshake(host: string, options: TimeoutOptions): Promise<SmtpHandshakeResult>;
  /** Sends a ClientHello with any suites, groups and extensions, and reads the server's flight. The handshake is not completed. */
  sendClientHello(host: string, options: ClientHelloRequest): Promise<ServerFlight>;
  /** Sends a line and reads until the other side closes (WHOIS, RFC 3912). The text is decoded as UTF-8, else as ISO 8859-1. */
  sendLine(
    endpoint: { host: string; port: number },
    line: string,
    options: TimeoutOptions & TrustOptions & { maxBytes: number },
  ): Promise<string>;
  /** Trusted root certificates (PEM) and the operator's: Node's default ones, or those of the operating system. */
  trustAnchors(store?: TrustStore): readonly string[];
  /** DNSSEC keys of the DNS root (RFC 4035, 5). */
  dnssecRootKeys(): readonly DsData[];
  /** A limit of all calls together is reached: what is asked now waits first. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export interface NetworkClientOptions {
  /** `host[:port]`; empty: the resolvers of the system. */
  dnsServers: readonly string[];
  /** CIDRs that may be reached although they are not public. */
  allowedPrivate: readonly string[];
  /** http(s) proxy for HTTP and TLS to public addresses, by CONNECT to the vetted address; null: none. */
  proxy: string | null;
  /** PEM certificates trusted in addition to Node's default ones. */
  extraCa: readonly string[];
  /** Replaces the keys that IANA publishes for the DNS root, for resolvers with another root. */
  rootKeys?: readonly DsData[];
  /** For tests, whose servers listen on loopback: replaces a vetted endpoint before connecting. */
  mapEndpoint?: (to: IpEndpoint) => IpEndpoint;
}

/** `address`: an IP address. */
export interface IpEndpoint {
  address: string;
  port: number;
}
