/** What a look at a TLS server found, for judging. */
export interface TlsFacts {
  /** Agreed with a client that takes everything. */
  negotiated: { protocol: TlsVersion; cipher: string; standardCipher: string; bits: number | null };
  keyExchange: { type: string; name: string | null; bits: number | null } | null;
  /** Whether the server takes a version; null: the try failed for another reason than a refusal. */
  protocols: Record<TlsVersion, boolean | null>;
  /** Whether it takes a key exchange without forward secrecy (static RSA), and CBC ciphers alone; null: not found out. */
  takesStaticRsa: boolean | null;
  takesOnlyCbc: boolean | null;
  /** Leaf first. */
  chain: readonly CertificateFacts[];
  trust: Trust;
  /** The certificate is for the name. */
  nameMatches: boolean;
  ocspStapled: boolean;
  latencyMs: number;
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
export const TLS_VERSIONS: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/**
 * `trusted`: by the certificates as sent; `incomplete`: only with intermediates that were fetched (AIA, RFC 5280 4.2.2.1), which
 * many clients do not do; `self_signed`; `unknown_issuer`: no trusted root at its end.
 */
export type Trust = 'trusted' | 'incomplete' | 'self_signed' | 'unknown_issuer';

export interface CertificateFacts {
  commonName: string | null;
  organization: string | null;
  issuerName: string | null;
  issuerOrganization: string | null;
  /** ISO 8601. */
  notBefore: string;
  notAfter: string;
  /** DNS names and addresses. */
  names: readonly string[];
  serial: string;
  fingerprint256: string;
  key: { type: string; bits: number | null };
  /** As OpenSSL names it: `sha256WithRSAEncryption`. */
  signatureAlgorithm: string;
  selfSigned: boolean;
  /** RFC 7633: the server must staple. */
  mustStaple: boolean;
  /** Holds proofs of having been logged (RFC 6962). */
  hasScts: boolean;
  /** `fetched`: by AIA; `sent`: by the server, or from the local store where it ends in a root. */
  from: 'sent' | 'fetched';
}
