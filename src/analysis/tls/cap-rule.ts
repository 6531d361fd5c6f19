import type { LetterGrade } from '../letter-grade.ts';
import type { CertificateFacts, TlsFacts } from './tls-facts.ts';

/** A problem that limits the grade. */
export interface CapRule {
  id: string;
  atBest: LetterGrade;
  /** The problem in a sentence; null if the server does not have it. */
  describe: (facts: TlsFacts, path: readonly CertificateFacts[], now: Date) => string | null;
  remediation: string;
}
