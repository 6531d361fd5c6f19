import { createHash, X509Certificate } from 'node:crypto';
import type { CertificateForms } from '../analysis/email/tlsa.ts';
import type { Source } from './source.ts';

/** What a mail server shows before mail is sent. */
export interface SmtpFacts {
  offersStartTls: boolean;
  /** What it said instead of starting TLS, its first line; null: TLS was started. */
  said: string | null;
  /** Null: TLS was not started. */
  tls: {
    protocol: string;
    cipher: string;
    /** Why the certificate is not valid for the host, in words; null: it is. */
    certificateProblem: string | null;
    /** ISO 8601; null: the certificate could not be read. */
    notAfter: string | null;
    chain: CertificateForms[];
  } | null;
}

/** A mail server by STARTTLS on port 25: greeting, EHLO, handshake; no mail is sent. Many networks keep their machines from that port. */
export const smtp: Source<{ host: string }, SmtpFacts> = {
  policy: {
    id: 'smtp',
    title: 'Mail servers (STARTTLS)',
    provides: 'encryption and certificate of mail servers',
    baseUrl: null,
    // Some servers greet late, to see who does not wait.
    timeoutMs: 5000,
    maxBytes: 64 * 1024,
    ttlSeconds: 300,
    concurrency: 50,
    key: null,
  },
  async ask({ host }, { net, timeoutMs, signal }) {
    const { offersStartTls, said, tls } = await net.smtpHandshake(host, { timeoutMs, signal });
    if (tls === null) return { offersStartTls, said, tls: null };
    const certificates = tls.certificates.flatMap(parseCertificate);
    return {
      offersStartTls,
      said,
      tls: {
        protocol: tls.protocol,
        cipher: tls.cipher.standardName,
        certificateProblem: tls.authorizationError === null ? null : describeProblem(tls.authorizationError),
        notAfter: certificates[0]?.validToDate.toISOString() ?? null,
        chain: certificates.map(certificateForms),
      },
    };
  },
};

/** Node's error codes of certificates in words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate above it was not sent',
};

function describeProblem(code: string): string {
  return PROBLEMS[code] ?? 'it is not trusted';
}

function parseCertificate(der: Uint8Array): X509Certificate[] {
  try {
    return [new X509Certificate(der)];
  } catch {
    return [];
  }
}

function certificateForms(certificate: X509Certificate): CertificateForms {
  const publicKey = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return {
    forms: [certificate.raw, publicKey].map((bytes) => [
      bytes.toString('hex'),
      createHash('sha256').update(bytes).digest('hex'),
      createHash('sha512').update(bytes).digest('hex'),
    ]),
  };
}
