/** Grades, best first. */
export const LETTER_GRADES = ['A', 'B', 'C', 'D', 'F'] as const;
export type LetterGrade = (typeof LETTER_GRADES)[number];

/** The grade of a score from 0 (worst) to 100, for headers and site scans. */
export function gradeOfScore(score: number): LetterGrade {
  if (score >= 90) return 'A';
  if (score >= 75) return 'B';
  if (score >= 60) return 'C';
  return score >= 40 ? 'D' : 'F';
}

/** The worst of some grades; `A` of an empty list. */
export function worstGrade(grades: readonly LetterGrade[]): LetterGrade {
  return LETTER_GRADES.findLast((grade) => grades.includes(grade)) ?? 'A';
}
