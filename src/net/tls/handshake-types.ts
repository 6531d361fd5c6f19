import type { TimeoutOptions } from '../request-options.ts';

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

export interface HandshakeOptions extends TimeoutOptions {
  /** Default: 443. */
  port?: number;
  /** Name in SNI and for `authorizationError`; default: the host. */
  serverName?: string;
  minVersion?: TlsVersion;
  maxVersion?: TlsVersion;
  /** OpenSSL cipher list; default: all that this machine knows, weak ones too. */
  ciphers?: string;
  /** PEM certificates taken as sent by the server too. None that signed itself: it would be trusted. */
  intermediates?: readonly string[];
}

export interface OfferCipherSuitesOptions extends TimeoutOptions {
  /** Default: 443. */
  port?: number;
  /** Highest version offered. */
  version: 'TLSv1' | 'TLSv1.2';
  /** Cipher suites by their numbers in the IANA registry. */
  suites: readonly number[];
}

export interface HandshakeResult {
  address: string;
  protocol: TlsVersion;
  cipher: { name: string; standardName: string; bits: number | null };
  /** Ephemeral key exchange, where it was one (bits of the group). */
  keyExchange: { type: string; name: string | null; bits: number | null } | null;
  /** DER, leaf first, as sent. */
  certificates: readonly Uint8Array[];
  /** Why the chain is not trusted for the name, as Node says it (`CERT_HAS_EXPIRED`); null: it is. */
  authorizationError: string | null;
  /** DER of a stapled OCSP response, where one came. */
  ocspResponse: Uint8Array | null;
  /** Milliseconds from connecting to the end of the handshake. */
  latencyMs: number;
}
