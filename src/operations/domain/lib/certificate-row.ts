import { z } from 'zod';
import type { CertificateFacts } from '../../../analysis/tls/tls-facts.ts';
import { ForeignText } from '../../../engine/foreign-text.ts';

/** A certificate in an answer. */
export const CertificateRow = z.object({
  subject: ForeignText.nullable(),
  issuer: ForeignText.nullable(),
  not_before: z.string(),
  not_after: z.string(),
  key: z.string(),
  signature_algorithm: z.string(),
  serial_number: z.string(),
  sha256: z.string(),
  from: z.enum(['sent', 'fetched']),
  used: z.boolean().meta({ description: 'Part of the path towards a root; the others are not judged.' }),
});

export function presentCertificate(certificate: CertificateFacts): z.output<typeof CertificateRow> {
  const { key } = certificate;
  return {
    subject: certificate.commonName ?? certificate.organization ?? certificate.names[0] ?? null,
    issuer: certificate.issuerName ?? certificate.issuerOrganization,
    not_before: certificate.notBefore,
    not_after: certificate.notAfter,
    key: key.bits === null ? key.type : `${key.type} ${key.bits}`,
    signature_algorithm: certificate.signatureAlgorithm,
    serial_number: certificate.serial,
    sha256: certificate.fingerprint256,
    from: certificate.from,
    used: certificate.place !== null,
  };
}
