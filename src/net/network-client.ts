import type { DsData } from '../analysis/dnssec/records.ts';
import type { TimeoutOptions, TrustOptions } from './request-options.ts';
import type { DnsAnswer, DnsRecordType } from './dns/answer.ts';
import type { FetchResponse, FetchOptions } from './fetch-types.ts';
import type { HandshakeResult, HandshakeOptions, OfferCipherSuitesOptions } from './tls/handshake-types.ts';

/**
 * Everything that leaves this machine for a target or a live source. Each method resolves names once, refuses addresses that
 * are not public, connects to the very address that was vetted, and ends by itself: by its bounds, or by the caller's signal.
 * All throw `NetError`: `no_such_name` where the name does not exist, `refused_address` where it leads to an address that must
 * not be reached.
 */
export interface NetworkClient {
  /** Asks the configured resolvers; UDP, then TCP where the answer was cut. An existing name without such records is an answer.
   * Names that are none of the public DNS (`localhost`, `.onion`) are not asked for.
   * `dnssec`: with signatures; `unchecked`: those that do not hold too (CD, RFC 4035, 3.2.2). */
  queryDns(
    name: string,
    type: DnsRecordType,
    options: TimeoutOptions & { dnssec?: boolean; unchecked?: boolean },
  ): Promise<DnsAnswer>;
  /** Addresses of a host, IPv4 first, all vetted. */
  resolveAddresses(host: string, options: TimeoutOptions): Promise<string[]>;
  /** One request, one answer: redirects are not followed (`follow.ts` does, hop by hop). The body is read, up to its bound. */
  fetch(url: URL, options: FetchOptions): Promise<FetchResponse>;
  /** A TLS handshake, without trusting what is presented: the peer's certificates and what was agreed. */
  tlsHandshake(host: string, options: HandshakeOptions): Promise<HandshakeResult>;
  /** Which of the cipher suites a server chooses, without a handshake; null: none of them. */
  offerCipherSuites(host: string, options: OfferCipherSuitesOptions): Promise<number | null>;
  /** Sends a line and reads until the other side closes (WHOIS, RFC 3912); text in UTF-8, or ISO 8859-1 where it is not that. */
  sendLine(
    endpoint: { host: string; port: number },
    line: string,
    options: TimeoutOptions & TrustOptions & { maxBytes: number },
  ): Promise<string>;
  /** PEM certificates that a chain may end in: the usual ones and the operator's. */
  trustAnchors(): readonly string[];
  /** Keys of the DNS root that signatures are followed from (RFC 4035, 5). */
  dnssecRootKeys(): readonly DsData[];
  close(): Promise<void>;
}

export interface NetworkClientOptions {
  /** `host[:port]`; none: the system's. */
  dnsServers: readonly string[];
  /** CIDRs that may be targets although they are not public. */
  allowedPrivate: readonly string[];
  /** http(s) proxy that HTTP and TLS to public addresses go through, by CONNECT to the vetted address; null: none. */
  proxy: string | null;
  /** PEM certificates trusted beside the usual ones. */
  extraCa: readonly string[];
  /** In place of the keys that IANA publishes for the DNS root: where the resolvers know another one. */
  rootKeys?: readonly DsData[];
  /** Where a vetted address is really dialled: for tests, whose servers all stand on loopback. */
  dial?: (to: Endpoint) => Endpoint;
}

export interface Endpoint {
  address: string;
  port: number;
}
