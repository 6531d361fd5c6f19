import { displayLine } from '../display-text.ts';
import { describeChainOddities } from '../tls/chain-notes.ts';
import { PROTOCOL_VERSIONS, type TlsFacts } from '../tls/tls-facts.ts';
import { tlsVersionLabel } from '../tls/version-label.ts';
import { gradeTls } from '../tls/grade-tls.ts';
import { createScanFinding, TLS_GUIDE } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

const DAY_MS = 86_400_000;
const EXPIRY_WARNING_DAYS = 14;
const MAX_ISSUER_LENGTH = 100;

/** The TLS server on port 443. */
export function tlsModule(facts: TlsFacts, now: Date): ModuleResult {
  const { grade, score, caps } = gradeTls(facts, now);
  const [leaf] = facts.chain;
  const findings: ModuleResult['findings'] = caps.map(({ id, severity, description, remediation, atBest }) => ({
    id: `tls_${id}`,
    severity,
    title: `TLS: ${capTitle(id)}`,
    description: displayLine(description, 300),
    remediation,
    reference: TLS_GUIDE,
    evidence: `TLS grade at best ${atBest}.`,
  }));
  if (leaf !== undefined && expiresSoon(leaf, now))
    findings.push(createScanFinding('tls_expires_soon', `Until ${leaf.notAfter}.`));
  if (facts.protocols['TLSv1.3'] === false) findings.push(createScanFinding('tls_no_tls13'));
  const taken = PROTOCOL_VERSIONS.filter((version) => facts.protocols[version] === true).map(tlsVersionLabel);
  const { protocol, standardCipher } = facts.negotiated;
  const details = [
    `TLS grade ${grade} (${score} of 100 before caps).`,
    `Versions taken: ${taken.join(', ')}; agreed on ${tlsVersionLabel(protocol)} with ${standardCipher}.`,
  ];
  if (leaf !== undefined) {
    const issuer = leaf.issuerOrganization ?? leaf.issuerName ?? 'an unnamed issuer';
    details.push(
      `Certificate of ${displayLine(issuer, MAX_ISSUER_LENGTH)}, valid until ${leaf.notAfter.slice(0, 10)}.`,
    );
  }
  if (!facts.suitesComplete) details.push('Whether it takes insecure cipher suites was not found out for all of them.');
  details.push(...describeChainOddities(facts).map((note) => displayLine(note, 300)));
  return { details, findings };
}

/** `no_tls12` is `no TLS 1.2`. */
function capTitle(id: string): string {
  return id
    .replaceAll('_', ' ')
    .replace('tls12', 'TLS 1.2')
    .replace('aead', 'AEAD')
    .replace(/ssl(\d)/, 'SSL $1');
}

/** A site that answers, but not over TLS. */
export function noTlsResult(): ModuleResult {
  return { details: ['Nothing speaks TLS on port 443.'], findings: [createScanFinding('tls_none')] };
}

/** Two weeks, or a fifth of its life where that is short. */
function expiresSoon({ notBefore, notAfter }: { notBefore: string; notAfter: string }, now: Date): boolean {
  const left = Date.parse(notAfter) - now.getTime();
  const life = Date.parse(notAfter) - Date.parse(notBefore);
  return left >= 0 && left < Math.min(EXPIRY_WARNING_DAYS * DAY_MS, life / 5);
}
