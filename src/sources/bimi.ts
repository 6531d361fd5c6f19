import { X509Certificate } from 'node:crypto';
import { checkBimiLogo } from '../analysis/email/bimi-logo.ts';
import { isSameOrSubdomain } from '../analysis/domain-name.ts';
import type { MarkCertificate } from '../analysis/email/posture/mail-facts.ts';
import { NetError } from '../net/net-error.ts';
import type { Source, SourceContext } from './source.ts';

export interface BimiFiles {
  /** What is wrong with the logo; null: there is none, or it could not be fetched. */
  logoProblems: string[] | null;
  markCertificate: MarkCertificate | null;
}

/** Extended key usage of mark certificates (RFC 3709 and the VMC requirements, section 7.1.2.3). */
const MARK_KEY_USAGE = '1.3.6.1.5.5.7.3.31';
/** Failures that are caused by the host of the file, not by the network. */
const OWN_FAILURES: ReadonlySet<string> = new Set([
  'no_such_name',
  'refused_address',
  'tls',
  'refused',
  'too_large',
  'protocol',
]);

/** Logo and mark certificate of a BIMI record, over HTTPS without redirects, as mailbox providers fetch them. */
export const bimiFiles: Source<{ domain: string; logo: string | null; evidence: string | null }, BimiFiles> = {
  policy: {
    id: 'bimi',
    title: 'BIMI logos',
    provides: 'logo and mark certificate of a mail domain',
    baseUrl: null,
    timeoutMs: 5000,
    maxBytes: 128 * 1024,
    ttlSeconds: 300,
    concurrency: 50,
    key: null,
  },
  async ask({ domain, logo, evidence }, context) {
    const [logoFile, certificateFile] = await Promise.all([fetchFile(logo, context), fetchFile(evidence, context)]);
    return {
      logoProblems:
        logoFile === null
          ? null
          : 'problem' in logoFile
            ? [logoFile.problem]
            : checkBimiLogo(textOf(logoFile.body), logoFile.body.length),
      markCertificate:
        certificateFile === null
          ? null
          : 'problem' in certificateFile
            ? { problem: certificateFile.problem, notAfter: null }
            : readMarkCertificate(textOf(certificateFile.body), domain, context.now()),
    };
  },
};

async function fetchFile(
  url: string | null,
  { net, timeoutMs, maxBytes, signal }: SourceContext,
): Promise<{ body: Uint8Array } | { problem: string } | null> {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return null;
  try {
    const { status, body } = await net.fetch(parsed, { timeoutMs, maxBytes, signal });
    return status === 200 ? { body } : { problem: `its address answers with status ${status}` };
  } catch (error) {
    if (error instanceof NetError && OWN_FAILURES.has(error.code))
      return { problem: 'it could not be fetched from its address' };
    throw error;
  }
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

/** The first certificate of the file; its chain to an authority for marks is not verified. */
function readMarkCertificate(pem: string, domain: string, now: Date): MarkCertificate {
  const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/.exec(pem)?.[0];
  if (block === undefined) return { problem: 'it is no PEM file with a certificate', notAfter: null };
  try {
    const certificate = new X509Certificate(block);
    return { problem: certificateProblem(certificate, domain, now), notAfter: certificate.validToDate.toISOString() };
  } catch {
    return { problem: 'it cannot be read', notAfter: null };
  }
}

function certificateProblem(certificate: X509Certificate, domain: string, now: Date): string | null {
  if (!certificate.keyUsage?.includes(MARK_KEY_USAGE)) return 'it is not a mark certificate (extended key usage)';
  if (certificate.validToDate < now) return 'it has expired';
  if (certificate.validFromDate > now) return 'it is not valid yet';
  const names = (certificate.subjectAltName ?? '').toLowerCase().match(/(?<=dns:)[^,\s]+/g) ?? [];
  const covers = names.some((name) => isSameOrSubdomain(domain, name.replace(/^(?:default\._bimi|\*)\./, '')));
  return covers ? null : 'it is not for this domain';
}
