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
    /** Node's error code of a certificate that is not trusted or has another name; null: trusted. */
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
    timeoutMs: 7000,
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
        certificateProblem: tls.authorizationError,
        notAfter: certificates[0]?.validToDate.toISOString() ?? null,
        chain: certificates.map(certificateForms),
      },
    };
  },
};

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
