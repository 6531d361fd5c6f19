import { compareSeverity, SEVERITIES } from '../../analysis/severity.ts';

/** Severities of problems, worst first; `unknown` if no source gives one. */
export const PROBLEM_SEVERITIES = [...SEVERITIES, 'unknown'] as const;
export type ProblemSeverity = (typeof PROBLEM_SEVERITIES)[number];

export const CHECK_NAMES = ['dependencies', 'secrets', 'injection'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** A file, a folder or a part of a file that should have been read and was not. */
export interface UnreadItem {
  file: string;
  reason: string;
}

/** What any of the checks found, in the words that a report shares. */
export interface Problem {
  check: CheckName;
  /** Id of the flaw or of the rule: `CVE-2021-44228`, `aws-access-key`. */
  rule: string;
  title: string;
  severity: ProblemSeverity;
  /** Relative to the folder that was checked. */
  file: string;
  /** From 1; null where only the file is known. */
  line: number | null;
  message: string;
  remediation: string;
  /** CVSS 3 base score of the flaw; null where no source gives one. */
  score: number | null;
  /** For who compares two reports: the same problem has the same. */
  fingerprint: string;
}

/** Whether a problem of this severity ends the command with a failure. What nobody rated counts from `low` on. */
export function isAtLeastAsSevere(severity: ProblemSeverity, least: ProblemSeverity): boolean {
  if (severity === 'unknown') return least === 'low' || least === 'unknown';
  return compareSeverity(severity, least) <= 0;
}

/** The worst first, then by place; what has the same fingerprint as one before gets a number, so that each is the only one of its kind. */
export function sortWithUniqueFingerprints(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, number>();
  return problems.toSorted(compareProblems).map((problem) => {
    const count = (seen.get(problem.fingerprint) ?? 0) + 1;
    seen.set(problem.fingerprint, count);
    return count === 1 ? problem : { ...problem, fingerprint: `${problem.fingerprint}#${count}` };
  });
}

export function compareProblems(
  a: Pick<Problem, 'severity' | 'file' | 'line'>,
  b: Pick<Problem, 'severity' | 'file' | 'line'>,
): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
    (a.line ?? 0) - (b.line ?? 0)
  );
}
