import type { Finding } from '../finding.ts';
import type { LetterGrade } from '../letter-grade.ts';
import type { Severity } from '../severity.ts';
import { CERTIFICATE_CAPS } from './certificate-caps.ts';
import { SETTING_CAPS } from './setting-caps.ts';
import { certificationPath, type TlsFacts } from './tls-facts.ts';

/** A problem that limits the grade, whatever the score. */
export interface GradeCap extends Finding {
  /** The best grade that a server with the problem can have. */
  atBest: LetterGrade;
}

/** By the grade that a cap allows: F for what browsers refuse or attackers can break. */
const SEVERITY_BY_CAP: Readonly<Record<LetterGrade, Severity>> = {
  F: 'CRITICAL',
  D: 'HIGH',
  C: 'HIGH',
  B: 'MEDIUM',
  A: 'LOW',
};

/** The worst first; rules of certificates before those of settings where they allow the same grade. */
export function findGradeCaps(facts: TlsFacts, now: Date): GradeCap[] {
  const path = certificationPath(facts);
  const found = [...CERTIFICATE_CAPS, ...SETTING_CAPS].flatMap(({ id, atBest, describe, remediation }) => {
    const description = describe(facts, path, now);
    return description === null ? [] : [{ id, severity: SEVERITY_BY_CAP[atBest], atBest, description, remediation }];
  });
  return found.toSorted((a, b) => (a.atBest < b.atBest ? 1 : a.atBest > b.atBest ? -1 : 0));
}
