import type { SuiteWeakness } from './insecure-suites.ts';

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
  insecure: InsecureSuites;
  /** As sent, the certificate of the server first, then what was fetched. */
  chain: readonly CertificateFacts[];
  /** Certificates that were sent and are left out of `chain`, all without a place in the path. */
  chainOmitted: number;
  trust: ChainTrust;
  /** An issuer's certificate should lie at an address that gave none, or OpenSSL could not be asked about it. */
  issuerUnknown: boolean;
  /** The certificate is for the name. */
  nameMatches: boolean;
  ocspStapled: boolean;
  latencyMs: number;
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
export const TLS_VERSIONS: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Insecure cipher suites that it takes, one for each weakness that was found. */
export interface InsecureSuites {
  taken: readonly { weakness: SuiteWeakness; suite: string }[];
  /** All were offered, and it answered each time. */
  complete: boolean;
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
