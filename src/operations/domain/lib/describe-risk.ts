import type { LetterGrade } from '../../../analysis/letter-grade.ts';
import { describeScore } from '../../../engine/summary.ts';

const RISK_WORDS: Readonly<Record<LetterGrade, string>> = {
  A: 'very low risk',
  B: 'low risk',
  C: 'medium risk',
  D: 'high risk',
  F: 'very high risk',
};

/** The risk of a domain in words: `low risk`. */
export function riskWord(grade: LetterGrade): string {
  return RISK_WORDS[grade];
}

/** The word first, then the number with its scale: `low risk (12 of 100, lower is better; grade B)`. */
export function describeDomainRisk({ score, grade }: { score: number; grade: LetterGrade }): string {
  return `${riskWord(grade)} (${describeScore(score, 'lower')}; grade ${grade})`;
}
