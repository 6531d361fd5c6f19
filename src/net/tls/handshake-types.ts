import type { TimeoutOptions } from '../request-options.ts';

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

export interface HandshakeOptions extends TimeoutOptions {
  /** Default: 443. */
  port?: number;
  /** Name in SNI and for `authorizationError`; default: the host. */
  serverName?: string;
  minVersion?: TlsVersion;
  maxVersion?: TlsVersion;
  /** OpenSSL cipher list; default: all ciphers that OpenSSL has, also weak ones. */
  ciphers?: string;
  /** PEM certificates that are treated as if the server had sent them. A self-signed one would be trusted: must not be given. */
  intermediates?: readonly string[];
}

export interface OfferCipherSuitesOptions extends TimeoutOptions {
  /** Default: 443. */
  port?: number;
  /** Highest version offered. */
  version: 'TLSv1' | 'TLSv1.2';
  /** Cipher suites by number of the IANA registry. */
  suites: readonly number[];
}

export interface HandshakeResult {
  address: string;
  protocol: TlsVersion;
  cipher: { name: string; standardName: string; bits: number | null };
  /** Ephemeral key exchange with the bits of its group; null: not ephemeral. */
  keyExchange: { type: string; name: string | null; bits: number | null } | null;
  /** DER, leaf first, as sent. */
  certificates: readonly Uint8Array[];
  /** Node's error code for an untrusted chain or host (`CERT_HAS_EXPIRED`); null: trusted. */
  authorizationError: string | null;
  /** DER of the stapled OCSP response; null: none. */
  ocspResponse: Uint8Array | null;
  /** Milliseconds from connecting to the end of the handshake. */
  latencyMs: number;
}

/** `tls` null: the server did not start TLS; `said`: its reply instead. */
export interface SmtpHandshakeResult {
  offersStartTls: boolean;
  said: string | null;
  tls: HandshakeResult | null;
}
