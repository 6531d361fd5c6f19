import type { TimeoutOptions } from '../request-options.ts';
import type { HelloOffer } from './client-hello.ts';

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** `default`: what Node trusts (Mozilla's list, unless it was told otherwise); `system`: of the operating system, empty where it has none. */
export type TrustStore = 'default' | 'system';

export interface HandshakeOptions extends TimeoutOptions {
  /** Default: 443. */
  port?: number;
  /** Name in SNI and for `authorizationError`; default: the host. */
  serverName?: string;
  minVersion?: TlsVersion;
  maxVersion?: TlsVersion;
  /** OpenSSL cipher list; default: all ciphers that OpenSSL has, also weak ones. */
  ciphers?: string;
  /** A session of an earlier handshake, to be resumed. */
  session?: Buffer;
  /** Without session tickets (RFC 5077), so that a session can only be resumed by its id. */
  noTickets?: boolean;
  /** Waits for a session that can be resumed. */
  wantsSession?: boolean;
  /** Asks for one renegotiation after the handshake (RFC 5246, 7.4.1.1); for versions before TLS 1.3. */
  renegotiate?: boolean;
  /** PEM certificates that are treated as if the server had sent them. A self-signed one would be trusted: must not be given. */
  intermediates?: readonly string[];
}

export interface ClientHelloRequest extends TimeoutOptions {
  /** Default: 443. */
  port?: number;
  /** Name in SNI; default: the host. */
  serverName?: string;
  hello: HelloOffer;
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
  /** A session that can be resumed, where one was wanted; null: the server gave none. */
  session: Buffer | null;
  /** The session that was offered was resumed. */
  resumed: boolean;
  /** Whether the server renegotiated; null: it was not asked, or did not answer. */
  renegotiated: boolean | null;
  /** Protocol of ALPN; null: none was agreed on. */
  alpn: string | null;
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
