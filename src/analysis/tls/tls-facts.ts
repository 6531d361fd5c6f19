import type { DhPrime } from './dh-primes.ts';

/** What a look at a TLS server found, for judging. */
export interface TlsFacts {
  /** Agreed with a client that takes everything. */
  negotiated: {
    protocol: Exclude<ProtocolVersion, 'SSLv2'>;
    cipher: string;
    standardCipher: string;
    bits: number | null;
  };
  keyExchange: { type: string; name: string | null; bits: number | null } | null;
  /** Whether the server takes a version; null: not known. */
  protocols: Record<ProtocolVersion, boolean | null>;
  /** Suites that it takes; of each version in the order in which the server chose them, the preferred first. Empty: not looked for. */
  suites: readonly TakenSuite[];
  /** All suites of all versions were offered, and it answered each time. */
  suitesComplete: boolean;
  /** What only a look at all settings tells; null: not looked for. */
  configuration: TlsConfiguration | null;
  /** As sent, the certificate of the server first, then what was fetched. */
  chain: readonly CertificateFacts[];
  /** Certificates that were sent and are left out of `chain`, all without a place in the path. */
  chainOmitted: number;
  /** Further certificates of the server for the same name, such as RSA beside ECDSA. */
  otherCertificates: readonly CertificateFacts[];
  trust: ChainTrust;
  /** Whether a path leads to a root of Mozilla's list (that of Node) and of this machine's operating system; null: it has no list, or was not asked. */
  trustStores: { mozilla: boolean; system: boolean | null };
  /** An issuer's certificate should lie at an address that gave none, or OpenSSL could not be asked about it. */
  issuerUnknown: boolean;
  /** The certificate is for the name. */
  nameMatches: boolean;
  /** The stapled OCSP response; null: none came. */
  staple: StapleFacts | null;
  /** Proofs of having been logged (RFC 6962), wherever they were found. */
  scts: readonly SctFacts[];
  /** What was not found out, a sentence each. */
  gaps: readonly string[];
  /** Connections that were made to the server. */
  connections: number;
  latencyMs: number;
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
export type ProtocolVersion = 'SSLv2' | 'SSLv3' | TlsVersion;
export const PROTOCOL_VERSIONS: readonly ProtocolVersion[] = [
  'SSLv2',
  'SSLv3',
  'TLSv1',
  'TLSv1.1',
  'TLSv1.2',
  'TLSv1.3',
];

export interface TakenSuite {
  version: ProtocolVersion;
  /** Number of the IANA registry; of SSL 2 its three bytes. */
  code: number;
  /** IANA name. */
  name: string;
  /** Of a DHE suite: the group that the server used with it. */
  dhPrime: DhPrime | null;
}

/** Null everywhere: not known. */
export interface TlsConfiguration {
  /** It chooses by an order of its own, not by the client's. */
  serverPreference: boolean | null;
  /** Names of groups of the key exchange, the preferred first. */
  groups: readonly string[] | null;
  postQuantumGroups: readonly string[] | null;
  /** Names of signature schemes of the handshake. */
  signatureSchemes: readonly string[] | null;
  /** Protocols of ALPN, the preferred first. */
  alpn: readonly string[] | null;
  resumption: { sessionIds: boolean | null; tickets: boolean | null; psk: boolean | null };
  /** RFC 5746, and whether a client may begin a renegotiation. */
  renegotiation: { secure: boolean | null; clientInitiated: boolean | null };
  /** DEFLATE of TLS (CRIME). */
  compression: boolean | null;
  /** RFC 7507: it refuses a client that says it fell back to a lower version. Null also where it takes one version alone. */
  fallbackScsv: boolean | null;
  heartbeat: boolean | null;
  extendedMasterSecret: boolean | null;
  encryptThenMac: boolean | null;
  /** The same public value in several Diffie-Hellman exchanges. */
  dhReused: boolean | null;
}

/** An OCSP response (RFC 6960). */
export interface StapleFacts {
  /** Of the server's certificate; `unreadable`: another form, or about another certificate. */
  status: 'good' | 'revoked' | 'unknown' | 'unreadable';
  /** ISO 8601. */
  thisUpdate: string | null;
  nextUpdate: string | null;
  /** Signed by the issuer or by one that it named for this; null: the issuer's certificate is not known. */
  signatureValid: boolean | null;
}

export interface SctFacts {
  from: 'certificate' | 'tls' | 'ocsp';
  /** SHA-256 of the log's key, hex. */
  logId: string;
  /** ISO 8601. */
  loggedAt: string;
}

/**
 * `trusted`: by the certificates as sent; `incomplete`: only with intermediates that were fetched (AIA, RFC 5280 4.2.2.1), which
 * many clients do not do; `missing_issuer`: an issuer was neither sent nor found, so that nothing leads to a root; `self_signed`;
 * `unknown_issuer`: no path to a trusted root. Expiry and name are judged apart.
 */
export type ChainTrust = 'trusted' | 'incomplete' | 'missing_issuer' | 'self_signed' | 'unknown_issuer';

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
  /** Address of the OCSP responder (AIA); null: none. */
  ocspUrl: string | null;
  /** RFC 7633: the server must staple. */
  mustStaple: boolean;
  /** Holds proofs of having been logged (RFC 6962). */
  hasScts: boolean;
  /** `fetched`: by AIA; `sent`: by the server. */
  from: 'sent' | 'fetched';
  /** In the path from the certificate of the server (0) towards a root; null: it is no part of it, and not judged. */
  place: number | null;
}

/** The certificates of the path, which alone are judged: the server's first. */
export function certificationPath({ chain }: Pick<TlsFacts, 'chain'>): CertificateFacts[] {
  return chain.filter(({ place }) => place !== null).toSorted((a, b) => a.place! - b.place!);
}

export function subjectName({ commonName, organization, names }: CertificateFacts): string {
  return commonName ?? names[0] ?? organization ?? 'an unnamed subject';
}
